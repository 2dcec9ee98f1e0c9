"""`make scaling`: what any number of live matches would take, counted from what was measured.

One second of the site is played in the model: moves come by chance, each at the process of its match, and are
told to the processes where somebody else looks on. What is said in one turn of the loop goes as one message
to each of them. Pages and the sockets that they open go to all processes alike. The costs are those of
`Assumptions`, each of them an option. `python -m bench.scaling --write` puts the tables into docs/scaling.md,
counted with the assumptions as they stand.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "scaling.md"
BEGIN, END = "<!-- what `make scaling` prints -->", "<!-- as far as here -->"

LIVE = (100, 1_000, 10_000, 30_000, 100_000)
MOST_TIMES = 8
"""So many times the processes that its work takes are tried for those that are not too busy."""
FEWER_PAGES = 0.2
"""A minute: one page and a half of each person in a match of eight minutes."""

HEADINGS = (
    "live matches", "moves/s", "pages/s", "processes", "the busiest", "of that pages", "memory, GB",
    "database, cores", "commits/s at most", "log, MB/s", "messages/s", "announcements/s", "Redis, cores",
    "nginx, cores", "computers, cores",
)  # fmt: skip


def known(value: float, by: str, what: str) -> Any:
    """An assumption that a bench has measured, or that the code says."""
    return field(default=value, metadata={"what": what, "by": f"`{by}`"})


def guessed(value: float, what: str) -> Any:
    """An assumption that nobody has measured."""
    return field(default=value, metadata={"what": what, "by": "guessed"})


@dataclass(frozen=True)
class Assumptions:
    """What is counted with; µs are processor time."""

    # What people do.
    seconds_a_move: float = guessed(6.0, "from one move of a match to the next")
    minutes_a_match: float = guessed(8.0, "from its first move to its last")
    viewers: float = guessed(3.0, "people at a match: two players, and somebody who watches")
    sockets_a_person: float = guessed(3.0, "the match, its chat, one’s own")
    topics_a_viewer: float = guessed(
        3.0, "match, chat and its room, which a process joins and leaves with them"
    )
    pages_a_minute: float = guessed(1.0, "of each of these people, also before and after a match")
    sockets_a_page: float = guessed(
        2.0, "that it opens: one’s own, and one of the lobby, a match or its chat"
    )
    topics_a_page: float = guessed(2.0, "those of a person, which a process leaves and joins with each page")
    strays: float = guessed(0.02, "share of viewers at another process than their match, where it has one")
    computers: float = guessed(0.2, "share of moves that computer players make")

    # What it costs a server.
    move_us: float = known(211.0, "bench.processes", "a move, with the six who hear of it in the bench")
    viewer_us: float = known(9.0, "bench.flat watchers", "each who hears of it beyond six")
    end_us: float = known(
        2350.0, "bench.processes", "all that follows the end of a match: results, ratings, news"
    )
    page_us: float = known(
        16_000.0, "bench.dearest", "a page, its queries on SQLite in it; the front page 20,000"
    )
    open_us: float = known(
        3000.0, "bench.parts", "to open a socket and say the first on it: the dearest kind, one’s own"
    )
    message_us: float = known(60.0, "bench.parts", "a message to another server, to send and to hear it")
    parcel_us: float = known(
        70.0, "bench.processes", "a move in it: what two servers spend on it more than one"
    )
    announcement_us: float = guessed(15.0, "to hear that a process joined or left, and to confirm it")
    announce_ms: float = known(
        20.0, "games.net.processes", "between two of them of one process: `ANNOUNCE_SECONDS`"
    )
    turn_ms: float = guessed(2.0, "a busy loop’s turn: what is said within it is one message")
    busy: float = guessed(0.5, "how much of a core a process may be busy, so that its latency stays flat")
    socket_kb: float = guessed(30.0, "memory of a socket: 16 of an idle one are measured")
    process_mb: float = known(150.0, "bench.flat memory", "memory of a process without any")

    # What it costs others.
    database_us: float = known(42.0, "bench.processes", "the database, a move, in batches")
    end_database_us: float = known(
        1540.0, "bench.processes", "the database, all that follows the end of a match"
    )
    page_database_us: float = known(2000.0, "bench.parts", "the database, a page; the front page 4,000")
    open_database_us: float = known(
        1000.0, "bench.parts", "the database, what is said first on a socket of somebody’s own"
    )
    commit_ms: float = guessed(2.0, "a flush of its disk, no processor time; a process has one at a time")
    move_bytes: float = known(600.0, "bench.parts", "of its log, a move")
    redis_us: float = known(10.0, "bench.parts", "Redis, to take a message and to pass it on")
    nginx_message_us: float = known(15.0, "bench.parts", "nginx, a message of a socket, without TLS")
    nginx_request_us: float = known(
        270.0, "bench.parts", "nginx, a page or a socket that is opened, without TLS"
    )
    think_ms: float = guessed(30.0, "a worker, a move of a computer player of a middle level")

    @property
    def at_home_us(self) -> float:
        """What a move costs the process of its match, with its share of the end."""
        beyond = max(0.0, self.viewers - VIEWERS_MEASURED)
        return self.move_us + self.viewer_us * beyond + self.end_us / self.moves_a_match

    @property
    def moves_a_match(self) -> float:
        return self.minutes_a_match * 60 / self.seconds_a_move

    def pages(self, live: int) -> float:
        """Pages a second."""
        return live * self.viewers * self.pages_a_minute / 60

    @property
    def with_its_sockets_us(self) -> float:
        """What a page costs a server, with what it opens."""
        return self.page_us + self.sockets_a_page * self.open_us


VIEWERS_MEASURED = 6
"""Who hear of a move in the benches that measured it."""


@dataclass(frozen=True)
class Second:
    """What one second of the site comes to."""

    processes: int
    moves: int
    messages: int
    parcels: int
    announcements: float
    busiest: float


def second(live: int, processes: int, by_match: bool, a: Assumptions) -> Second:
    """Play one second with so many processes."""
    lot = random.Random(7)
    moves = round(live / a.seconds_a_move)
    busy: Counter[int] = Counter()
    said: set[tuple[int, int, int]] = set()
    parcels = 0
    turns = round(1000 / a.turn_ms)
    for _ in range(moves):
        home, turn = lot.randrange(processes), lot.randrange(turns)
        away = a.strays if by_match else 1 - 1 / processes
        others = {lot.randrange(processes) for _ in range(round(a.viewers)) if lot.random() < away} - {home}
        busy[home] += a.at_home_us
        for other in others:
            parcels += 1
            said.add((turn, home, other))
            busy[home] += a.parcel_us / 2
            busy[other] += a.parcel_us / 2
    for _, home, other in said:
        busy[home] += a.message_us / 2
        busy[other] += a.message_us / 2
    # All processes hear of every topic that is joined and left, those of a few turns at once.
    begun = live * a.viewers / (a.minutes_a_match * 60)
    a_second = 2 * (begun * a.topics_a_viewer + a.pages(live) * a.topics_a_page)
    announcements = min(a_second, processes * 1000 / a.announce_ms) * (processes - 1)
    # Any process may be asked for a page: over some seconds each has its share of them.
    shared = announcements * a.announcement_us + a.pages(live) * a.with_its_sockets_us
    busiest = (max(busy.values()) + shared / processes) / 1e6
    return Second(processes, moves, len(said), parcels, announcements, busiest)


def enough(live: int, by_match: bool, a: Assumptions) -> Second:
    """The fewest processes of which none is too busy."""
    work = live / a.seconds_a_move * a.at_home_us + a.pages(live) * a.with_its_sockets_us
    fewest = max(1, math.ceil(work / 1e6 / a.busy))
    processes = fewest
    while (
        played := second(live, processes, by_match, a)
    ).busiest > a.busy and processes < fewest * MOST_TIMES:
        processes = math.ceil(processes * 1.15)
    return played


def row(live: int, by_match: bool, a: Assumptions) -> str:
    it = enough(live, by_match, a)
    pages = a.pages(live)
    opened = pages * a.sockets_a_page
    of_that_pages = pages * a.with_its_sockets_us / it.processes / 1e6 / it.busiest
    batches = min(it.moves, it.processes * 1000 / a.commit_ms)
    # What is said, what is announced, and its confirmations.
    messages = it.messages + 2 * it.announcements
    database = it.moves * (a.database_us + a.end_database_us / a.moves_a_match)
    database += pages * a.page_database_us + opened * a.open_database_us
    # Each who looks on hears of a move, and one has sent it.
    nginx = it.moves * (a.viewers + 1) * a.nginx_message_us + (pages + opened) * a.nginx_request_us
    thinking = it.moves * a.computers * a.think_ms / 1e3
    memory = it.processes * a.process_mb / 1024 + live * a.viewers * a.sockets_a_person * a.socket_kb / 2**20
    redis = f"{messages * a.redis_us / 1e6:.2f}"
    if messages * a.redis_us > 1e6:
        # It does one thing at a time.
        redis = f"**{redis}**"
    cells = (
        f"{live:,}", f"{it.moves:,}", f"{pages:,.0f}", f"{it.processes}", f"{it.busiest:.0%}",
        f"{of_that_pages:.0%}", f"{memory:.1f}", f"{database / 1e6:.2f}", f"{batches:,.0f}",
        f"{it.moves * a.move_bytes / 1e6:.1f}", f"{it.messages:,}", f"{it.announcements:,.0f}",
        redis, f"{nginx / 1e6:.2f}", f"{thinking:.1f}",
    )  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def table(name: str, by_match: bool, a: Assumptions) -> str:
    rows = (row(live, by_match, a) for live in LIVE)
    head = "| " + " | ".join(HEADINGS) + " |\n|" + "---|" * len(HEADINGS)
    return f"{name}\n\n{head}\n" + "\n".join(rows)


def assumed(a: Assumptions) -> str:
    """What is counted with, as a table."""
    rows = "\n".join(
        f"| `{option(each.name)}` | {getattr(a, each.name):,g} | {each.metadata['by']} | "
        f"{each.metadata['what']} |"
        for each in fields(a)
    )
    return f"| option | value | by | what it is |\n|---|---|---|---|\n{rows}"


def option(name: str) -> str:
    return "--" + name.replace("_", "-")


def report(a: Assumptions) -> str:
    """All that is printed."""
    fewer = f"The same with a page in {1 / FEWER_PAGES:g} minutes of each of these people"
    return "\n\n".join(
        (
            assumed(a),
            table("Players of a match at the same process", True, a),
            table("Players of a match anywhere", False, a),
            table(f"{fewer}, at the same process", True, replace(a, pages_a_minute=FEWER_PAGES)),
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.scaling", description=re.sub(r"\s+", " ", __doc__ or ""))
    parser.add_argument("--write", action="store_true", help="into docs/scaling.md, whatever is assumed here")
    for each in fields(Assumptions):
        by, what = each.metadata["by"], each.metadata["what"]
        parser.add_argument(option(each.name), type=float, default=each.default, help=f"{what} ({by})")
    options = vars(parser.parse_args())
    if options.pop("write"):
        before, _, rest = PAGE.read_text().partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}\n\n{report(Assumptions())}\n\n{END}{after}")
    else:
        print(report(Assumptions(**options)))


if __name__ == "__main__":
    main()
