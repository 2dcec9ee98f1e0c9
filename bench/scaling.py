"""`make scaling`: what any number of live matches would take, counted from what was measured.

One second of the site is played in the model: moves come by chance, each at the process of its match, and are
told to the processes where somebody else looks on. What is said in one turn of the loop goes as one message
to each of them. The costs are those of `Assumptions`; docs/scaling.md says where they come from.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from dataclasses import dataclass, fields

LIVE = (100, 1_000, 10_000, 30_000, 100_000)

HEADINGS = (
    "live matches", "moves/s", "processes", "the busiest", "memory, GB", "database, cores",
    "commits/s at most", "log, MB/s", "messages/s", "announcements/s", "Redis, cores",
)  # fmt: skip


@dataclass(frozen=True)
class Assumptions:
    """What is measured (µs of processor time) and what is guessed."""

    seconds_a_move: float = 6.0
    viewers: float = 3.0
    """Sockets at a match: two players, and somebody who watches."""
    minutes_a_match: float = 8.0
    topics_a_viewer: float = 3.0
    """Match, chat and its room, which a process joins and leaves with those who look at them."""
    sockets_a_person: float = 3.0
    pages_a_minute: float = 1.0
    topics_a_page: float = 2.0
    """Those of a person, which a process leaves and joins with every page of theirs."""
    strays: float = 0.02
    """Share of viewers who are at another process than their match: boards in small, failed over."""
    turn_ms: float = 2.0
    """How long a busy loop takes to come round: what is said within it is one message."""
    busy: float = 0.5
    """How much of a core a process may be busy, so that its latency stays flat."""
    move_us: float = 260.0
    end_us: float = 8000.0
    """What follows the end of a match: results, ratings, news."""
    viewer_us: float = 6.0
    message_us: float = 110.0
    """To send one and to hear one, together."""
    parcel_us: float = 50.0
    """To pack a move, to unpack it and to follow it."""
    announce_ms: float = 20.0
    """`games.net.processes.ANNOUNCE_SECONDS`."""
    announcement_us: float = 15.0
    """To hear that a process joined or left, and to confirm it."""
    database_us: float = 60.0
    commit_ms: float = 2.0
    """A flush of the database's disk; each process commits one batch at a time."""
    move_bytes: int = 900
    """Of the database's log."""
    redis_us: float = 8.0
    """To take a message and to pass it on."""
    socket_kb: float = 30.0
    process_mb: float = 150.0

    @property
    def at_home_us(self) -> float:
        """What a move costs the process of its match, with its share of the end."""
        moves = self.minutes_a_match * 60 / self.seconds_a_move
        return self.move_us + self.viewer_us * self.viewers + self.end_us / moves


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
    pages = live * a.viewers * a.pages_a_minute / 60
    begun = live * a.viewers / (a.minutes_a_match * 60)
    a_second = 2 * (begun * a.topics_a_viewer + pages * a.topics_a_page)
    announcements = min(a_second, processes * 1000 / a.announce_ms) * (processes - 1)
    each = announcements / processes * a.announcement_us
    return Second(processes, moves, len(said), parcels, announcements, (max(busy.values()) + each) / 1e6)


def enough(live: int, by_match: bool, a: Assumptions) -> Second:
    """The fewest processes of which none is too busy."""
    fewest = max(1, math.ceil(live / a.seconds_a_move * a.at_home_us / 1e6 / a.busy))
    processes = fewest
    while (played := second(live, processes, by_match, a)).busiest > a.busy and processes < fewest * 8:
        processes = math.ceil(processes * 1.15)
    return played


def row(live: int, by_match: bool, a: Assumptions) -> str:
    it = enough(live, by_match, a)
    batches = min(it.moves, it.processes * 1000 / a.commit_ms)
    # What is said, what is announced, and its confirmations.
    messages = it.messages + 2 * it.announcements
    redis = messages * a.redis_us / 1e6
    database = it.moves * a.database_us / 1e6
    memory = it.processes * a.process_mb / 1024 + live * a.viewers * a.sockets_a_person * a.socket_kb / 2**20
    cells = (
        f"{live:,}", f"{it.moves:,}", f"{it.processes}", f"{it.busiest:.0%}", f"{memory:.1f}",
        f"{database:.2f}", f"{batches:,.0f}", f"{it.moves * a.move_bytes / 1e6:.1f}",
        f"{it.messages:,}", f"{it.announcements:,.0f}", f"{redis:.2f}",
    )  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.scaling", description=__doc__)
    for field in fields(Assumptions):
        kind = type(field.default)
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=kind, default=field.default)
    a = Assumptions(**vars(parser.parse_args()))
    for by_match in (True, False):
        print(f"\nPlayers of a match {'at the same process' if by_match else 'anywhere'}\n")
        print("| " + " | ".join(HEADINGS) + " |")
        print("|" + "---|" * len(HEADINGS))
        for live in LIVE:
            print(row(live, by_match, a))


if __name__ == "__main__":
    main()
