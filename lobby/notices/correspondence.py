"""In which matches somebody is to move, of those that are played over days."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from games.domain import clock
from games.models import Match
from games.store import history

SLOW = [notation for notation in clock.CONTROLS if clock.parse(notation).per_move]
"""The clocks of days a move, as they are offered."""


def slow_matches(match_ids: Collection[str]) -> QuerySet[Match]:
    """Those of some matches that are played over days and not over."""
    return Match.objects.filter(pk__in=match_ids, clock__in=SLOW, status=Match.Status.PLAYING)


def waiting(user_id: int) -> list[Match]:
    """The slow matches in which somebody is to move, the one whose time is up first at the head."""
    found = slow_matches(history.waiting_for(user_id)).prefetch_related("seatings__user")
    return list(found.order_by("deadline", "pk"))
