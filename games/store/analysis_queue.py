"""The queue of positions to analyse, and the evaluations stored with the match.

Servers request and read evaluations. A worker leases due rows (`games.store.leases`) and stores the results.
The first evaluation stored for a position is final.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import BooleanField, Case, Count, Exists, IntegerField, OuterRef, Subquery, Value, When
from django.db.models.functions import Coalesce

from games.bots.base import Evaluation
from games.domain import codec
from games.models import AnalysisTask, Match, Ply, Seating
from games.registry import GAMES
from games.store import leases


class Wanted(NamedTuple):
    """A position to analyse, leased to one worker until `until`.

    `state` is the stored JSON; `game` is the slug.
    """

    match_id: str
    ply: int
    game: str
    state: str
    seats: int
    until: datetime


class Choice(NamedTuple):
    """An evaluated position, and the text of the ply that followed it: mostly a move, else a match action."""

    match_id: str
    ply: int
    look: Evaluation
    text: str


def want(match_id: str, plies: Iterable[int], now: datetime) -> None:
    """Request evaluations of the positions after these plies, 0 being the start.

    Requests that exist stay as they are. In each position a player must be on turn.
    """
    AnalysisTask.objects.bulk_create(
        [AnalysisTask(match_id=match_id, ply=ply, due=now) for ply in plies], ignore_conflicts=True
    )


def take(now: datetime, most: int, lease: timedelta, games: Collection[str] = GAMES.keys()) -> list[Wanted]:
    """Lease up to `most` due positions of some games for the duration `lease`.

    Positions of running matches come first, since a player waits for a hint; then the oldest.
    """
    until = now + lease
    waiting = AnalysisTask.objects.filter(match__game__in=games).order_by(_is_over(), "pk")
    taken = leases.take(waiting, "due", now, until, most)
    # Polled every second and mostly empty: building the query would take longer than the check.
    return _wanted(taken, until) if taken else []


def store(wanted: Wanted, look: Evaluation) -> None:
    """Store the evaluation of a position, unless one is already stored."""
    tasks = AnalysisTask.objects.filter(match=wanted.match_id, ply=wanted.ply, look=None)
    tasks.update(look=codec.encode(look).decode(), due=None)


def look_after(match_id: str, ply: int) -> Evaluation | None:
    """The evaluation of the position after a ply; None if there is none yet."""
    return looks(match_id, [ply]).get(ply)


def looks(match_id: str, plies: Iterable[int]) -> dict[int, Evaluation]:
    """The stored evaluations of the positions after these plies."""
    rows = AnalysisTask.objects.filter(match=match_id).values_list("ply", "look")
    # Filtered here, since databases limit the number of parameters.
    asked = set(plies)
    return {ply: codec.decode(Evaluation, text) for ply, text in rows if text is not None and ply in asked}


def choices(match_ids: Iterable[str]) -> Iterator[Choice]:
    """The evaluated positions of matches with what was played there; one query."""
    following = Ply.objects.filter(match=OuterRef("match"), number=OuterRef("ply") + 1).values("action")
    rows = AnalysisTask.objects.filter(match__in=list(match_ids), look__isnull=False)
    found = rows.annotate(text=Subquery(following)).filter(text__isnull=False)
    for match_id, ply, look, text in found.values_list("match", "ply", "look", "text").iterator():
        yield Choice(match_id, ply, codec.decode(Evaluation, look or ""), text)


def is_analysed(match: str) -> Exists:
    """A condition: a position of the match in the column `match` is evaluated."""
    return Exists(AnalysisTask.objects.filter(match=OuterRef(match), look__isnull=False))


def asked_for(match_id: str) -> set[int]:
    """The plies after which an evaluation was requested, whether it is stored or not."""
    return set(AnalysisTask.objects.filter(match=match_id).values_list("ply", flat=True))


def analyses_waiting() -> int:
    """How many finished matches have positions left to analyse."""
    waiting = AnalysisTask.objects.filter(due__isnull=False, match__status=Match.Status.FINISHED)
    return waiting.values("match").distinct().count()


def _is_over() -> Case:
    """An expression to order by: whether the match of a row is over."""
    over = When(match__status=Match.Status.FINISHED, then=Value(True))
    return Case(over, default=Value(False), output_field=BooleanField())


def _wanted(taken: list[int], until: datetime) -> list[Wanted]:
    after = Ply.objects.filter(match=OuterRef("match"), number=OuterRef("ply")).values("state")
    seats = Seating.objects.filter(match=OuterRef("match")).order_by().values("match")
    rows = AnalysisTask.objects.filter(pk__in=taken).values_list(
        "match_id",
        "ply",
        "match__game",
        Coalesce(Subquery(after), "match__start"),
        Subquery(seats.annotate(seats=Count("pk")).values("seats"), output_field=IntegerField()),
    )
    return [
        Wanted(match_id, ply, game, state, seats, until)
        for match_id, ply, game, state, seats in rows.order_by(_is_over(), "pk")
    ]
