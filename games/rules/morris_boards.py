"""The boards of Nine Men's Morris and its relatives, and how moves on them are written.

A board is its lines: neighbours on a line are adjacent, and a line of three is a mill when it is full
of men of one colour. Points are named by file and rank, `a1` at the bottom left. Where they are counted,
it is from the top rank down and from left to right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from .base import Unparseable

THREE, TWO, DIAGONALS = "three", "two", "diagonals"

_THREE_SQUARES = (
    "a7-d7-g7 b6-d6-f6 c5-d5-e5 a4-b4-c4 e4-f4-g4 c3-d3-e3 b2-d2-f2 a1-d1-g1 "
    "a7-a4-a1 b6-b4-b2 c5-c4-c3 d7-d6-d5 d3-d2-d1 e5-e4-e3 f6-f4-f2 g7-g4-g1"
)
LINES = {
    THREE: _THREE_SQUARES,
    TWO: ("a5-c5-e5 b4-c4-d4 b2-c2-d2 a1-c1-e1 a5-a3-a1 b4-b3-b2 d4-d3-d2 e5-e3-e1 a3-b3 c5-c4 c2-c1 d3-e3"),
    DIAGONALS: f"{_THREE_SQUARES} a7-b6-c5 g7-f6-e5 a1-b2-c3 g1-f2-e3",
}

Mill: TypeAlias = tuple[int, int, int]
"""The points of a line of three."""


@dataclass(frozen=True, slots=True)
class Move:
    """A man goes from `start` to `to`. An empty start is the hand, an empty end is off the board."""

    start: str
    to: str

    def __str__(self) -> str:
        if not self.to:
            return f"x{self.start}"
        return f"{self.start}-{self.to}" if self.start else self.to


@dataclass(frozen=True, slots=True)
class Board:
    """What follows from the lines of a board, by point.

    `adjacent[p]` are the neighbours of p, `mills[p]` the lines of three through it, and `slides[p][q]`
    is the move from p to q.
    """

    points: tuple[str, ...]
    adjacent: tuple[tuple[int, ...], ...]
    mills: tuple[tuple[Mill, ...], ...]
    places: tuple[Move, ...]
    slides: tuple[tuple[Move, ...], ...]
    takes: tuple[Move, ...]


def _board(text: str) -> Board:
    lines = [line.split("-") for line in text.split()]
    points = sorted({point for line in lines for point in line}, key=lambda point: (-int(point[1]), point))
    rows = [tuple(map(points.index, line)) for line in lines]
    steps = [step for row in rows for step in pairwise(row)]
    near = [sorted(a + b - point for a, b in steps if point in (a, b)) for point in range(len(points))]
    threes = [(row[0], row[1], row[2]) for row in rows if len(row) == 3]
    return Board(
        tuple(points),
        adjacent=tuple(map(tuple, near)),
        mills=tuple(tuple(row for row in threes if point in row) for point in range(len(points))),
        places=tuple(Move("", to) for to in points),
        slides=tuple(tuple(Move(start, to) for to in points) for start in points),
        takes=tuple(Move(start, "") for start in points),
    )


BOARDS = {name: _board(lines) for name, lines in LINES.items()}

_POINT = "[a-g][1-7]"
_NOTATION = re.compile(f"x(?P<taken>{_POINT})|((?P<start>{_POINT})-)?(?P<to>{_POINT})")


def parse(text: str) -> Move:
    """The move written as `d6` (place), `d6-d5` (slide or fly) or `xd6` (take). Raises `Unparseable`.

    Any file from a to g and rank from 1 to 7 will do; whether a board has the point is for `play` to say.
    """
    found = _NOTATION.fullmatch(text)
    if found is None:
        raise Unparseable(text)
    return Move(found["taken"] or found["start"] or "", found["to"] or "")
