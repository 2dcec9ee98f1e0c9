"""The opening book of Nine Men's Morris: first moves in the preset `nine`, from the file beside this one.

`python -m tools.morris_book` makes it. A line of the file is a position and the moves worth playing there:

    ........................ 9 9 0 d6=12

First the points, as `games.rules.morris_boards.Board.points` lists them, seen by the player to move: `W` is a
man of its own, `B` one of the other. Then its men in hand, those of the other, and the men it takes now.
Values are in hundredths of a man, as `morris_kernel` has them, in multiples of `STEP`. Positions that the
sixteen symmetries of the board turn into each other share a line: it has the one whose points come first in
the alphabet.
"""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import TypeAlias

from games.rules.morris import MEN, WHITE, State
from games.rules.morris_boards import BOARDS, THREE, Move, parse

from .morris_patterns import symmetries

PATH = Path(__file__).with_name("morris_book.txt")
STEP = 4
"""Moves whose values come to the same multiple are equally good."""

Book: TypeAlias = dict[str, dict[str, int]]
"""For positions as `seen` writes them, the first of their symmetric ones: values by move."""

_NAMES = BOARDS[THREE].points
_EXCHANGED = str.maketrans(MEN, MEN[::-1])


class BadBook(Exception):
    """A file that is no book."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"{file} is damaged: restore it, or make it by python -m tools.morris_book")


def seen(state: State) -> str:
    """A position as its player to move sees it, in the notation of the file."""
    board = state.board if state.turn == WHITE else state.board.translate(_EXCHANGED)
    return f"{board} {state.hand[state.turn]} {state.hand[1 - state.turn]} {state.takes}"


@cache
def turns() -> tuple[tuple[int, ...], ...]:
    """The symmetries of the board, each as the points that its points come from."""
    return tuple(symmetries())


def turned(board: str, turn: tuple[int, ...]) -> str:
    """A board after a symmetry."""
    return "".join([board[point] for point in turn])


def least(text: str) -> tuple[str, list[tuple[int, ...]]]:
    """The first of the positions symmetric to one, and the symmetries that lead there."""
    board, rest = text.split(" ", 1)
    boards = [turned(board, turn) for turn in turns()]
    first = min(boards)
    return f"{first} {rest}", [turn for turn, each in zip(turns(), boards, strict=True) if each == first]


def moved(move: Move, turn: tuple[int, ...]) -> Move:
    """The move before a symmetry that became `move` by it."""
    start, to = (name and _NAMES[turn[_NAMES.index(name)]] for name in (move.start, move.to))
    return Move(start, to)


def read(file: Path = PATH) -> Book:
    """What a file has, below its first line of comment. Raises `BadBook`, and `OSError` if there is none."""
    book: Book = {}
    try:
        for line in file.read_text().splitlines()[1:]:
            board, mine, others, takes, *moves = line.split()
            values = (each.split("=") for each in moves)
            book[f"{board} {mine} {others} {takes}"] = {_checked(move): int(value) for move, value in values}
    except ValueError:
        raise BadBook(file) from None
    return book


def _checked(move: str) -> str:
    """A move, if the board has its points. Raises `ValueError`, as `parse` does."""
    parsed = parse(move)
    if not {parsed.start, parsed.to} <= {"", *_NAMES}:
        raise ValueError(move)
    return move


@cache
def load(file: Path = PATH) -> Book:
    """A book, kept from now on; empty, with a warning, if it cannot be used: then the player searches."""
    try:
        return read(file)
    except (OSError, BadBook) as error:
        warnings.warn(str(error), stacklevel=2)
        return {}


def write(file: Path, book: Book, head: str) -> None:
    """Write a book, a line for each position, below a line of comment."""
    lines = [
        " ".join([position, *(f"{move}={value}" for move, value in values.items())])
        for position, values in sorted(book.items())
    ]
    file.write_text("\n".join((f"# {head}", *lines)) + "\n")


def moves(state: State, book: Book) -> dict[Move, int]:
    """The moves of a book in a position, with their values; none where it does not know it."""
    first, ways = least(seen(state))
    found = {moved(parse(move), turn): value for turn in ways for move, value in book.get(first, {}).items()}
    return dict(sorted(found.items(), key=lambda known: str(known[0])))


def best(state: State) -> list[Move]:
    """The moves of the book that are worth most, all of them equally; none where it does not know any."""
    found = moves(state, load())
    most = max(found.values(), default=0)
    return [move for move, value in found.items() if value == most]
