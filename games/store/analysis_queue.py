"""What the best level makes of positions: asked for, thought about by a worker, and kept with the match.

Servers ask and read, a worker takes what is due (`games.store.leases`) and stores what it found. The first
look that is stored stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import BooleanField, Case, Count, IntegerField, OuterRef, Subquery, Value, When
from django.db.models.functions import Coalesce

from games.bots.base import Evaluation
from games.domain import codec
from games.models import Match, Ply, Seating, Thought
from games.registry import GAMES
from games.store import leases


class Wanted(NamedTuple):
    """A position to think about, taken up by one worker until `until`; others may have it then.

    `state` is the JSON as it is stored, of a match of `game` (a slug) with that many seats.
    """

    match_id: str
    ply: int
    game: str
    state: str
    seats: int
    until: datetime


def want(match_id: str, plies: Iterable[int], now: datetime) -> None:
    """Ask for the looks of the positions after those plies of a match, 0 being the start.

    What was asked for before stays as it is. In each position somebody has to be on turn.
    """
    Thought.objects.bulk_create(
        [Thought(match_id=match_id, ply=ply, due=now) for ply in plies], ignore_conflicts=True
    )


def take(now: datetime, most: int, lease: timedelta) -> list[Wanted]:
    """Take up at most so many thoughts that are due; nobody else gets them before `lease` has passed.

    Those of matches that are being played come first, since somebody waits for a hint; then the oldest.
    """
    until = now + lease
    waiting = Thought.objects.filter(match__game__in=GAMES).order_by(_over(), "pk")
    taken = leases.take(waiting, "due", now, until, most)
    # Every second, and hardly ever is there any: to have the query put together takes longer than the look.
    return _wanted(taken, until) if taken else []


def store(wanted: Wanted, look: Evaluation) -> None:
    """Keep what was made of a position; nothing changes where a look was stored before."""
    thoughts = Thought.objects.filter(match=wanted.match_id, ply=wanted.ply, look=None)
    thoughts.update(look=codec.encode(look).decode(), due=None)


def look_after(match_id: str, ply: int) -> Evaluation | None:
    """What the best level makes of the position after a ply; None until somebody has thought about it."""
    return looks(match_id, [ply]).get(ply)


def looks(match_id: str, plies: Iterable[int]) -> dict[int, Evaluation]:
    """The looks that are there of the positions after those plies."""
    rows = Thought.objects.filter(match=match_id).values_list("ply", "look")
    # Not in the query, where there may be more numbers than a database takes.
    asked = set(plies)
    return {ply: codec.decode(Evaluation, text) for ply, text in rows if text is not None and ply in asked}


def asked_for(match_id: str) -> set[int]:
    """The plies of a match after whose positions somebody has asked, be there a look or not."""
    return set(Thought.objects.filter(match=match_id).values_list("ply", flat=True))


def analyses_waiting() -> int:
    """Of how many matches that are over positions are still to be thought about."""
    waiting = Thought.objects.filter(due__isnull=False, match__status=Match.Status.FINISHED)
    return waiting.values("match").distinct().count()


def _over() -> Case:
    """Whether the match of a thought is over, to order by."""
    over = When(match__status=Match.Status.FINISHED, then=Value(True))
    return Case(over, default=Value(False), output_field=BooleanField())


def _wanted(taken: list[int], until: datetime) -> list[Wanted]:
    after = Ply.objects.filter(match=OuterRef("match"), number=OuterRef("ply")).values("state")
    seats = Seating.objects.filter(match=OuterRef("match")).order_by().values("match")
    rows = Thought.objects.filter(pk__in=taken).values_list(
        "match_id",
        "ply",
        "match__game",
        Coalesce(Subquery(after), "match__start"),
        Subquery(seats.annotate(seats=Count("pk")).values("seats"), output_field=IntegerField()),
    )
    return [
        Wanted(match_id, ply, game, state, seats, until)
        for match_id, ply, game, state, seats in rows.order_by(_over(), "pk")
    ]
