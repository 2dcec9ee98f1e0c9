"""`python -m bench.processes`: what a move costs on PostgreSQL and Redis, at one server and at two.

At two, the players of every match are at different servers, and so are those who watch: each move is judged
at one of them and followed at the other. The first players of the matches are at the servers by turns. What
each would serve, had it a core of its own, is held against what one serves alone, round by round: of moves
alone, in matches that do not end, and of whole matches of Kalah until all that follows their ends is done.

Two servers have twice the matches of one, so that each is as busy as one alone; it ends with an error where
each serves less than the goal. With the matches of one between them each is half as busy, and its batches are
half as large; that is told as well. boardgame.io, if it is installed, plays its Kalah beside, in memory;
nothing follows the end of a match there.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from bench.__main__ import NEIGHBOUR, Figures, prepare, processor_time, round_of
from bench.site import endless_match, fresh, kalah_match, running, serving, wait_until_ready
from tools.harness.services import Postgres, Redis, Service
from tools.programs import postgres_bin, redis_server

SETTLED_SECONDS = 30
GOAL = 0.7
"""Of what one server serves alone each of two is to serve so much at least, as busy as that one."""
HEADINGS = ("", "µs a move at each server", "PostgreSQL", "Redis", "moves/s of each", "p50 ms", "p99 ms")


@dataclass
class Shared:
    """What was measured of servers that share a store; `servers` has the processor time of each of them."""

    figures: Figures = field(default_factory=Figures)
    servers: list[float] = field(default_factory=list)
    postgres: float = 0.0
    redis: float = 0.0

    @property
    def capacity(self) -> float:
        """Moves a second of each server, had it a core of its own: the busiest is what keeps the others."""
        return self.figures.moves / max(self.servers) / len(self.servers)

    def row(self, name: str) -> str:
        """A row of the table."""
        figures = self.figures
        each = ", ".join(f"{spent / figures.moves * 1e6:.0f}" for spent in self.servers)
        services = (f"{spent / figures.moves * 1e6:.0f}" for spent in (self.postgres, self.redis))
        latencies = (f"{figures.percentile(number):.1f}" for number in (50, 99))
        return "| " + " | ".join((name, each, *services, f"{self.capacity:.0f}", *latencies)) + " |"


Shapes: TypeAlias = tuple[Shared, ...]
"""What was measured of one play, for each of `SHAPES`."""


def spent_by(service: Service) -> float:
    """Seconds of processor time of a service and of the processes that it has begun."""
    assert service.process is not None
    first = service.process.pid
    found = processor_time(first)
    for each in Path("/proc").glob("[0-9]*/stat"):
        # One may end while it is looked at.
        with suppress(OSError):
            if int(each.read_text().rpartition(")")[2].split()[1]) == first:
                found += processor_time(int(each.parent.name))
    return found


@dataclass(frozen=True, slots=True)
class Play:
    """What is played: matches that `new` makes, each its id and its players' cookies; do they end?"""

    name: str
    new: Callable[[], tuple[str, list[str]]]
    ends: bool


PLAYS = (
    Play("moves alone", endless_match, ends=False),
    Play("whole matches", kalah_match, ends=True),
)


SHAPES = (
    ("one server", 1, 1),
    ("two, the players of each match apart", 2, 2),
    ("two with the matches of one", 2, 1),
)
"""How it is called, how many servers, and how many times the matches of one."""


def all_settled(matches: list[str]) -> None:
    """Wait until what follows their ends is stored for all of them; in a thread of its own."""
    from django.db import connection

    from lobby.models import Result

    deadline = time.monotonic() + SETTLED_SECONDS
    with closing(connection):
        while Result.objects.filter(match__in=matches).values("match").distinct().count() < len(matches):
            assert time.monotonic() < deadline, "what follows the end of a match never comes"
            time.sleep(0.05)


async def round_at(
    servers: list[tuple[int, int]],
    services: tuple[Postgres, Redis],
    play: Play,
    made: tuple[list[str], list[list[str]]],
    options: argparse.Namespace,
    measured: Shared,
) -> None:
    """Connect, play, hang up; only the playing counts, and what follows the ends."""
    from bench import load

    (_, first), *others = servers
    matches, cookies = made
    kind = load.ParlourTable if play.ends else load.EndlessTable
    ports = [port for _, port in others]
    tables = await load.open_tables(kind, first, matches, cookies, options.watchers, options.plies, ports)

    def clocks() -> list[float]:
        return [*(processor_time(pid) for pid, _ in servers), *map(spent_by, services)]

    before = clocks()
    measured.figures.seconds += await load.play(tables)
    if play.ends:
        await asyncio.to_thread(all_settled, matches)
    *at_servers, postgres, redis = (after - was for after, was in zip(clocks(), before, strict=True))
    known = measured.servers or [0.0] * len(servers)
    measured.servers = [sum(pair) for pair in zip(known, at_servers, strict=True)]
    measured.postgres += postgres
    measured.redis += redis
    for each in tables:
        measured.figures.latencies += each.latencies
        measured.figures.moves += len(each.latencies)
    await load.close(tables)


def measure(options: argparse.Namespace, services: tuple[Postgres, Redis]) -> bool:
    """Play at one server and at two, and at the neighbour, in turns; print the table. Is the goal reached?"""
    import uvloop

    from bench.load import NeighbourTable

    shares = {play: tuple(Shared() for _ in SHAPES) for play in PLAYS}
    neighbour = Figures()
    with ExitStack() as running_now:
        servers = [running_now.enter_context(serving("config.server")) for _ in range(2)]
        for _, port in servers:
            wait_until_ready(port)
        beside = None
        if NEIGHBOUR.exists():
            beside = running_now.enter_context(running("node", str(NEIGHBOUR.parent / "server.cjs")))
        for number in range(options.rounds + 1):
            # The first round warms all of them up and is thrown away.
            for play, measured in shares.items():
                for (_, count, times), shared in zip(SHAPES, measured, strict=True):
                    made = prepare(options.matches * times, play.new)
                    counted = shared if number else Shared()
                    uvloop.run(round_at(servers[:count], services, play, made, options, counted))
            if beside is not None:
                shape = (*prepare(options.matches), options.watchers, options.plies)
                uvloop.run(round_of(NeighbourTable, *beside, *shape, neighbour if number else Figures()))
    report(options, shares, neighbour)
    print(f"\nOf this run `make scaling` would count with: {for_the_model(*shares.values(), options)}")
    reached = [verdict(play.name, *measured) for play, measured in shares.items()]
    return all(reached)


def for_the_model(moves: Shapes, whole: Shapes, options: argparse.Namespace) -> str:
    """The options of `bench.scaling` that this bench measures; an end is what a move costs more with it."""
    (alone, two, _), (ending, *_) = moves, whole
    moves_a_match = ending.figures.moves / options.matches / options.rounds

    def each(spent: float, shared: Shared) -> float:
        return spent / shared.figures.moves * 1e6

    found = {
        "move": each(sum(alone.servers), alone),
        "parcel": each(sum(two.servers), two) - each(sum(alone.servers), alone),
        "end": (each(sum(ending.servers), ending) - each(sum(alone.servers), alone)) * moves_a_match,
        "database": each(alone.postgres, alone),
        "end-database": (each(ending.postgres, ending) - each(alone.postgres, alone)) * moves_a_match,
    }
    return " ".join(f"--{name}-us {microseconds:.0f}" for name, microseconds in found.items())


def verdict(name: str, alone: Shared, as_busy: Shared, half_as_busy: Shared) -> bool:
    """Say how much of what one server serves alone each of two serves, and whether that is enough."""
    share, of_half = as_busy.capacity / alone.capacity, half_as_busy.capacity / alone.capacity
    holds = share >= GOAL
    found = "the goal is reached" if holds else "that is not enough"
    print(
        f"\n{name}: each of two serves {share:.1%} of what one serves alone, by the busier of them; "
        f"the goal is {GOAL:.0%}: {found}. Half as busy, it serves {of_half:.1%}."
    )
    return holds


def report(options: argparse.Namespace, shares: dict[Play, Shapes], neighbour: Figures) -> None:
    print(
        f"{options.matches} matches a server, 2 players + {options.watchers} watchers each, "
        f"{options.rounds} rounds, closed loop; PostgreSQL that flushes, Redis; µs of processor time a move\n"
    )
    print("| " + " | ".join(HEADINGS) + " |\n|" + "---|" * len(HEADINGS))
    for play, measured in shares.items():
        for (name, *_), shared in zip(SHAPES, measured, strict=True):
            print(shared.row(f"{play.name}, {name}"))
    moves_alone, *_ = shares[PLAYS[0]]
    if neighbour.moves:
        cost, capacity = f"{neighbour.cost:.0f}", f"{neighbour.capacity:.0f}"
        latencies = f"{neighbour.percentile(50):.1f} | {neighbour.percentile(99):.1f}"
        print(f"| boardgame.io, in memory | {cost} | | | {capacity} | {latencies} |")
        times = moves_alone.capacity / neighbour.capacity
        print(f"\nOne server makes {times:.2f} times its moves per core.")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.processes", description=re.sub(r"\s+", " ", __doc__ or ""))
    parser.add_argument("--matches", type=int, default=50, help="for each server")
    parser.add_argument("--watchers", type=int, default=4)
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with ExitStack() as services:
        postgres = Postgres(str(postgres_bin()), durable=True)
        redis = Redis(str(redis_server()))
        for service in (postgres, redis):
            services.callback(service.discard)
            service.start()
        with fresh(DATABASE_URL=postgres.url("postgres"), REDIS_URL=redis.url(), BOT_PROCESSES="0"):
            return 0 if measure(options, (postgres, redis)) else 1


if __name__ == "__main__":
    sys.exit(main())
