"""The heartbeat of the site: detects downtime and expired deadlines.

Every second one of the processes records that the site is alive and looks for passed deadlines. A gap between
two beats is downtime: all processes or the database were down, or the computer slept. Live clocks are not
charged for it. The beat that ends the gap adds it to every running clock before it checks deadlines. A
process without a recent beat makes one before it validates a command on a live clock (`HeartbeatLoop.sure`).
The journal rejects entries that were validated before a gap was recorded.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import DatabaseError, connection, transaction
from django.db.models import F

from games.domain.instants import milliseconds, moment
from games.models import Heartbeat, Match
from games.net.threads import in_thread
from games.store.disk import disk

logger = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two beats of the site."""
RECENT = 500
"""Milliseconds for which one process's beat counts for all processes."""
PATIENCE = 2_000
"""Milliseconds without a beat that do not count as a gap yet."""
MOST = 200
"""Deadlines per beat; the next beat takes the rest."""

# Id of the advisory lock: any number that nothing else in the database uses.
LOCK = 0x5061726C6F7572


@dataclass(frozen=True, slots=True)
class Beat:
    """Result of a beat: time of the last beat, number of gaps so far, matches whose deadline has passed."""

    at: int
    gaps: int
    due: Sequence[str]


@transaction.atomic
def beat(now: int) -> Beat:
    """Record that the site is alive. One process writes at a time; others read a recent beat instead.

    `now` is in milliseconds.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    last = Heartbeat.objects.filter(pk=1).first() or Heartbeat(pk=1, at=moment(now - RECENT))
    gap = now - milliseconds(last.at)
    if -PATIENCE < gap < RECENT:
        return Beat(milliseconds(last.at), last.gaps, ())
    if gap > PATIENCE:
        _extend_deadlines(gap)
        last.gaps += 1
    last.at = moment(now)
    last.save()
    due = Match.objects.filter(deadline__lte=last.at).order_by("deadline")
    return Beat(now, last.gaps, list(due.values_list("pk", flat=True)[:MOST]))


def _extend_deadlines(gap: int) -> None:
    """Extend the deadlines of all live matches by a gap, in milliseconds."""
    live = Match.objects.filter(deadline__isnull=False, clock__contains="+")
    # The same lock order as the journal, to avoid deadlocks.
    list(live.select_for_update().order_by("pk").values_list("pk"))
    live.update(paused=F("paused") + gap, deadline=F("deadline") + timedelta(milliseconds=gap))


class HeartbeatLoop:
    """The part of one process in the heartbeat.

    Args:
        now: the time in milliseconds.
        fall: called with the id of each match whose deadline has passed.
        noted: called after a gap was recorded by any process; cached clocks are wrong then.
    """

    def __init__(
        self, now: Callable[[], int], fall: Callable[[str], Awaitable[None]], noted: Callable[[], None]
    ) -> None:
        self._now, self._fall, self._noted = now, fall, noted
        self._last: int | None = None
        self._counted: int | None = None

    @property
    def beating(self) -> bool:
        """Whether the last beat is recent enough that we cannot have missed a gap."""
        return self._last is not None and abs(self._now() - self._last) <= PATIENCE

    @property
    def gaps(self) -> int | None:
        """The number of gaps so far; None if one may be unrecorded."""
        return self._counted if self.beating else None

    async def sure(self) -> None:
        """Return once we cannot have missed a gap. Raises `DatabaseError`."""
        if not self.beating:
            await self._beat()

    async def once(self) -> None:
        """One beat, and all flag falls that are due. Raises `DatabaseError`."""
        due = await self._beat()
        fallen = await asyncio.gather(*(self._fall(match_id) for match_id in due), return_exceptions=True)
        for match_id, error in zip(due, fallen, strict=True):
            if isinstance(error, Exception):
                logger.error("a flag could not fall", exc_info=error, extra={"match": match_id})

    async def _beat(self) -> Sequence[str]:
        try:
            seen = await in_thread(beat)(self._now())
        except DatabaseError as error:
            disk.note(error)
            raise
        missed = self._counted is not None and seen.gaps != self._counted
        self._last, self._counted = seen.at, seen.gaps
        if missed:
            self._noted()
        return seen.due
