"""The queue of matches in which a computer player is to act (`games.store.leases`).

The due time is stored together with the ply or offer that calls for a bot. The worker renews its lease while
the bot thinks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.models import Match
from games.store import leases

TOPIC = "bots.due"
"""Hub topic that wakes the workers before their next poll."""
WAKE = {"type": "due"}

LEASE = timedelta(seconds=2, microseconds=1)
"""Duration of a lease. Not whole milliseconds, so that no ply makes a match due just when a lease ends."""


@dataclass(slots=True)
class Lease:
    """A match leased to a worker, and when the lease ends."""

    match_id: str
    until: datetime


def take(now: datetime, most: int) -> Sequence[Lease]:
    """Lease up to `most` due matches, the longest due first."""
    waiting = Match.objects.order_by("bot_due")
    ids = leases.take(waiting, "bot_due", now, now + LEASE, most)
    return [Lease(match_id, now + LEASE) for match_id in ids]


def overdue(now: datetime, patience: timedelta) -> int:
    """How many matches have waited longer than `patience`, a sign that no worker is running."""
    return Match.objects.filter(bot_due__lte=now - patience).count()


def renew(lease: Lease, now: datetime) -> bool:
    """Renew a lease. False if the match is due for another reason now, or leased to another worker."""
    kept = matches_of(lease).update(bot_due=now + LEASE)
    lease.until = now + LEASE
    return bool(kept)


def release(lease: Lease) -> None:
    """End a lease when there is nothing left to do, unless the match has become due again."""
    matches_of(lease).update(bot_due=None)


def matches_of(lease: Lease) -> QuerySet[Match]:
    """The match of a lease, if the lease is still held."""
    return leases.held(Match.objects.all(), "bot_due", lease.match_id, lease.until)
