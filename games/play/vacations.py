"""Vacations in matches with days for each move: the clock of a player on vacation stands.

A higher layer knows the vacations (`games.play.signals.vacations_of`). The pause that they make is stored
with the deadline of the match. It follows from the last ply and the vacations, so computing it again changes
nothing. It is computed after each ply, whenever a player's vacations change, and before a flag falls: a
process that died in between costs nobody time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from django.db import transaction

from games.domain import clock, instants
from games.domain.clock import Period
from games.models import Match, Seating
from games.play.live import LiveMatch, Vacations
from games.play.signals import vacations_of
from games.store import history
from games.store.history import Stored


def load(match_id: str) -> tuple[Stored, Vacations]:
    """A match as stored, and the vacations that count in it. Raises `UnknownMatch`."""
    stored = history.load(match_id)
    slow = clock.parse(stored.match.clock).per_move > 0
    return stored, _known(match_id, stored.players.keys()) if slow else {}


def _known(match_id: str, user_ids: Collection[int]) -> Vacations:
    found = defaultdict[int, list[Period]](list)
    for answer in vacations_of(match_id, user_ids):
        for user_id, periods in answer.items():
            found[user_id] += periods
    return found


@transaction.atomic
def refresh(match_id: str) -> bool:
    """Store the pause of a match with days for each move; returns whether it has changed.

    The row of the match stays locked until the end of the transaction. So a ply and a change of vacations
    wait for each other, and whoever comes later sees both.
    """
    row = Match.objects.select_for_update().get(pk=match_id)
    seats = Seating.objects.filter(match=match_id, user__isnull=False)
    known = _known(match_id, list(seats.values_list("user", flat=True)))
    if not known and not row.paused:
        return False
    live = LiveMatch.of(history.load(match_id))
    if live.clocks is None or live.mover is None:
        return False
    charged = live.without_pause(live.clocks)
    due = clock.deadline(live.control, charged)
    assert due is not None
    pause = clock.pause(charged.at, due, known.get(live.mover, ()))
    if pause == row.paused:
        return False
    Match.objects.filter(pk=match_id).update(paused=pause, deadline=instants.moment(due + pause))
    return True
