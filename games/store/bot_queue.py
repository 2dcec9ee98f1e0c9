"""Which matches wait for a computer player, and which of them somebody has taken up (`games.store.leases`).

The moment at which a match is due is stored with the ply, or the offer, that calls for a bot. Whoever has
taken a match up renews the lease for as long as they think.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.models import Match
from games.store import leases

TOPIC = "bots.due"
"""Where the hub says that there is something to do, for those who are not to wait until they look."""
WAKE = {"type": "due"}

LEASE = timedelta(seconds=2, microseconds=1)
"""For how long a match is left to whoever took it up. Plies have whole milliseconds, so no ply makes a match
due at the very moment at which a lease ends."""


@dataclass(slots=True)
class Lease:
    """A match that somebody has taken up, until that moment."""

    match_id: str
    until: datetime


def take(now: datetime, most: int) -> Sequence[Lease]:
    """Take up at most so many of the matches that are due, the longest due first; nobody else gets them."""
    waiting = Match.objects.order_by("bot_due")
    ids = leases.take(waiting, "bot_due", now, now + LEASE, most)
    return [Lease(match_id, now + LEASE) for match_id in ids]


def overdue(now: datetime, patience: timedelta) -> int:
    """How many matches have waited for longer than that, so that perhaps nobody attends to them."""
    return Match.objects.filter(bot_due__lte=now - patience).count()


def renew(lease: Lease, now: datetime) -> bool:
    """Keep a match for longer; False if it is due for another reason now, or somebody else has it."""
    kept = matches_of(lease).update(bot_due=now + LEASE)
    lease.until = now + LEASE
    return bool(kept)


def release(lease: Lease) -> None:
    """There is nothing left to do in a match, unless it has become due again."""
    matches_of(lease).update(bot_due=None)


def matches_of(lease: Lease) -> QuerySet[Match]:
    return leases.held(Match.objects.all(), "bot_due", lease.match_id, lease.until)
