"""`python -m bench.below_saturation`: where the processor time of a move goes below saturation.

The site on SQLite: what a server costs that nobody plays on, without sockets and with those of the matches;
then a move in a closed loop and at lower and lower rates, by thread.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import load
from bench.contest import Contestant, parlour
from bench.measure import Figures, play_round
from bench.scaling_invariance import table

IDLE_SECONDS = 10.0
OPENED_SECONDS = 2.0
"""After which whatever was still to be done for sockets that were opened is done."""


class Threads:
    """What the threads of a process have used: those of the event loop and of all others."""

    def __init__(self, pid: int) -> None:
        self._tasks = Path(f"/proc/{pid}/task")
        self.loop, self.others, self.switches = 0.0, 0.0, 0

    def read(self) -> tuple[float, float, int]:
        """Seconds of processor time of the event loop and of the others; how often any thread has waited."""
        loop = others = 0.0
        switches = 0
        for task in self._tasks.iterdir():
            spent = int((task / "schedstat").read_text().split()[0]) / 1e9
            if task.name == self._tasks.parent.name:
                loop += spent
            else:
                others += spent
            status = (task / "status").read_text()
            switches += int(re.findall(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.M)[0])
        return loop, others, switches

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Add what is used inside."""
        before = self.read()
        yield
        loop, others, switches = (now - was for now, was in zip(self.read(), before, strict=True))
        self.loop, self.others, self.switches = (
            self.loop + loop,
            self.others + others,
            self.switches + switches,
        )


async def opened(
    it: Contestant, matches: int, watchers: int, plies: int
) -> tuple[list[str], list[load.Table]]:
    """New matches, and all sockets of them."""
    made = it.new(matches)
    ids, cookies = [match for match, _ in made], [players for _, players in made]
    return ids, await load.open_tables(it.kind, it.port, ids, cookies, watchers, plies)


async def idle(it: Contestant, matches: int, options: argparse.Namespace) -> float:
    """Seconds of processor time a second with the sockets of so many matches, in which nobody moves."""
    _, tables = await opened(it, matches, options.watchers, options.plies)
    await asyncio.sleep(OPENED_SECONDS)
    before = it.clock()
    await asyncio.sleep(IDLE_SECONDS)
    spent = it.clock() - before
    await load.close(tables)
    return spent / IDLE_SECONDS


async def play(
    it: Contestant, options: argparse.Namespace, rate: int, figures: Figures, threads: Threads
) -> None:
    """One round."""
    ids, tables = await opened(it, options.matches, options.watchers, options.plies)
    with threads.counted():
        await play_round(tables, it.clock, figures, rate, lambda: it.settled(ids))


def main() -> None:
    import uvloop

    parser = argparse.ArgumentParser(
        prog="bench.below_saturation", description=re.sub(r"\s+", " ", __doc__ or "")
    )
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--watchers", type=int, default=4)
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3, help="that count, at each rate")
    parser.add_argument("--rates", type=int, nargs="+", default=[0, 1000, 300], help="0: as fast as it can")
    options = parser.parse_args()
    rows: list[tuple[object, ...]] = [
        (
            "moves/s",
            "CPU µs per move",
            "event loop",
            "other threads",
            "voluntary context switches per move",
            "p50 ms",
            "p99 ms",
        )
    ]
    with parlour("Parlour", BOT_PROCESSES="1") as it:
        for _ in range(options.rounds):
            uvloop.run(play(it, options, 0, Figures(), Threads(it.pid)))
        for matches in (0, options.matches):
            sockets, spent = matches * (2 + options.watchers), uvloop.run(idle(it, matches, options))
            print(f"Idle, {sockets} sockets: {spent * 1e3:.1f} ms of CPU time per second", flush=True)
        for rate in options.rates:
            figures, threads = Figures(), Threads(it.pid)
            for _ in range(options.rounds):
                uvloop.run(play(it, options, rate, figures, threads))
            each = (f"{spent / figures.moves * 1e6:.0f}" for spent in (threads.loop, threads.others))
            latencies = (f"{figures.percentile(number):.1f}" for number in (50, 99))
            waits = f"{threads.switches / figures.moves:.1f}"
            rows.append((rate or "closed loop", f"{figures.cost:.0f}", *each, waits, *latencies))
    table(*rows)


if __name__ == "__main__":
    main()
