"""Other judges of the opening book of Nine Men's Morris: `--check` of `tools.morris_book`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from random import Random
from typing import NamedTuple

from bench.strength.sanmill import Engine
from games.bots import morris_book
from games.bots.morris_book import Book
from games.rules import morris
from games.rules.morris import EMPTY, MEN, PRESETS
from games.rules.morris_boards import BOARDS, THREE

from .morris_book_search import near_best, plies, search, state_of

SEED = 1
TOLERANCE = 20
"""In hundredths of a man."""
LEARNED_NODES, WEIGHTS_NODES = 20_000_000, 10_000_000
"""Positions that a search looks at which judges by what was learned, and one that judges by weights."""
ENGINE_PLIES, ENGINE_SECONDS = 30, 3.0
"""What an engine may do: look so far ahead at most, and so many seconds of processor time."""


class Agreement(NamedTuple):
    """Of how many positions another judge finds the book's move good, of how many."""

    good: int
    of: int


def check(book: Book, number: int, nodes: int, knows: bool) -> Agreement:
    """Search random positions anew, to so many positions each, and by what was learned or else by weights.

    Another judge agrees where it finds a best move of the book worse than its own by `TOLERANCE` at most.
    """
    sample, good = Random(SEED).sample(sorted(book), min(number, len(book))), 0
    for position in sample:
        found = near_best(search(position, nodes, knows), TOLERANCE)
        good += not found.keys().isdisjoint(near_best(book[position], 0))
    return Agreement(good, len(sample))


def check_with(engine: Engine, book: Book, number: int, seconds: float) -> Agreement:
    """Ask an engine about random positions; it agrees where its move is one of those in the book."""
    asked = [each for each in sorted(book) if placings(each)]
    sample = Random(SEED).sample(asked, min(number, len(asked)))
    good = 0
    for position in sample:
        way, state = placings(position), morris.setup(PRESETS["nine"])
        for move in way:
            state = morris.play(state, morris.parse(move)).state
        good += engine.choose(way, seconds) in map(str, morris_book.moves(state, book))
    return Agreement(good, len(sample))


def placings(position: str) -> list[str]:
    """Moves that lead to a position; none for the start, and where a man has been taken or will be."""
    state, points = state_of(position), BOARDS[THREE].points
    if state.takes or state.board.count(EMPTY) + plies(position) != len(points):
        return []
    white, black = (
        [name for name, man in zip(points, state.board, strict=True) if man == own] for own in MEN
    )
    first, second = (white, black) if len(white) == len(black) else (black, white)
    return [name for pair in zip_longest(first, second) for name in pair if name]


def checked(engine: str | None, number: int) -> Iterator[str]:
    """What other judges say of the book, by lines."""
    book = morris_book.read()
    learned = check(book, number, LEARNED_NODES, knows=True)
    yield f"as good by what was learned, at {LEARNED_NODES:,} positions: {learned.good} of {learned.of}"
    weights = check(book, number, WEIGHTS_NODES, knows=False)
    yield f"as good by weights set by hand, at {WEIGHTS_NODES:,} positions: {weights.good} of {weights.of}"
    if engine:
        with Engine([engine], ENGINE_PLIES) as asked:
            other = check_with(asked, book, number, ENGINE_SECONDS)
        yield f"the engine plays a move of the book: {other.good} of {other.of}"
