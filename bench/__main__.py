"""`make bench`: what a move costs, beside other servers of games that play the same games.

All play by turns, round by round, so that a noisy machine is noisy for all of them: first as fast as each can
(a closed loop), then at fixed rates. Every server is warmed first until its cost is steady. Parlour stores
every move before anybody is sent it, and what follows the end of a match is waited for and counted; the
others keep everything in memory. `--servers parlour --against <directory>` compares two checkouts.
"""

from __future__ import annotations

import argparse
import math
import platform
import re
import statistics
import sys
from contextlib import ExitStack
from pathlib import Path

from bench import load
from bench.contest import BOARDGAME, CONTESTANTS, INSTALL, MODULES, ON_POSTGRES, PARLOUR, Contestant, parlour
from bench.measure import Figures, play_round

USUAL = ("parlour", "boardgame.io", "colyseus", "ws")
MOST_WARM = 1.5
"""After so many times the moves that are to warm it, a server that is not steady is measured as it is."""
GOAL_ON_POSTGRES = 1.2
"""So many times the moves of boardgame.io, services counted."""
GOAL_AGAINST = 1.05
"""Dearer than the other checkout by so much at most."""
HEADINGS = ("", "CPU µs per move", "moves/s per core", "p50 ms", "p99 ms", "relative cost")


def play(it: Contestant, options: argparse.Namespace, figures: Figures, rate: int = 0) -> None:
    """One round on new matches."""
    import uvloop

    async def run() -> None:
        made = it.new(options.matches)
        ids = [match for match, _ in made]
        cookies = [of_players for _, of_players in made]
        tables = await load.open_tables(it.kind, it.port, ids, cookies, options.watchers, options.plies)
        before = {name: clock() for name, clock in it.clocks.items()}
        await play_round(tables, it.clock, figures, rate, lambda: it.settled(ids))
        for name, clock in it.clocks.items():
            it.spent[name] = it.spent.get(name, 0.0) + clock() - before[name]

    uvloop.run(run())


def warm(it: Contestant, options: argparse.Namespace) -> None:
    """Play until a round costs what those before it did."""
    figures = Figures()
    most = MOST_WARM * options.warm
    while figures.moves < options.warm or not (figures.is_steady() or figures.moves >= most):
        play(it, options, figures)
    print(
        f"{it.name}: {figures.moves} moves to warm it, {figures.rounds[0]:.0f} µs each in the first round, "
        f"{figures.rounds[-1]:.0f} in the last{'' if figures.is_steady() else ', NOT STEADY'}",
        flush=True,
    )


def table(by_name: dict[str, Figures], heading: str) -> None:
    """Print what was measured in one way."""
    first = next(iter(by_name.values()))
    print(f"\n{heading}\n\n| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}")
    for name, each in by_name.items():
        latencies = f"{each.percentile(50):.1f} | {each.percentile(99):.1f}"
        print(
            f"| {name} | {each.cost:.0f} | {each.capacity:.0f} | {latencies} | {each.cost / first.cost:.2f} |"
        )


def services(it: Contestant, figures: Figures) -> None:
    """Print how the cost of a move is made up."""
    each = (f"{name} {spent / figures.moves * 1e6:.0f}" for name, spent in it.spent.items())
    print(f"\n{it.name}, closed loop, CPU µs per move: {', '.join(each)}.")


def is_goal_reached(what: str, found: float, goal: float, reached: bool) -> bool:
    print(f"\n{what}: {found:.2f}; the goal is {goal}: {'reached' if reached else 'MISSED'}.")
    return reached


def against(ours: Figures, other: Figures) -> bool:
    """Say what a move costs beside the other checkout, by the pairs of rounds, one right after the other."""
    pairs = [mine / theirs for mine, theirs in zip(ours.rounds, other.rounds, strict=True)]
    ratio = statistics.median(pairs)
    if len(pairs) > 1:
        spread = statistics.stdev(pairs) / math.sqrt(len(pairs))
        print(f"\n{len(pairs)} pairs of rounds, {ratio:.3f} in the median, standard error {spread:.3f}")
    return is_goal_reached("Cost beside the other checkout", ratio, GOAL_AGAINST, ratio <= GOAL_AGAINST)


def measure(options: argparse.Namespace) -> bool:
    """Play, print the tables, and say whether the goals are reached."""
    with ExitStack() as servers:
        contest = [servers.enter_context(CONTESTANTS[each]()) for each in options.servers]
        other = None
        if options.against:
            name = f"Parlour of {options.against}"
            other = servers.enter_context(parlour(name, options.against, BOT_PROCESSES="1"))
            contest.insert(1, other)
        for each in contest:
            warm(each, options)
            each.spent.clear()
        closed = {each.name: Figures() for each in contest}
        for number in range(options.rounds):
            # None of them is always the first after the same other.
            for each in contest[:: -1 if number % 2 else 1]:
                play(each, options, closed[each.name])
        print(
            f"\n{options.matches} matches of {options.plies} plies at once, 2 players + {options.watchers} "
            f"watchers each, {options.rounds} rounds; Python {platform.python_version()} by "
            # How it was built makes a tenth of the speed and more.
            f"{platform.python_compiler()} at {sys.base_prefix}"
        )
        table(closed, "Closed loop")
        for each in contest:
            if len(each.clocks) > 1:
                services(each, closed[each.name])
        for rate in options.rates:
            figures = {each.name: Figures() for each in contest}
            for _ in range(options.rounds):
                for each in contest:
                    play(each, options, figures[each.name], rate)
            table(figures, f"{rate} moves/s offered; latency counts from the scheduled time")
    reached = True
    if ON_POSTGRES in closed and BOARDGAME in closed:
        times = closed[ON_POSTGRES].capacity / closed[BOARDGAME].capacity
        what = "Moves per core on PostgreSQL and Redis, services counted, beside boardgame.io"
        reached &= is_goal_reached(what, times, GOAL_ON_POSTGRES, times >= GOAL_ON_POSTGRES)
    if other is not None:
        reached &= against(closed[PARLOUR], closed[other.name])
    return reached


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description=re.sub(r"\s+", " ", __doc__ or ""))
    parser.add_argument("--servers", nargs="+", choices=CONTESTANTS)
    parser.add_argument("--against", type=Path, help="another checkout, which plays on SQLite as this one")
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--watchers", type=int, default=4)
    parser.add_argument("--plies", type=int, default=40, help="of each match, which ends with the last")
    parser.add_argument("--warm", type=int, default=30_000, help="moves of each server before any count")
    parser.add_argument("--rounds", type=int, default=5, help="that count")
    parser.add_argument("--rates", type=int, nargs="*", default=[1000, 300], help="moves a second offered")
    options = parser.parse_args()
    if options.servers is None:
        options.servers = USUAL if MODULES.exists() else ("parlour",)
        if not MODULES.exists():
            print(f"Parlour alone; for the servers beside it: {INSTALL}\n")
    if options.against and "parlour" not in options.servers:
        parser.error("--against needs parlour among --servers")
    return 0 if measure(options) else 1


if __name__ == "__main__":
    sys.exit(main())
