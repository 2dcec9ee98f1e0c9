"""What this process has done so far, as plain numbers that cost hardly anything to raise.

Whoever is asked for them reads them then, as `config.observability.metrics` does for Prometheus. Each number
is raised by one thread, so that none is lost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

SECONDS = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0)
ENTRIES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Distribution:
    """How often a value lay within each of some bounds, and above the last of them.

    Attributes:
        counts: by bound, and one more for what lies above all.
        total: all values together.
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
    """The numbers of a process.

    Attributes:
        moves: commands that are stored, of people and of computer players.
        move_seconds: from the receipt of somebody's command to the last of the writes to sockets here that
            tell of it.
        batch_entries: commands that the journal wrote in one transaction.
        commit_seconds: what such a transaction took.
        layer_losses: messages to other processes that the channel layer did not take.
        resyncs: how often a "browser" asked for plies it had missed, and this "process" read some.
        deliveries: by kind ("webhook", "push", "mail") and what came of them ("arrived", "refused" or
            "unsent").
        loop_seconds: by how much the event loop was late.
        slow_queries: queries that took longer than they should.
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

    def committed(self, entries: int, stored: int, seconds: float) -> None:
        """The journal has written a batch, of which so many entries are stored."""
        self.moves += stored
        self.batch_entries.note(entries)
        self.commit_seconds.note(seconds)


measures = Measures()
"""The numbers of this process."""
