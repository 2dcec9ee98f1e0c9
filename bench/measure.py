"""What is measured of a server: processor time, moves, and how long the last viewer waits for each."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench import load
from bench.checkout import settled as all_settled
from tools.harness.services import Service

STEADY = 0.05
"""Of a server that is warm the last rounds differ by no more than this share of their cost."""
COMPARED = 3
"""So many rounds are compared with as many before them."""
PLIES = 40
"""Of a match of Kalah, which ends with the last."""


@dataclass
class Figures:
    """What was measured of one server; seconds of processor time."""

    moves: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    latencies: list[float] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    """The cost of each round."""

    def add(self, seconds: float, cpu: float, latencies: Sequence[float]) -> None:
        """Count one round."""
        self.moves += len(latencies)
        self.seconds += seconds
        self.cpu += cpu
        self.latencies += latencies
        self.rounds.append(cpu / len(latencies) * 1e6)

    @property
    def cost(self) -> float:
        """Microseconds of the server's processor time a move."""
        return self.cpu / self.moves * 1e6

    @property
    def capacity(self) -> float:
        """Moves a second that one busy core would serve."""
        return 1e6 / self.cost

    def percentile(self, number: int) -> float:
        """A percentile of the latencies, in milliseconds."""
        return statistics.quantiles(self.latencies, n=100)[number - 1] * 1e3

    def is_steady(self) -> bool:
        """Whether the last rounds cost as much as those before them."""
        if len(self.rounds) < 2 * COMPARED:
            return False
        before, last = self.rounds[-2 * COMPARED : -COMPARED], self.rounds[-COMPARED:]
        return abs(statistics.median(last) / statistics.median(before) - 1) <= STEADY


def processor_time(pid: int) -> float:
    """Seconds of processor time a process has used, all threads together."""
    # What pthread_getcpuclockid(3) would return, for a whole process.
    return time.clock_gettime((~pid << 3) | 2)


def spent_by(service: Service) -> float:
    """Seconds of processor time of a service and of the processes that it has started."""
    assert service.process is not None
    first = service.process.pid
    found = processor_time(first)
    for each in Path("/proc").glob("[0-9]*/stat"):
        # One may end while it is looked at.
        with suppress(OSError):
            if int(each.read_text().rpartition(")")[2].split()[1]) == first:
                found += processor_time(int(each.parent.name))
    return found


async def play_round(
    tables: Sequence[load.Table],
    clock: Callable[[], float],
    figures: Figures,
    rate: int = 0,
    settled: Callable[[], object] = lambda: None,
) -> None:
    """Play at open tables, wait until what follows the ends of their matches is `settled`, and close them.

    What the `clock` says is used from the first move until then is counted.
    """
    before = clock()
    seconds = await load.play(tables, rate)
    await asyncio.to_thread(settled)
    figures.add(seconds, clock() - before, [latency for table in tables for latency in table.latencies])
    await load.close(tables)


async def round_of(
    pid: int,
    port: int,
    matches: Sequence[str],
    cookies: Sequence[Sequence[str]],
    watchers: int,
    figures: Figures,
    rate: int = 0,
) -> None:
    """Play new matches of Kalah to their ends, on a server of the site that was set up in this process."""
    tables = await load.open_tables(load.ParlourTable, port, matches, cookies, watchers, PLIES)
    await play_round(tables, lambda: processor_time(pid), figures, rate, lambda: all_settled(matches))
