"""Correspondence matches, and those in which a player is to move."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from games.domain import clock
from games.models import Match
from games.store import history

SLOW = [notation for notation in clock.CONTROLS if clock.parse(notation).per_move]
"""The clocks with days per move."""


def slow_matches(match_ids: Collection[str]) -> QuerySet[Match]:
    """The correspondence matches in play among these."""
    return Match.objects.filter(pk__in=match_ids, clock__in=SLOW, status=Match.Status.PLAYING)


def waiting(user_id: int) -> list[Match]:
    """The correspondence matches in which a user is to move, nearest deadline first."""
    found = slow_matches(history.waiting_for(user_id)).prefetch_related("seatings__user")
    return list(found.order_by("deadline", "pk"))
