"""`python -m tools.morris_book`: make the opening book of Nine Men's Morris in games/bots.

The book has positions in which the side to move is the book's. Each is searched, and what the search says of
its moves is backed up by minimax from the positions further on, once all plausible replies to a move have
been searched. Which replies are plausible a shallower search says; at the first two plies all are, and the
book's side may have made any move there. Next to be searched are always the positions that are reached most
easily: by few moves, the book's own being its best ones, and by replies that give little away.

What has been searched is kept in a file, so that the work can be interrupted, and more positions can be added
later: `--positions` alone decides what comes of it, and no number of processes changes that. A new `FULL`
needs a new file. With `--check` the book that is there is held against other judges, and none is made.
"""

from __future__ import annotations

import argparse
import heapq
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from games.bots import morris_book
from games.bots.morris_book import STEP, Book

from .morris_book_check import checked
from .morris_book_search import START, Reached, best, following, near_best, plies, search, state_of

POSITIONS = 480
"""About half an hour of processor time."""
BATCH = 12
"""Positions that are searched before it is worked out anew which ones come next, however many at once."""
WORK = Path("var/morris_book.work")

PLAUSIBLE = 15
"""How much worse than the best a reply is at most that the book has an answer to, in hundredths of a man."""
KEPT = 20
"""The same for a move that is written down."""
FREE_PLIES = 2
"""Plies at which any move may have been made."""

# How hard a position is to reach, in hundredths of a man that a reply gives away.
TURN = 6
"""For each move of the book."""
STRAY = 10
"""For one that is not its best, at the first plies."""


class Effort(NamedTuple):
    """How many positions a search looks at, of one of the book's side and of one with replies."""

    own: int
    replies: int


FULL = Effort(10_000_000, 1_000_000)


class Due(NamedTuple):
    """A position that is to be searched, and whether the side to move is the book's."""

    position: str
    own: bool


class Searches:
    """What has been searched, kept in a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.own: Book = {}
        self.replies: Book = {}
        for line in file.read_text().splitlines() if file.exists() else ():
            position, own, values = json.loads(line)
            self.side(own)[position] = values

    def side(self, own: bool) -> Book:
        """What has been searched where the book's side is to move, or the other."""
        return self.own if own else self.replies

    def add(self, batch: list[Due], found: list[dict[str, int]]) -> None:
        """Keep what came of a batch, all at once: what is searched next depends on where batches end."""
        lines = []
        for each, values in zip(batch, found, strict=True):
            self.side(each.own)[each.position] = values
            lines.append(json.dumps([each.position, each.own, values]) + "\n")
        self.file.parent.mkdir(exist_ok=True)
        with self.file.open("a") as opened:
            opened.write("".join(lines))


# What is worked out of the searches


class Values:
    """What positions are worth, by what has been searched."""

    def __init__(self, searches: Searches) -> None:
        self.searches = searches
        self.known: dict[str, dict[str, int]] = {}

    def own(self, position: str) -> dict[str, int]:
        """The values of the moves of a position of the book's side that has been searched."""
        if position not in self.known:
            self.known[position] = {
                move: rounded(self.move(position, move, value))
                for move, value in self.searches.own[position].items()
            }
        return self.known[position]

    def move(self, position: str, move: str, searched: int) -> int:
        """The value of a move: from the positions further on, or else what was found by a search."""
        value = self.after(following(position)[move])
        return searched if value is None else value

    def after(self, reached: Reached) -> int | None:
        """The same of a position after a move of the book's side; None if not all of it has been searched."""
        if reached.same:
            return best(self.own(reached.position)) if reached.position in self.searches.own else None
        return self.against(reached.position)

    def against(self, position: str) -> int | None:
        """What a position is worth to the book's side where the other is to move."""
        if position not in self.searches.replies:
            return None
        found = []
        for move in near_best(self.searches.replies[position], PLAUSIBLE):
            reached = following(position)[move]
            mine = Reached(reached.position, same=True)
            value = self.against(reached.position) if reached.same else self.after(mine)
            if value is None:
                return None
            found.append(value)
        return min(found)


def rounded(value: int) -> int:
    """The nearest multiple of `STEP`."""
    return (value + STEP // 2) // STEP * STEP


def due(searches: Searches) -> Iterator[Due]:
    """The positions to be searched next: those that are easiest to reach."""
    values, seen = Values(searches), set[Due]()
    waiting = [(0, Due(START, True)), (0, Due(START, False))]
    while waiting:
        cost, now = heapq.heappop(waiting)
        if now in seen:
            continue
        seen.add(now)
        if now.position not in searches.side(now.own):
            yield now
            continue
        for move, more in steps(now, searches, values):
            reached = following(now.position)[move]
            after = Due(reached.position, now.own == reached.same)
            if any(state_of(reached.position).hand):
                heapq.heappush(waiting, (cost + more, after))


def steps(now: Due, searches: Searches, values: Values) -> Iterator[tuple[str, int]]:
    """The moves after which the book goes on, and what each adds to how hard its position is to reach."""
    free = plies(now.position) < FREE_PLIES
    if now.own:
        bests = near_best(values.own(now.position), 0)
        for move in following(now.position) if free else bests:
            yield move, TURN if move in bests else STRAY
    else:
        replies = near_best(searches.replies[now.position], PLAUSIBLE)
        for move in following(now.position) if free else replies:
            yield move, 0 if free else replies[move]


def made(searches: Searches) -> Book:
    """The book: the good moves of all positions of its side, the best first."""
    values, book = Values(searches), Book()
    for position in searches.own:
        good = near_best(values.own(position), KEPT)
        ordered = sorted(good, key=lambda move: (good[move], move))
        book[position] = {move: values.own(position)[move] for move in ordered}
    return book


def searched(effort: Effort, due: Due) -> dict[str, int]:
    """The values of the good moves of a position, as exactly as is needed."""
    return search(due.position, effort.own if due.own else effort.replies)


def make(positions: int, work: Path, processes: int, effort: Effort = FULL) -> Book:
    """A book of so many positions, and of what is left of the last batch."""
    searches = Searches(work)
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        while len(searches.own) < positions:
            batch = list(islice(due(searches), BATCH))
            searches.add(batch, list(pool.map(partial(searched, effort), batch)))
            print(f"{len(searches.own)} positions", flush=True)
    return made(searches)


def head(positions: int) -> str:
    return (
        f"The opening book of Nine Men's Morris, of {positions:,} positions searched to {FULL.own:,} each, "
        "by python -m tools.morris_book. Do not edit it."
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.morris_book", description=__doc__)
    parser.add_argument("--positions", type=int, default=POSITIONS, help="%(default)s by default")
    parser.add_argument("--processes", type=int, default=1, help="%(default)s by default")
    parser.add_argument("--work", type=Path, default=WORK, help="what was searched; %(default)s by default")
    parser.add_argument(
        "--check", type=int, metavar="N", help="hold N positions against others, make no book"
    )
    parser.add_argument("--engine", help="with --check: a program that speaks Sanmill's text protocol")
    arguments = parser.parse_args()
    if arguments.check:
        for line in checked(arguments.engine, arguments.check):
            print(line, flush=True)
    else:
        book = make(arguments.positions, arguments.work, arguments.processes)
        morris_book.write(morris_book.PATH, book, head(len(book)))


if __name__ == "__main__":
    main()
