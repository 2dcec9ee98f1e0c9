"""Which matches wait for a computer player, and which of them somebody has taken up.

The moment at which a match is due is stored with the ply, or the offer, that calls for a bot. Whoever takes
a match up moves the moment into the future, and on and on while they think; a worker that is killed does so
no longer, and the match is due again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.models import Match

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
    waiting = Match.objects.filter(bot_due__lte=now)
    # Writers queue up on SQLite; whoever only looks should not.
    if not waiting.exists():
        return []
    with transaction.atomic():
        due = waiting.select_for_update(skip_locked=True).order_by("bot_due")[:most]
        ids = list(due.values_list("pk", flat=True))
        Match.objects.filter(pk__in=ids).update(bot_due=now + LEASE)
    return [Lease(match_id, now + LEASE) for match_id in ids]


def overdue(now: datetime, patience: timedelta) -> int:
    """How many matches have waited for longer than that, so that perhaps nobody attends to them."""
    return Match.objects.filter(bot_due__lte=now - patience).count()


def renew(lease: Lease, now: datetime) -> bool:
    """Keep a match for longer; False if it is due for another reason now, or somebody else has it."""
    kept = _of(lease).update(bot_due=now + LEASE)
    lease.until = now + LEASE
    return bool(kept)


def release(lease: Lease) -> None:
    """There is nothing left to do in a match, unless it has become due again."""
    _of(lease).update(bot_due=None)


def _of(lease: Lease) -> QuerySet[Match]:
    return Match.objects.filter(pk=lease.match_id, bot_due=lease.until)
