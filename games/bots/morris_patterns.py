"""What positions of Nine Men's Morris are worth, as it was learned: the tables in the file beside this one.

A position is worth the sum of what its patterns are worth: the four sides of the board (the nine points of
three parallel lines and the line across them), its four quarters (the nine points around a corner of each
ring), its three rings and its sixteen lines. A pattern is a number of base three, with a digit per point: 0
for an empty one, 1 for a man of the player to move, 2 for one of the other. Patterns that the symmetries of
the board turn into each other share their worth, and so do the outer and the inner ring. To that comes how
many men the two have, how many points each can slide to, and how many men of each are shut in. There is a set
of tables for each range of men in hand, or of men on the board (`morris_kernel.phase_of`).

Worths are in hundredths of a man, or what makes the odds of a win e to the hundred-and-tenth part of them, as
`games.bots.morris.SCALE` has it. `bench.strength.train_morris` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import TypeAlias

import numpy as np

from games.rules.morris_boards import BOARDS, THREE

from .morris_kernel import BITS, MOST_MEN, MOST_SHUT, POINTS, Array, Learned

Symmetry: TypeAlias = Callable[[int], int]
"""Where a point goes to."""

PATH = Path(__file__).with_name("morris_nine.txt")
STEP = 4
"""What patterns are worth is a multiple of this in the file, a character each."""
ZERO, MOST_STEPS = ord("S"), 40
"""The character of nothing, and how far the others are from it at most."""

_NAMES = BOARDS[THREE].points
_PLACES = [(ord(name[0]) - ord("d"), int(name[1]) - 4) for name in _NAMES]
"""Of the points, as seen from the middle of the board."""


def turned(point: int) -> int:
    """A point after a quarter turn."""
    x, y = _PLACES[point]
    return _PLACES.index((y, -x))


def mirrored(point: int) -> int:
    """A point with left and right changed."""
    x, y = _PLACES[point]
    return _PLACES.index((-x, y))


def inside_out(point: int) -> int:
    """A point with the outer ring and the inner one changed."""
    x, y = _PLACES[point]
    ring = max(abs(x), abs(y))
    return _PLACES.index((x * (4 - ring) // ring, y * (4 - ring) // ring))


def symmetries() -> list[tuple[int, ...]]:
    """The sixteen of the board, each as the points that its points go to."""
    found = []
    for turns, mirror, swap in product(range(4), range(2), range(2)):
        steps: list[Symmetry] = [*[turned] * turns, *[mirrored] * mirror, *[inside_out] * swap]
        moved = list(range(POINTS))
        for step in steps:
            moved = [step(point) for point in moved]
        found.append(tuple(moved))
    return found


def rotations(pattern: Sequence[int]) -> list[tuple[int, ...]]:
    """A pattern on all four sides."""
    found = [tuple(pattern)]
    while len(found) < 4:
        found.append(tuple(turned(point) for point in found[-1]))
    return found


def named(text: str) -> tuple[int, ...]:
    """The points of `text`, which names them with spaces between."""
    return tuple(_NAMES.index(name) for name in text.split())


SIDES = rotations(named("a7 d7 g7 b6 d6 f6 c5 d5 e5"))
QUARTERS = rotations(named("a4 a7 d7 b4 b6 d6 c4 c5 d5"))
OUTER = named("a7 d7 g7 g4 g1 d1 a1 a4")
MIDDLE = named("b6 d6 f6 f4 f2 d2 b2 b4")
INNER = tuple(inside_out(point) for point in OUTER)
GROUPS = (SIDES, QUARTERS, [OUTER, INNER, MIDDLE])
"""The patterns whose numbers the kernel reads at once."""

PATTERNS = (SIDES[0], QUARTERS[0], OUTER, MIDDLE)
"""A pattern of each table, in the order in which the kernel has the tables."""
LINES = (named("a7 d7 g7"), named("b6 d6 f6"), named("d7 d6 d5"))
"""A line of each kind; the kernel has them within the sides."""
COUNTS = (MOST_MEN * MOST_MEN, POINTS + 1, POINTS + 1, MOST_SHUT + 1, MOST_SHUT + 1)
"""The tables of men, of points that the one and the other can slide to, and of men shut in."""
_LINES_OF_A_SIDE = ((0, (0, 1, 2)), (1, (3, 4, 5)), (0, (6, 7, 8)), (2, (1, 4, 7)))
"""Their kinds, and which points of the side they are."""

LEAST_IN_HAND = (13, 9, 6, 3, 1)
"""Men in hand, of both sides together, with which the first phases end."""


@cache
def codes() -> Array:
    """`Learned.codes` of the kernel."""
    found = np.zeros((len(GROUPS), 2, 4096), np.int64)
    for group, patterns in enumerate(GROUPS):
        for place, pattern in enumerate(patterns):
            for digit, point in enumerate(pattern):
                half, bit = divmod(point, 12)
                having = np.arange(4096) >> bit & 1
                found[group, half] += having * (3**digit << BITS * place)
    return found


@cache
def phases() -> Array:
    """`Learned.phases` of the kernel."""
    hands = range(POINTS + 1)
    return np.array([sum(hand < least for least in LEAST_IN_HAND) for hand in hands], np.int64)


def digits(points: int) -> Array:
    """Of the numbers of all patterns of so many points, a row each."""
    powers: Array = 3 ** np.arange(points)
    return np.arange(3**points)[:, None] // powers % 3


@cache
def different() -> tuple[Array, ...]:
    """For each table, which of its different worths each number has."""
    found: list[Array] = []
    for pattern in (*PATTERNS, *LINES):
        powers, least = 3 ** np.arange(len(pattern)), np.arange(3 ** len(pattern))
        for moved in symmetries():
            image = [moved[point] for point in pattern]
            if set(image) == set(pattern):
                order = [image.index(point) for point in pattern]
                least = np.minimum(least, digits(len(pattern))[:, order] @ powers)
        found.append(np.unique(least, return_inverse=True)[1])
    return (*found, *(np.arange(count) for count in COUNTS))


def sizes() -> list[int]:
    """How many different worths each table has."""
    return [int(of.max()) + 1 for of in different()]


@cache
def lines_of_sides() -> Array:
    """For the four lines of a side: which of the worths of its kind each number of the side has."""
    powers = 3 ** np.arange(3)
    kinds = different()[len(PATTERNS) :]
    return np.stack([kinds[kind][digits(9)[:, points] @ powers] for kind, points in _LINES_OF_A_SIDE])


def learned(tables: Sequence[Sequence[Array]]) -> Learned:
    """What the kernel reads, of the different worths of each table of each phase."""
    rows = []
    for phase in tables:
        spread = [worths[of] for worths, of in zip(phase, different(), strict=True)]
        for (kind, _), of in zip(_LINES_OF_A_SIDE, lines_of_sides(), strict=True):
            spread[0] = spread[0] + phase[len(PATTERNS) + kind][of]
        del spread[len(PATTERNS) : len(PATTERNS) + len(LINES)]
        rows.append(np.concatenate(spread))
    return Learned(codes(), phases(), np.stack(rows).astype(np.int16))


def read() -> Learned:
    """What the file has."""
    lines = PATH.read_text().splitlines()[1:]
    size = len(different())
    tables = [
        unpacked(line) if at % size < len(PATTERNS) else np.array(line.split(), np.int64)
        for at, line in enumerate(lines)
    ]
    return learned([tables[at : at + size] for at in range(0, len(tables), size)])


@cache
def load() -> Learned:
    """What was learned of the preset `nine`."""
    return read()


@cache
def nothing() -> Learned:
    """For games of which nothing was learned."""
    return learned([[np.zeros(size, np.int64) for size in sizes()]])


def save(tables: Sequence[Sequence[Array]], head: str) -> None:
    """Write down the different worths of each table of each phase, a line each, below a line of comment."""
    lines = [
        packed(worths) if at < len(PATTERNS) else " ".join(map(str, worths.tolist()))
        for phase in tables
        for at, worths in enumerate(phase)
    ]
    PATH.write_text("\n".join((f"# {head}", *lines)) + "\n")


def packed(worths: Array) -> str:
    """What patterns are worth, a character each."""
    steps = np.clip(np.round(worths / STEP), -MOST_STEPS, MOST_STEPS).astype(np.int64)
    return "".join(chr(ZERO + step) for step in steps.tolist())


def unpacked(line: str) -> Array:
    """The worths of a packed line."""
    return np.array([(ord(letter) - ZERO) * STEP for letter in line], np.int64)
