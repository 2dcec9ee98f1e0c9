"""Counters of this process, cheap to increment.

`config.observability.metrics` reads them for Prometheus. Each counter is incremented by one thread only, so
no increment is lost.
"""

from __future__ import annotations

import logging
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from games.net.limits import Bucket
from games.net.process import process

SECONDS = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0)
ENTRIES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


SLOW = 0.1
"""Commands that take more seconds than this are logged."""

logger = logging.getLogger(__name__)


class Distribution:
    """A histogram: how many values fell into each bucket.

    Attributes:
        counts: by upper bound, plus one for values above the last bound.
        total: the sum of the values.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def note(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class Measures:
    """The counters of a process.

    Attributes:
        moves: commands stored, of people and computer players.
        move_seconds: from receiving a command to the last write to a local socket that reports it.
        batch_entries: commands that the journal wrote in one transaction.
        commit_seconds: duration of such a transaction.
        layer_losses: messages to other processes that the channel layer did not accept.
        resyncs: how often a "browser" asked for plies it had missed, and how often this "process" read some.
        deliveries: by kind ("webhook", "push", "mail") and result ("arrived", "refused" or "unsent").
        loop_seconds: how late the event loop was.
        slow_queries: database queries above the slow query limit.
        waves: rounds of tournaments, and waves of arenas, that this process has paired.
    """

    def __init__(self) -> None:
        self.moves = 0
        self.move_seconds = Distribution(SECONDS)
        self.batch_entries = Distribution(ENTRIES)
        self.commit_seconds = Distribution(SECONDS)
        self.layer_losses = 0
        self.resyncs: Counter[str] = Counter(browser=0, process=0)
        self.deliveries: Counter[tuple[str, str]] = Counter()
        self.loop_seconds = Distribution(SECONDS)
        self.slow_queries = 0
        self.waves = 0
        # While the disk hangs every command is slow; log only some of them.
        self._complaints = Bucket.full(2.0, 20.0, time.monotonic())

    def acknowledged(self, received_at: float, match_id: str, user_id: int | None, command_id: str) -> None:
        """Record the duration of a command that was acknowledged, and log a slow one.

        Args:
            received_at: when it arrived, by `time.perf_counter`.
        """
        seconds = time.perf_counter() - received_at
        self.move_seconds.note(seconds)
        if seconds > SLOW and self._complaints.take(time.monotonic()):
            milliseconds = round(seconds * 1000)
            about = {"match": match_id, "person": user_id, "command": command_id}
            logger.info("a command took %d ms", milliseconds, extra={"milliseconds": milliseconds, **about})

    def committed(self, entries: int, stored: int, seconds: float) -> None:
        """Record a batch of the journal: its `entries`, how many of them are `stored`, and its duration."""
        self.moves += stored
        self.batch_entries.note(entries)
        self.commit_seconds.note(seconds)


measures = process.part(Measures)
"""The counters of this process."""
