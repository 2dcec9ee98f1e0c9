"""Correspondence matches, and those in which a player is to move."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import QuerySet

from games.domain import clock, instants
from games.models import Match
from games.play.signals import vacations_of
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


def end_of_vacation(match_id: str, user_id: int, now: datetime) -> datetime | None:
    """When a user's clock in a match will run again; None if it does not stand for a vacation."""
    instant = instants.milliseconds(now)
    periods = [each for answer in vacations_of(match_id, [user_id]) for each in answer.get(user_id, ())]
    return next((instants.moment(ends) for begins, ends in periods if begins <= instant < ends), None)
