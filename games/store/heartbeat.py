"""The heartbeat of the site: detects downtime and expired deadlines.

While a match has a live clock, one of the processes records every second that the site is alive. A gap
between two beats is downtime: all processes or the database were down, or the computer slept. Live clocks are
not charged for it. The beat that ends the gap adds it to every running clock before it checks deadlines. A
process without a recent beat makes one before it validates a command on a live clock (`HeartbeatLoop.sure`).
The journal rejects entries that were validated before a gap was recorded.

While no live clock runs, there is nobody to charge, and nothing is written: a beat only looks for live clocks
and passed deadlines. So the last beat may be old when a live clock starts. The site was alive then, and the
gap of a match begins no earlier than its clock.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import DatabaseError, connection, transaction
from django.db.models import F, Max, Q, QuerySet

from games.domain.instants import milliseconds, moment
from games.models import Heartbeat, Match, Ply
from games.net.tasks import activity
from games.net.threads import in_thread
from games.store.disk import disk

logger = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two beats of the site, and between two looks while it has no live clock."""
RECENT = 500
"""Milliseconds for which one process's beat counts for all processes."""
PATIENCE = 2_000
"""Milliseconds without a beat that do not count as a gap yet."""
MAX_DEADLINES = 200
"""Deadlines per beat; the next beat takes the rest."""

# Id of the advisory lock: any number that nothing else in the database uses.
LOCK = 0x5061726C6F7572

LIVE = Q(deadline__isnull=False, clock__contains="+")
"""Matches with a running live clock."""


@dataclass(frozen=True, slots=True)
class Beat:
    """Result of a beat.

    Attributes:
        at: the time of the last beat, in milliseconds.
        gaps: the number of gaps so far.
        due: matches whose deadline has passed.
        resting: whether no live clock runs, so that the beat was not recorded.
    """

    at: int
    gaps: int
    due: Sequence[str]
    resting: bool = False


def beat(now: int, *, write: bool = False) -> Beat:
    """Record that the site is alive, if a live clock runs.

    One process writes at a time; others read a recent beat instead.

    Args:
        now: the time in milliseconds.
        write: record it in any case, which shows whether the database can be written.
    """
    last = _last()
    if _is_recent(last, now):
        return Beat(milliseconds(last.at), last.gaps, ())
    if write or _live_or_due(now).exists():
        return _record(now)
    return Beat(now, last.gaps, (), resting=True)


@transaction.atomic
def _record(now: int) -> Beat:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    last = _last()
    if _is_recent(last, now):
        return Beat(milliseconds(last.at), last.gaps, ())
    gaps = last.gaps
    if now - milliseconds(last.at) > PATIENCE and _extend_deadlines(milliseconds(last.at), now):
        gaps += 1
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": moment(now), "gaps": gaps})
    due = Match.objects.filter(deadline__lte=moment(now)).order_by("deadline")
    return Beat(now, gaps, list(due.values_list("pk", flat=True)[:MAX_DEADLINES]))


def _last() -> Heartbeat:
    return Heartbeat.objects.filter(pk=1).first() or Heartbeat(pk=1, at=moment(0))


def _is_recent(last: Heartbeat, now: int) -> bool:
    return -PATIENCE < now - milliseconds(last.at) < RECENT


def _live_or_due(now: int) -> QuerySet[Match]:
    """The matches with a running live clock, and those whose deadline has passed."""
    # With the condition of the index on deadlines for both.
    return Match.objects.filter(LIVE | Q(deadline__lte=moment(now)), deadline__isnull=False)


def _extend_deadlines(last: int, now: int) -> bool:
    """Extend the deadline of every live match by its gap. Returns whether there was one.

    Args:
        last: the time of the last beat, in milliseconds.
    """
    live = Match.objects.filter(LIVE)
    # The same lock order as the journal, to avoid deadlocks.
    started = dict(live.select_for_update().order_by("pk").values_list("pk", "created"))
    started |= dict(Ply.objects.filter(match__in=live).values_list("match").annotate(Max("at")))
    by_gap: dict[int, list[str]] = {}
    for match_id, at in started.items():
        by_gap.setdefault(now - max(last, milliseconds(at)), []).append(match_id)
    gaps = {gap: match_ids for gap, match_ids in by_gap.items() if gap > PATIENCE}
    for gap, match_ids in gaps.items():
        Match.objects.filter(pk__in=match_ids).update(
            paused=F("paused") + gap, deadline=F("deadline") + timedelta(milliseconds=gap)
        )
    return bool(gaps)


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
            seen = await in_thread(beat)(self._now(), write=disk.full)
        except DatabaseError as error:
            disk.note(error)
            raise
        missed = self._counted is not None and seen.gaps != self._counted
        self._last, self._counted = seen.at, seen.gaps
        if not seen.resting:
            activity.note()
        if missed:
            self._noted()
        return seen.due
