"""`python -m bench.scaling_invariance`: what stays the same while everything else grows.

What a move costs with thousands of matches in the database, late in a long match, before a crowd, beside
thousands of idle sockets, and beside computer players that think; how soon it arrives at which rate, in how
many matches at once; how soon a change of the lobby reaches everybody who looks at it; what opening a socket
costs, and keeping it; what the sockets of a page cost, and to have them back after a restart; what becomes
of the memory of a server that is played on. `python -m bench.scaling_invariance plies idle` does those parts
alone. The figures are in docs/explanation/performance.md and docs/explanation/scaling.md.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import pairwise
from pathlib import Path

from bench.client import Client, connect, hang_up
from bench.measure import PLIES, Figures, play_round, processor_time, round_of
from bench.site import endless_match, fresh, new_match, prepare, serving, signed_in, wait_until_ready
from tools.harness.patience import wait_until

TABLES = 20
"""Matches that are played at once, unless a part says otherwise."""
AT_ONCE = 50
"""Sockets that are opened at a time."""
TOLD = re.compile(rb'(?:\w+ )?{"type":"(?:lobby|snapshot|hello|rooms)"')
"""How messages begin by which a feed is told what it came for."""
OPENED = 200
"""Sockets of each kind that are opened to see what that costs."""
SETTLED_SECONDS = 1.5
"""After which whatever was still to be done for sockets that were opened is done."""
SAMPLES = 10
CARRIED = (50, 200, 1000)
"""Matches that one server carries."""
CARRIED_RATES = (500, 1000, 2000, 3000)
"""Moves a second in all of them."""
CARRIED_SECONDS = 5.0
CHANGES = 20.0
"""Changes of the lobby's tables a second."""
CHANGED_SECONDS = 30.0
HOSTS = 40
"""People who set and cancel tables."""


def memory(pid: int) -> int:
    """Bytes of a process's memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def table(*rows: tuple[object, ...]) -> None:
    """Print rows as a table, the first being its head."""
    head, *others = [" | ".join(str(cell) for cell in row) for row in rows]
    print(f"\n| {head} |\n|{'---|' * len(rows[0])}")
    print("\n".join(f"| {each} |" for each in others), flush=True)


# What a move costs


def in_the_database(options: argparse.Namespace) -> None:
    """With ten open matches in the database, and with thousands."""
    import uvloop
    from django.db import connection

    from bench import load
    from bench.seed_data import fill

    rounds = [prepare(TABLES, endless_match) for _ in range(options.rounds + 1)]
    filled = Path(os.environ["DATABASE_URL"].removeprefix("sqlite:///"))
    few = filled.with_name("few.sqlite3")
    with closing(sqlite3.connect(filled)) as store:
        store.execute("VACUUM INTO ?", (str(few),))
    fill(people=1000, finished=0, present=options.matches)
    connection.close()

    async def play(pid: int, port: int, made: tuple[list[str], list[list[str]]], figures: Figures) -> None:
        tables = await load.open_tables(load.EndlessTable, port, *made, 4, PLIES)
        await play_round(tables, lambda: processor_time(pid), figures)

    with ExitStack() as servers:
        contest = []
        for path in (few, filled):
            os.environ["DATABASE_URL"] = f"sqlite:///{path}"
            contest.append((servers.enter_context(serving("config.server")), Figures()))
        for number, shape in enumerate(rounds):
            for (pid, port), figures in contest:
                wait_until_ready(port)
                counted = figures if number else Figures()
                uvloop.run(play(pid, port, shape, counted))
    played = len(rounds) * TABLES
    numbers = played, played + options.matches
    rows = [(number, *_cells(figures)) for number, (_, figures) in zip(numbers, contest, strict=True)]
    table(("open matches", "CPU µs per move", "p50 ms", "p99 ms"), *rows)


def _cells(figures: Figures) -> tuple[str, ...]:
    return f"{figures.cost:.0f}", f"{figures.percentile(50):.1f}", f"{figures.percentile(99):.1f}"


def plies(options: argparse.Namespace) -> None:
    """From the first ply of a match to the last of a very long one."""
    import uvloop

    from bench import load

    step = options.plies // SAMPLES
    rows: list[tuple[object, ...]] = [("plies", "CPU µs per move", "p50 ms", "p99 ms")]

    rooms, cookies = prepare(TABLES, endless_match)

    async def play(pid: int, port: int) -> None:
        tables = await load.open_tables(load.EndlessTable, port, rooms, cookies, 4, 0)
        for end in range(step, options.plies + 1, step):
            for each in tables:
                each.plies = end
                each.done.clear()
            before, seen = processor_time(pid), len(tables[0].latencies)
            seconds = await load.play(tables)
            taken = [latency for each in tables for latency in each.latencies[seen:]]
            figures = Figures(len(taken), seconds, processor_time(pid) - before, taken)
            rows.append((f"{end - step + 1} to {end}", *_cells(figures)))
        await load.close(tables)

    with serving("config.server") as (pid, port):
        wait_until_ready(port)
        uvloop.run(round_of(pid, port, *prepare(TABLES), 4, Figures()))
        uvloop.run(play(pid, port))
    table(*rows)


def watchers(options: argparse.Namespace) -> None:
    """Before more and more people who watch one match."""
    import uvloop

    crowds = (4, options.watchers // 4, options.watchers)
    found = {number: Figures() for number in crowds}
    with serving("config.server") as (pid, port):
        wait_until_ready(port)
        for again in range(options.rounds + 1):
            for number, figures in found.items():
                counted = figures if again else Figures()
                uvloop.run(round_of(pid, port, *prepare(1), number, counted))
    rows = [(number, *_cells(figures)) for number, figures in found.items()]
    table(("spectators", "CPU µs per move", "p50 ms to the last", "p99 ms"), *rows)
    fewest, most = found[crowds[0]], found[crowds[-1]]
    each = (most.cost - fewest.cost) / (crowds[-1] - crowds[0])
    print(f"\nEach additional spectator costs {each:.1f} µs per move.")


def carried(options: argparse.Namespace) -> None:
    """At fixed rates, in more and more matches of two players and somebody who watches."""
    import uvloop

    from bench import load

    rows: list[tuple[object, ...]] = [
        ("live matches", "sockets", "moves/s offered", "moves/s", "CPU, share of a core", "p50 ms", "p99 ms")
    ]

    async def play(pid: int, port: int, rooms: list[str], cookies: list[list[str]]) -> None:
        tables = await load.open_tables(load.EndlessTable, port, rooms, cookies, 1, 0)
        # The first second warms all of them up and is thrown away.
        for rate, seconds in ((CARRIED_RATES[0], 1.0), *((rate, CARRIED_SECONDS) for rate in CARRIED_RATES)):
            moves = math.ceil(rate * seconds / len(tables))
            for each in tables:
                each.plies = len(each.latencies) + moves
                each.done.clear()
            before, seen = processor_time(pid), [len(each.latencies) for each in tables]
            took = await load.play(tables, rate)
            busy = (processor_time(pid) - before) / took
            latencies = [
                late for each, was in zip(tables, seen, strict=True) for late in each.latencies[was:]
            ]
            figures = Figures(len(latencies), took, 0.0, latencies)
            cells = f"{figures.moves / took:,.0f}", f"{busy:.0%}", *_cells(figures)[1:]
            rows.append((len(tables), 3 * len(tables), f"{rate:,}", *cells))
        await load.close(tables)

    with serving("config.server") as (pid, port):
        wait_until_ready(port)
        for number in CARRIED:
            uvloop.run(play(pid, port, *prepare(number, endless_match)))
            del rows[-1 - len(CARRIED_RATES)]
    table(*rows)


# What sockets cost


async def come(port: int, path: str, number: int, cookie: str = "") -> list[Client]:
    """Open so many sockets, and return once all were told what they came for."""
    # A socket of a page carries several feeds.
    told, missing = asyncio.Event(), number * (path.count("+") + 1)
    turns = asyncio.Semaphore(AT_ONCE)
    headers = {"Origin": f"http://127.0.0.1:{port}", **({"Cookie": cookie} if cookie else {})}

    def hear(payload: bytes) -> None:
        nonlocal missing
        if TOLD.match(payload):
            missing -= 1
            if not missing:
                told.set()

    async def one() -> Client:
        async with turns:
            return await connect(port, path, headers, hear)

    clients = await asyncio.gather(*(one() for _ in range(number)))
    await told.wait()
    return clients


def kinds() -> dict[str, tuple[str, str]]:
    """The path and the cookie of each kind of socket, by what it is."""
    match, (cookie, _) = new_match("kalah", "kalaha")
    return {
        "lobby, visitor": ("/ws/lobby", ""),
        "lobby, signed in": ("/ws/lobby", cookie),
        "match, visitor": (f"/ws/match/{match}", ""),
        "match, player": (f"/ws/match/{match}", cookie),
        "match chat, player": (f"/ws/chat/{match}", cookie),
        "personal (`/ws/me`)": ("/ws/me", cookie),
        "boards": ("/ws/watch", cookie),
        "page of the lobby": ("/ws/page?feeds=lobby+boards+me", cookie),
        "page of a match": (f"/ws/page/match/{match}?feeds=match+chat+me", cookie),
    }


PAGES = {
    "the lobby, one socket": ["page of the lobby"],
    "the lobby, a socket for each feed": ["lobby, signed in", "boards", "personal (`/ws/me`)"],
    "a match, one socket": ["page of a match"],
    "a match, a socket for each feed": ["match, player", "match chat, player", "personal (`/ws/me`)"],
}
"""The sockets of a page, by the page: one with all its feeds, and those that it had before."""


def opening(options: argparse.Namespace) -> None:
    """What it takes until a socket is open and was told what it came for."""
    import uvloop

    rows: list[tuple[object, ...]] = [("socket", "CPU µs", "sockets/s")]
    sockets = kinds()

    async def open_each(pid: int, port: int) -> None:
        for path, cookie in sockets.values():
            await hang_up(await come(port, path, OPENED // 4, cookie))
        for name, (path, cookie) in sockets.items():
            before, begun = processor_time(pid), time.perf_counter()
            clients = await come(port, path, OPENED, cookie)
            seconds = time.perf_counter() - begun
            spent = processor_time(pid) - before
            rows.append((name, f"{spent / OPENED * 1e6:.0f}", f"{OPENED / seconds:.0f}"))
            await hang_up(clients)

    with serving("config.server") as (pid, port):
        wait_until_ready(port)
        uvloop.run(open_each(pid, port))
    table(*rows)


def idle(options: argparse.Namespace) -> None:
    """Thousands of sockets at which nothing happens: what each takes, and what moves cost beside them."""
    import uvloop

    alone, beside = Figures(), Figures()
    match, _ = new_match("kalah", "kalaha")
    paths = "/ws/lobby", f"/ws/match/{match}"

    async def rounds(pid: int, port: int, figures: Figures) -> None:
        for number in range(options.rounds + 1):
            counted = figures if number else Figures()
            matches, cookies = shapes.pop()
            await round_of(pid, port, matches, cookies, 4, counted)

    async def play(pid: int, port: int) -> None:
        for path in paths:
            await hang_up(await come(port, path, OPENED))
        await rounds(pid, port, alone)
        sizes = [memory(pid)]
        sitting = []
        for path in paths:
            sitting += await come(port, path, options.sockets // 2)
            await asyncio.sleep(SETTLED_SECONDS)
            sizes.append(memory(pid))
        await rounds(pid, port, beside)
        await hang_up(sitting)
        each = [(after - before) / (options.sockets // 2) / 1000 for before, after in pairwise(sizes)]
        table(
            ("idle sockets", "kB each, lobby", "kB each, match", "CPU µs per move", "p50 ms", "p99 ms"),
            (0, "", "", *_cells(alone)),
            (options.sockets, f"{each[0]:.1f}", f"{each[1]:.1f}", *_cells(beside)),
        )

    shapes = [prepare(TABLES) for _ in range(2 * (options.rounds + 1))]
    with serving("config.server") as (pid, port):
        wait_until_ready(port)
        uvloop.run(play(pid, port))


def pages(options: argparse.Namespace) -> None:
    """Pages at which nothing happens: what each takes, and what it costs to have all back after a restart."""
    import uvloop

    rows: list[tuple[object, ...]] = [("page of", "pages", "kB each", "CPU ms each to be back", "pages/s")]
    sockets = kinds()

    async def open_all(port: int, names: list[str], number: int) -> list[Client]:
        opened = await asyncio.gather(
            *(come(port, path, number, cookie) for path, cookie in map(sockets.__getitem__, names))
        )
        return [client for clients in opened for client in clients]

    async def sit(pid: int, port: int, names: list[str], number: int) -> float:
        await hang_up(await open_all(port, names, OPENED))
        before = memory(pid)
        sitting = await open_all(port, names, number)
        await asyncio.sleep(SETTLED_SECONDS)
        grown = memory(pid) - before
        await hang_up(sitting)
        return grown / number / 1000

    async def be_back(pid: int, port: int, names: list[str], number: int) -> tuple[float, float]:
        before, begun = processor_time(pid), time.perf_counter()
        clients = await open_all(port, names, number)
        seconds, spent = time.perf_counter() - begun, processor_time(pid) - before
        await hang_up(clients)
        return spent / number * 1000, number / seconds

    for page, names in PAGES.items():
        number = options.sockets // len(names)
        with serving("config.server") as (pid, port):
            wait_until_ready(port)
            each = uvloop.run(sit(pid, port, names, number))
        with serving("config.server") as (pid, port):
            wait_until_ready(port)
            cost, rate = uvloop.run(be_back(pid, port, names, number))
        rows.append((page, number, f"{each:.1f}", f"{cost:.1f}", f"{rate:.0f}"))
    table(*rows)


def played_on(options: argparse.Namespace) -> None:
    """The memory of a server on which one match after the other is played."""
    import uvloop

    rows: list[tuple[object, ...]] = [("seconds", "moves", "MB", "CPU µs per move")]
    with serving("config.server") as (pid, port):
        wait_until_ready(port)
        begun, moves, spent = time.monotonic(), 0, Figures()
        for sample in range(SAMPLES + 1):
            while time.monotonic() - begun < options.seconds * sample / SAMPLES or not spent.moves:
                uvloop.run(round_of(pid, port, *prepare(TABLES), 4, spent, options.rate))
            moves += spent.moves
            cells = f"{memory(pid) / 1e6:.1f}", f"{spent.cost:.0f}"
            rows.append((f"{time.monotonic() - begun:.0f}", moves, *cells))
            spent = Figures()
    table(*rows)


# Beside others


def computers(options: argparse.Namespace) -> None:
    """Beside matches between computer players of the best level."""
    import uvloop

    rows: list[tuple[object, ...]] = [("computer matches beside", "CPU µs per move", "p50 ms", "p99 ms")]
    found = {0: Figures(), options.computers: Figures()}
    with serving("config.server") as (pid, port):
        wait_until_ready(port)
        for again in range(options.rounds + 1):
            for number, figures in found.items():
                counted = figures if again else Figures()
                with computers_playing(number):
                    uvloop.run(round_of(pid, port, *prepare(TABLES), 4, counted))
    table(*rows, *((number, *_cells(figures)) for number, figures in found.items()))


@contextmanager
def computers_playing(number: int) -> Iterator[None]:
    """So many matches between computer players of the best level, in games that make them think."""
    from games.models import Match, Ply
    from games.play.begin import create
    from games.registry import GAMES
    from lobby.people.models import User

    users = [User.objects.get_or_create(username=f"bench-computer-{seat}")[0] for seat in range(2)]
    made = []
    for each in range(number):
        game = GAMES[("kalah", "morris")[each % 2]]
        levels = dict.fromkeys((0, 1), len(game.levels))
        made.append(create(game.slug, game.rules.Options(), users, levels=levels).pk)
    wait_until(
        lambda: Ply.objects.filter(match__in=made).values("match").distinct().count() == number,
        "a first move in every match between computers",
    )
    yield
    Match.objects.filter(pk__in=made).delete()


def lobby_under_change(options: argparse.Namespace) -> None:
    """How soon a change of its tables reaches the last of those who look at the lobby."""
    import uvloop

    from bench import lobby

    hosts = [(user.username, cookie) for user, cookie in (signed_in() for _ in range(HOSTS))]

    async def run(pid: int, port: int) -> tuple[list[float], float]:
        looking = await lobby.watch(port, options.looking)
        # The first seconds warm everything up and are thrown away.
        await lobby.change(port, looking, hosts, CHANGES, 2)
        before, begun = processor_time(pid), time.perf_counter()
        await lobby.change(port, looking, hosts, CHANGES, CHANGED_SECONDS)
        busy = (processor_time(pid) - before) / (time.perf_counter() - begun)
        await lobby.close(looking)
        return looking.latencies(), busy

    with serving("config.server") as (pid, port):
        wait_until_ready(port)
        latencies, busy = uvloop.run(run(pid, port))
    figures, changes = Figures(latencies=latencies), int(CHANGES * CHANGED_SECONDS)
    table(
        ("who look on", "changes", "lost", "of a core", "p50 ms to the last", "p99 ms"),
        (options.looking, changes, changes - len(latencies), f"{busy:.0%}", *_cells(figures)[1:]),
    )


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "matches": in_the_database,
    "plies": plies,
    "watchers": watchers,
    "carried": carried,
    "opening": opening,
    "idle": idle,
    "pages": pages,
    "memory": played_on,
    "computers": computers,
    "lobby": lobby_under_change,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench.scaling_invariance", description=re.sub(r"\s+", " ", __doc__ or "")
    )
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all if none is named")
    parser.add_argument("--matches", type=int, default=10_000, help="open ones in the database")
    parser.add_argument("--plies", type=int, default=500, help="of a long match")
    parser.add_argument("--watchers", type=int, default=200, help="of one match")
    parser.add_argument("--sockets", type=int, default=5000, help="idle ones")
    parser.add_argument("--seconds", type=float, default=300.0, help="for which memory is looked at")
    parser.add_argument("--computers", type=int, default=4, help="matches between computers")
    parser.add_argument("--looking", type=int, default=1000, help="sockets that look at the lobby")
    parser.add_argument("--rate", type=int, default=0, help="moves a second meanwhile; 0: as many as it can")
    parser.add_argument("--rounds", type=int, default=3, help="that count, after one that does not")
    options = parser.parse_args()
    if unknown := set(options.parts) - PARTS.keys():
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    if len(options.parts) == 1:
        with fresh(BOT_PROCESSES="1" if options.parts == ["computers"] else "0"):
            PARTS[options.parts[0]](options)
        return
    sizes = [f"--{name}={value}" for name, value in vars(options).items() if name != "parts"]
    for name in options.parts or PARTS:
        # By a process of its own: each needs a database of its own.
        subprocess.run([sys.executable, "-m", "bench.scaling_invariance", name, *sizes], check=True)


if __name__ == "__main__":
    main()
