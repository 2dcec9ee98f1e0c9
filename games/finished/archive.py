"""Reads finished matches from the store in batches, decoded by the current rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TypeAlias

import orjson
from django.db.models import Q, QuerySet

from games.domain import codec
from games.domain.clock import Clocks
from games.domain.record import DiceProof, Entry, Record
from games.domain.refusals import Refused, UnknownMatch
from games.finished.dice_reveal import Unfinished
from games.models import Match, Ply
from games.registry import GAMES
from games.rules.base import Outcome, gettext_noop
from games.watch import visibility
from games.watch.visibility import PlayersOnly


class NotOver(Refused):
    """The match is in play, at least as far as this user may know."""

    code, status = "not-over", 409
    sentence = gettext_noop("This match is not over yet. You can download it when it ends.")


Withheld: TypeAlias = NotOver | PlayersOnly
"""Reasons to withhold a score from a user."""
WITHHELD = (NotOver, PlayersOnly)
"""The same, for `except` clauses."""

BATCH = 50
"""Matches read with their plies at a time, whatever the total."""


def record(match_id: str) -> Record:
    """The record of a finished match. Raises `UnknownMatch` or `Unfinished`."""
    found = next(records([match_id]), None)
    if found is not None:
        return found
    if Match.objects.filter(pk=match_id, game__in=GAMES).exists():
        raise Unfinished(match_id)
    raise UnknownMatch(match_id)


def record_for(match_id: str, user_id: int | None, now: datetime) -> Record:
    """The record of a match that is over as far as a user may know. Raises `UnknownMatch` or `WITHHELD`."""
    stored, view = visibility.seen_by(match_id, user_id, now)
    view.check()
    if not stored.over:
        raise NotOver
    return record(match_id)


def records(match_ids: Iterable[str]) -> Iterator[Record]:
    """The records of the finished ones among these matches, in this order; three queries in all."""
    wanted = list(match_ids)
    found = (
        Match.objects.filter(pk__in=wanted, status=Match.Status.FINISHED, game__in=GAMES)
        .prefetch_related("seatings__user")
        .in_bulk()
    )
    plies = _plies(found)
    return (_record(found[pk], plies[pk]) for pk in wanted if pk in found)


def finished_by(player: int, asker: int | None, now: datetime) -> QuerySet[Match]:
    """The finished matches of `player` that `asker` may see and know to be over."""
    finished = Match.objects.filter(status=Match.Status.FINISHED, game__in=GAMES, seatings__user=player)
    return finished.filter(visibility.over_for(asker, now))


Batches: TypeAlias = Iterator[list[str]]


def batches(matches: QuerySet[Match], size: int = BATCH) -> Batches:
    """The ids of matches in batches, ordered by their beginning; one query per batch."""
    ordered, last = matches.order_by("created", "pk"), None
    while True:
        rows = list(_after(ordered, last).values_list("pk", "created")[:size])
        if not rows:
            return
        yield [pk for pk, _ in rows]
        last = rows[-1]


def _after(ordered: QuerySet[Match], last: tuple[str, datetime] | None) -> QuerySet[Match]:
    if last is None:
        return ordered
    pk, created = last
    return ordered.filter(Q(created__gt=created) | Q(created=created, pk__gt=pk))


def _plies(match_ids: Iterable[str]) -> dict[str, list[Entry]]:
    plies: dict[str, list[Entry]] = defaultdict(list)
    # Skip states and events: they make up most of a row, and the rules can recompute them.
    rows = Ply.objects.filter(match__in=list(match_ids)).order_by("match", "number")
    for match_id, number, seat, text, dice, at, clocks in rows.values_list(
        "match_id", "number", "seat", "action", "dice", "at", "clocks"
    ):
        plies[match_id].append(
            Entry(
                number=number,
                seat=seat,
                text=text,
                dice=None if dice is None else tuple(orjson.loads(dice)),
                at=at,
                left=None if clocks is None else codec.decode(Clocks, clocks).left,
            )
        )
    return plies


def _record(match: Match, plies: Iterable[Entry]) -> Record:
    assert match.outcome is not None
    assert match.ended is not None
    game = GAMES[match.game]
    seatings = list(match.seatings.all())
    sealed = match.words is not None and game.dice
    return Record(
        id=match.pk,
        game=game,
        start=codec.decode_state(game.rules, match.start),
        names=tuple(seating.get_name() for seating in seatings),
        terms=match.terms,
        begun=match.created,
        ended=match.ended,
        plies=tuple(plies),
        outcome=codec.decode(Outcome, match.outcome),
        seal=DiceProof(tuple(orjson.loads(match.words or "[]")), match.secret) if sealed else None,
        computers=frozenset(seating.seat for seating in seatings if seating.level is not None),
    )
