"""The heartbeat of the site: what was away, and whose time is up.

Every second one of its processes writes down that the site is alive, and looks for deadlines that have
passed. A gap between two beats is time in which nobody could move, because every process was down, or the
database was, or the computer slept. In live matches that time is charged to nobody: the beat that ends the
gap notes it with every running clock, before any flag is looked for. A process that has not seen a beat
lately makes one before it judges a live clock (`HeartbeatLoop.sure`), and the journal writes nothing that
was judged before a gap was noted.
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
"""Milliseconds for which one process's beat serves all of them."""
PATIENCE = 2_000
"""Milliseconds without a beat that still are no gap."""
MOST = 200
"""Deadlines that one beat looks for; the next one is a second away."""

# Any number will do that is the same in every process and nobody else's.
LOCK = 0x5061726C6F7572


@dataclass(frozen=True, slots=True)
class Beat:
    """What a process learns by a beat: when the last was, how many gaps there have been, whose time is up."""

    at: int
    gaps: int
    due: Sequence[str]


@transaction.atomic
def beat(now: int) -> Beat:
    """Note that the site is alive; one process at a time does so, and those that come right after read it."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    last = Heartbeat.objects.filter(pk=1).first() or Heartbeat(pk=1, at=moment(now - RECENT))
    gap = now - milliseconds(last.at)
    if -PATIENCE < gap < RECENT:
        return Beat(milliseconds(last.at), last.gaps, ())
    if gap > PATIENCE:
        _charge_nobody(gap)
        last.gaps += 1
    last.at = moment(now)
    last.save()
    due = Match.objects.filter(deadline__lte=last.at).order_by("deadline")
    return Beat(now, last.gaps, list(due.values_list("pk", flat=True)[:MOST]))


def _charge_nobody(gap: int) -> None:
    """Move the deadlines of all live matches by a gap."""
    live = Match.objects.filter(deadline__isnull=False, clock__contains="+")
    # In the order in which the journal locks them, or the two might wait for each other.
    list(live.select_for_update().order_by("pk").values_list("pk"))
    live.update(paused=F("paused") + gap, deadline=F("deadline") + timedelta(milliseconds=gap))


class HeartbeatLoop:
    """The heartbeat as one process takes part in it.

    Args:
        now: the time in milliseconds.
        fall: is given each match whose deadline has passed.
        noted: is called when a gap was noted, by this process or another: what is in memory is wrong now.
    """

    def __init__(
        self, now: Callable[[], int], fall: Callable[[str], Awaitable[None]], noted: Callable[[], None]
    ) -> None:
        self._now, self._fall, self._noted = now, fall, noted
        self._last: int | None = None
        self._counted: int | None = None

    @property
    def beating(self) -> bool:
        """Whether a beat was seen so lately that no gap can have been missed."""
        return self._last is not None and abs(self._now() - self._last) <= PATIENCE

    @property
    def gaps(self) -> int | None:
        """How many gaps are known of; None where one more may not have been noted yet."""
        return self._counted if self.beating else None

    async def sure(self) -> None:
        """Return once no gap can have been missed. Raises `DatabaseError`."""
        if not self.beating:
            await self._beat()

    async def once(self) -> None:
        """One beat, and every flag that is due. Raises `DatabaseError`."""
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
