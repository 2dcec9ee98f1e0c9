"""`make bench`: what a move costs, beside what it would cost the tutorial way; what computer players cost
those who play beside them; the lobby under change; and pages on a site with a past.

Parlour, the relay of the tutorial on the same server program and boardgame.io, if it is installed, play one
after the other, round by round, so that a noisy machine is noisy for all of them. Parlour stores every move
before anybody hears of it; the others store nothing, or only in memory.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.site import fresh, kalah_match, running, serving, signed_in, wait_until_ready

HEADINGS = f"{'':<24}{'us/move':>10}{'moves/s/core':>14}{'moves/s seen':>14}{'p50 ms':>10}{'p99 ms':>10}"
NEIGHBOUR = Path(__file__).parent / "neighbour" / "node_modules"
"""boardgame.io, where it is installed: development alone, and only to be measured."""


@dataclass
class Figures:
    """What was measured of one server."""

    moves: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    latencies: list[float] = field(default_factory=list)

    @property
    def cost(self) -> float:
        """Microseconds of the server's processor time per move."""
        return self.cpu / self.moves * 1e6

    @property
    def capacity(self) -> float:
        """Moves per second that one busy core would serve."""
        return 1e6 / self.cost

    def percentile(self, number: int) -> float:
        """A percentile of the latencies, in milliseconds."""
        return statistics.quantiles(self.latencies, n=100)[number - 1] * 1e3

    def line(self, name: str) -> str:
        """A row of the table."""
        return (
            f"{name:<24}{self.cost:>10.0f}{self.capacity:>14.0f}{self.moves / self.seconds:>14.0f}"
            f"{self.percentile(50):>10.2f}{self.percentile(99):>10.2f}"
        )


def processor_time(pid: int) -> float:
    """Seconds of processor time a process has used, all threads together."""
    # What pthread_getcpuclockid(3) would say of it, for a whole process.
    return time.clock_gettime((~pid << 3) | 2)


def prepare(
    matches: int, new: Callable[[], tuple[str, list[str]]] = kalah_match
) -> tuple[list[str], list[list[str]]]:
    """Matches of two signed-in players each, which `new` makes: their ids, and the players' cookies."""
    made = [new() for _ in range(matches)]
    return [match_id for match_id, _ in made], [cookies for _, cookies in made]


async def round_of(kind, pid, port, rooms, cookies, watchers, plies, figures: Figures, rate=0) -> None:
    """Connect, play, hang up; only the playing counts."""
    from bench import load

    if kind is load.NeighbourTable:
        tables = await load.open_neighbours(port, rooms, watchers, plies)
    else:
        tables = await load.open_tables(kind, port, rooms, cookies, watchers, plies)
    before = processor_time(pid)
    figures.seconds += await load.play(tables, rate)
    figures.cpu += processor_time(pid) - before
    for table in tables:
        figures.latencies += table.latencies
        figures.moves += len(table.latencies)
    await load.close(tables)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--watchers", type=int, default=4)
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rates", type=int, nargs="*", default=[1000, 300], help="moves a second, besides")
    parser.add_argument("--computers", type=int, default=4, help="matches of computer players beside")
    parser.add_argument("--lobbies", type=int, default=1000, help="sockets that look at the lobby")
    parser.add_argument("--changes", type=float, default=20.0, help="changes of its tables a second")
    parser.add_argument("--seconds", type=float, default=30.0, help="for how long the tables change")
    parser.add_argument("--people", type=int, default=20_000, help="who have been on the site")
    parser.add_argument("--finished", type=int, default=100_000, help="matches that they finished")
    options = parser.parse_args()
    with fresh(BOT_PROCESSES="1"):
        measure_moves(options)
        measure_computers(options)
        measure_lobby(options)
        # By a process of its own: it needs another database, and other settings.
        sizes = ("--people", str(options.people), "--finished", str(options.finished))
        subprocess.run([sys.executable, "-m", "bench.dearest", *sizes], check=True)


def measure_moves(options: argparse.Namespace) -> None:
    """Run the servers side by side and print the table."""
    import uvloop

    from bench.load import NeighbourTable, ParlourTable, RelayTable

    with ExitStack() as servers:
        site = servers.enter_context(serving("config.server"))
        contest = [("Parlour, durable", ParlourTable, site)]
        if NEIGHBOUR.exists():
            neighbour = servers.enter_context(running("node", str(NEIGHBOUR.parent / "server.cjs")))
            contest.append(("boardgame.io, in memory", NeighbourTable, neighbour))
        contest.append(
            ("group_send, no store", RelayTable, servers.enter_context(serving("bench.relay_server")))
        )
        by_rate = {rate: {name: Figures() for name, _, _ in contest} for rate in (0, *options.rates)}
        wait_until_ready(site[1])
        for number in range(options.rounds + 1):
            for rate, figures in by_rate.items():
                shape = (*prepare(options.matches), options.watchers, options.plies)
                # The relay does not keep up with any.
                for name, kind, server in contest[:-1] if rate else contest:
                    # The first round warms all of them up and is thrown away.
                    counted = figures[name] if number else Figures()
                    uvloop.run(round_of(kind, *server, *shape, counted, rate))
    report(options, by_rate.pop(0))
    for rate, figures in by_rate.items():
        print(f"\nThe same at {rate} moves a second, late ones from the moment on when they were due")
        print(HEADINGS)
        for name, each in figures.items():
            if each.moves:
                print(each.line(name))


def measure_computers(options: argparse.Namespace) -> None:
    """Play with and without computer players at work beside, round by round, and print the table."""
    import uvloop

    from bench.load import ParlourTable

    alone, beside = Figures(), Figures()
    with serving("config.server") as (pid, port):
        wait_until_ready(port)
        for number in range(options.rounds + 1):
            for figures, games in ((alone, 0), (beside, options.computers)):
                shape = (*prepare(options.matches), options.watchers, options.plies)
                with computers_playing(games):
                    uvloop.run(round_of(ParlourTable, pid, port, *shape, figures if number else Figures()))
    print(f"\nThe same with {options.computers} matches beside, between computer players of the best level")
    print(HEADINGS)
    print(alone.line("Parlour"))
    print(beside.line("Parlour, computers"))
    print(f"The 99th percentile is {beside.percentile(99) / alone.percentile(99):.2f} times that without.")


@contextmanager
def computers_playing(number):
    """So many matches between computer players of the best level, in games that make them think."""
    from games.models import Match, Ply
    from games.play.begin import create
    from games.registry import GAMES
    from lobby.models import User

    users = [User.objects.get_or_create(username=f"bench-computer-{seat}")[0] for seat in range(2)]
    made = []
    for each in range(number):
        game = GAMES[("kalah", "morris")[each % 2]]
        levels = dict.fromkeys((0, 1), len(game.levels))
        made.append(create(game.slug, game.rules.Options(), users, levels=levels).pk)
    deadline = time.monotonic() + 60
    while Ply.objects.filter(match__in=made).values("match").distinct().count() < number:
        assert time.monotonic() < deadline, "the computers do not play"
        time.sleep(0.05)
    yield
    Match.objects.filter(pk__in=made).delete()


def measure_lobby(options: argparse.Namespace) -> None:
    """Have many people look at the lobby of one process while its tables change, and print the table."""
    import uvloop

    from bench import lobby

    hosts = [(user.username, cookie) for user, cookie in (signed_in() for _ in range(40))]

    async def run(pid, port):
        looking = await lobby.watch(port, options.lobbies)
        # The first seconds warm everything up and are thrown away.
        await lobby.change(port, looking, hosts, options.changes, 2)
        before, begun = processor_time(pid), time.perf_counter()
        await lobby.change(port, looking, hosts, options.changes, options.seconds)
        busy = (processor_time(pid) - before) / (time.perf_counter() - begun)
        await lobby.close(looking)
        return looking.latencies(), busy

    with serving("config.server") as (pid, port):
        wait_until_ready(port)
        latencies, busy = uvloop.run(run(pid, port))
    report_lobby(options, latencies, busy)


def report(options: argparse.Namespace, figures: dict[str, Figures]) -> None:
    print(
        f"{options.matches} matches, 2 players + {options.watchers} watchers each, "
        f"{options.rounds} rounds, closed loop; SQLite, every move durable before it is answered; "
        # How it was built makes a tenth of the speed and more.
        f"Python {platform.python_version()} by {platform.python_compiler()} at {sys.base_prefix}"
    )
    print(HEADINGS)
    (_, parlour), *others = figures.items()
    for name, each in figures.items():
        print(each.line(name))
    for name, other in others:
        ratio = parlour.capacity / other.capacity
        print(f"Parlour serves {ratio:.1f} times the moves of “{name}” per core.")
    if not NEIGHBOUR.exists():
        print("With boardgame.io beside: npm install --prefix bench/neighbour")


def report_lobby(options: argparse.Namespace, latencies: list[float], busy: float) -> None:
    print(
        f"\n{options.lobbies} idle lobby sockets on one process, {options.changes:.0f} tables a second "
        f"set or cancelled by forms for {options.seconds:.0f} s; from the form to the last socket"
    )
    percentiles = statistics.quantiles(latencies, n=100)
    changes = 2 * int(options.changes * options.seconds / 2)
    print(f"{'':<24}{'changes':>10}{'lost':>10}{'p50 ms':>10}{'p99 ms':>10}{'server CPU':>14}")
    print(
        f"{'Parlour, lobby':<24}{changes:>10}{changes - len(latencies):>10}"
        f"{percentiles[49] * 1e3:>10.0f}{percentiles[98] * 1e3:>10.0f}{busy:>13.0%} of a core"
    )


if __name__ == "__main__":
    main()
