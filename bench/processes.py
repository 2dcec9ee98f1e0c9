"""`python -m bench.processes`: what a move costs on PostgreSQL and Redis, at one server and at two.

At two, the players of every match are at different servers, and so are those who watch: each move is judged
at one of them and followed at the other. The first players of the matches are at the servers by turns. What
each would serve, had it a core of its own, is compared with what one serves alone, round by round: of moves
alone, in matches that do not end, and of whole matches of Kalah until all that follows their ends is stored.

Two servers have twice the matches of one, so that each is as busy as one alone; the command fails where
each serves less than the goal. With the matches of one between them each is half as busy, and its batches are
half as large; that is shown as well. Both servers are warmed first. `--shards 2` spreads the channel layer
over two Redis.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TypeAlias

from bench import load
from bench.checkout import settled
from bench.measure import Figures, processor_time, spent_by
from bench.site import endless_match, fresh, kalah_match, prepare, serving, wait_until_ready
from tools.harness.services import Postgres, Redis
from tools.programs import postgres_bin, redis_server

MOST_WARM = 2
"""After so many times the moves that are to warm them, servers are measured though they are not steady."""
HEADINGS = ("", "CPU µs per move per server", "PostgreSQL", "Redis", "moves/s per server", "p50 ms", "p99 ms")


@dataclass
class Shared:
    """What was measured of servers that share a store; `servers` has the processor time of each of them."""

    figures: Figures = field(default_factory=Figures)
    servers: list[float] = field(default_factory=list)
    postgres: float = 0.0
    redis: list[float] = field(default_factory=list)

    @property
    def capacity(self) -> float:
        """Moves a second of each server, had it a core of its own: the busiest is what limits the others."""
        return self.figures.moves / max(self.servers) / len(self.servers)

    def row(self, name: str) -> str:
        """A row of the table."""
        figures = self.figures

        def each(spent: Sequence[float]) -> str:
            return ", ".join(f"{seconds / figures.moves * 1e6:.0f}" for seconds in spent)

        services = each([self.postgres]), each(self.redis)
        latencies = (f"{figures.percentile(number):.1f}" for number in (50, 99))
        cells = (name, each(self.servers), *services, f"{self.capacity:.0f}", *latencies)
        return "| " + " | ".join(cells) + " |"


@dataclass(frozen=True, slots=True)
class Play:
    """What is played: matches that `new` makes, each its id and its players' cookies; do they end?

    Of what one server serves alone each of two is to serve the share `goal` at least, as busy as that one.
    """

    name: str
    new: Callable[[], tuple[str, list[str]]]
    ends: bool
    goal: float


PLAYS = (
    Play("moves only", endless_match, ends=False, goal=0.5),
    Play("whole matches", kalah_match, ends=True, goal=0.6),
)


SHAPES = (
    ("one server", 1, 1),
    ("two servers, split players", 2, 2),
    ("two servers, half load", 2, 1),
)
"""How it is called, how many servers, and how many times the matches of one."""

Shares: TypeAlias = dict[Play, tuple[Shared, ...]]
"""What was measured of each play, for each of `SHAPES`."""


@dataclass(frozen=True)
class Services:
    """What the servers share."""

    postgres: Postgres
    redis: Sequence[Redis]


def nothing_yet() -> Shares:
    return {play: tuple(Shared() for _ in SHAPES) for play in PLAYS}


async def round_at(
    servers: Sequence[tuple[int, int]],
    services: Services,
    play: Play,
    made: tuple[list[str], list[list[str]]],
    options: argparse.Namespace,
    measured: Shared,
) -> None:
    """Connect, play, disconnect; only the playing counts, and what follows the ends."""
    (_, first), *others = servers
    matches, cookies = made
    kind = load.ParlourTable if play.ends else load.EndlessTable
    ports = [port for _, port in others]
    tables = await load.open_tables(kind, first, matches, cookies, options.watchers, options.plies, ports)

    def clocks() -> list[float]:
        return [*(processor_time(pid) for pid, _ in servers), *map(spent_by, services.redis)]

    before, database = clocks(), spent_by(services.postgres)
    seconds = await load.play(tables)
    if play.ends:
        await asyncio.to_thread(settled, matches)
    measured.postgres += spent_by(services.postgres) - database
    spent = [after - was for after, was in zip(clocks(), before, strict=True)]
    known = [*measured.servers, *measured.redis] or [0.0] * len(spent)
    total = [sum(pair) for pair in zip(known, spent, strict=True)]
    measured.servers, measured.redis = total[: len(servers)], total[len(servers) :]
    latencies = [latency for table in tables for latency in table.latencies]
    measured.figures.add(seconds, max(spent[: len(servers)]), latencies)
    await load.close(tables)


def play_all(
    servers: Sequence[tuple[int, int]], services: Services, options: argparse.Namespace, shares: Shares
) -> None:
    """One round of each play, at one server and at two, by turns."""
    import uvloop

    for play, measured in shares.items():
        for (_, count, times), shared in zip(SHAPES, measured, strict=True):
            made = prepare(options.matches * times, play.new)
            uvloop.run(round_at(servers[:count], services, play, made, options, shared))


def warm(servers: Sequence[tuple[int, int]], services: Services, options: argparse.Namespace) -> None:
    """Play until both servers have seen so many moves and a round costs what those before it did."""
    shares = nothing_yet()
    # The second server sees those of two servers alone.
    apart = [shared.figures for measured in shares.values() for shared in measured[1:]]
    while (moves := sum(figures.moves for figures in apart)) < options.warm or not (
        all(figures.is_steady() for figures in apart) or moves >= MOST_WARM * options.warm
    ):
        play_all(servers, services, options, shares)
    steady = "steady" if all(figures.is_steady() for figures in apart) else "NOT STEADY"
    print(f"{moves} moves to warm both servers; then their cost is {steady}.\n", flush=True)


def verdict(play: Play, alone: Shared, as_busy: Shared, half_as_busy: Shared) -> bool:
    """Print how much of what one server serves alone each of two serves; whether that is enough."""
    share, of_half = as_busy.capacity / alone.capacity, half_as_busy.capacity / alone.capacity
    reached = share >= play.goal
    print(
        f"\n{play.name}: each of two serves {share:.1%} of what one serves alone, by the busier of them; "
        f"the goal is {play.goal:.0%}: {'reached' if reached else 'MISSED'}. "
        f"Half as busy, it serves {of_half:.1%}."
    )
    return reached


def report(options: argparse.Namespace, shares: Shares) -> None:
    print(
        f"{options.matches} matches a server, 2 players + {options.watchers} watchers each, "
        f"{options.rounds} rounds, closed loop; PostgreSQL that flushes, {options.shards} Redis; "
        "CPU µs per move\n"
    )
    print("| " + " | ".join(HEADINGS) + " |\n|" + "---|" * len(HEADINGS))
    for play, measured in shares.items():
        for (name, *_), shared in zip(SHAPES, measured, strict=True):
            print(shared.row(f"{play.name}, {name}"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.processes", description=re.sub(r"\s+", " ", __doc__ or ""))
    parser.add_argument("--matches", type=int, default=50, help="for each server")
    parser.add_argument("--watchers", type=int, default=4)
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--warm", type=int, default=30_000, help="moves each server sees before any count")
    parser.add_argument("--rounds", type=int, default=5, help="that count")
    parser.add_argument("--shards", type=int, default=1, help="Redis that the channel layer is spread over")
    options = parser.parse_args()
    with ExitStack() as stack:
        postgres = Postgres(str(postgres_bin()), durable=True)
        redis = [Redis(str(redis_server())) for _ in range(options.shards)]
        for service in (postgres, *redis):
            stack.callback(service.discard)
            service.start()
        services, urls = Services(postgres, redis), ",".join(each.url() for each in redis)
        stack.enter_context(fresh(DATABASE_URL=postgres.url("postgres"), REDIS_URL=urls, BOT_PROCESSES="0"))
        servers = [stack.enter_context(serving("config.server")) for _ in range(2)]
        for _, port in servers:
            wait_until_ready(port)
        warm(servers, services, options)
        shares = nothing_yet()
        for _ in range(options.rounds):
            play_all(servers, services, options, shares)
    report(options, shares)
    reached = [verdict(play, *measured) for play, measured in shares.items()]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
