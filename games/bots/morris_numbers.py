"""Numbers for the positions of two groups of men, without holes and up to symmetry.

The ways to place the men of the first group fall into classes of ways that the symmetries of the board turn
into each other, each with one representative: the smallest mask. A position is turned so that its first group
is a representative; its number is that of the class, times the ways to place the second group on the other
points, plus the rank of the way in which it stands there. Men are masks with a bit per point, as
`games.rules.morris_boards.Board.points` lists them.

This module needs no compiler, but `number` can be compiled.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from games.rules.morris_boards import BOARDS

MOST_MEN = 6
"""Men of the second group, at most."""


class Numbering(NamedTuple):
    """What `number` needs to know of a board. Indexed alike as sequences, and as arrays by the compiler.

    Attributes:
        half: how many points are looked up at once: half of the board.
        turns: by symmetry, half of the board (0 is the lower) and men on it: where they then stand.
        choices: by points and men, how many ways there are to choose.
    """

    half: int
    turns: Any
    choices: Any


@cache
def numbering(board: str) -> Numbering:
    """That of a board."""
    points = len(BOARDS[board].points)
    half = points // 2
    turns = [[_turned(to[:half]), _turned(to[half:])] for to in symmetries(board)]
    choices = [[comb(n, men) for men in range(MOST_MEN + 1)] for n in range(points + 1)]
    return Numbering(half, turns, choices)


@cache
def symmetries(board: str) -> tuple[tuple[int, ...], ...]:
    """Those of a board that keep its lines, each as the points that its points go to."""
    adjacent, mills = BOARDS[board].adjacent, BOARDS[board].mills
    lines = {frozenset(line) for through in mills for line in through}
    found: list[tuple[int, ...]] = [()]
    for point in range(len(adjacent)):
        found = [
            (*to, end)
            for to in found
            for end in set(range(len(adjacent))) - set(to)
            if all((near in adjacent[point]) == (to[near] in adjacent[end]) for near in range(point))
        ]
    return tuple(to for to in found if {frozenset(to[point] for point in line) for line in lines} == lines)


@cache
def representatives(board: str, men: int) -> tuple[int, ...]:
    """The ways to place so many men up to symmetry, the smallest masks first."""
    half, turns, _ = numbering(board)
    low, found, seen = (1 << half) - 1, [], set[int]()
    for mask in sorted(sum(1 << point for point in each) for each in combinations(range(2 * half), men)):
        if mask not in seen:
            found.append(mask)
            seen |= {lower[mask & low] | upper[mask >> half] for lower, upper in turns}
    return tuple(found)


def number(first: int, second: int, kinds: Any, half: Any, turns: Any, choices: Any) -> int:
    """The number of a position; `kinds` are the representatives of the first group."""
    # One function without calls, as the compiler takes it too.
    low = (1 << half) - 1
    least, turn = first, 0
    for n in range(len(turns)):
        image = turns[n][0][first & low] | turns[n][1][first >> half]
        if image < least or n == 0:
            least, turn = image, n
    second = turns[turn][0][second & low] | turns[turn][1][second >> half]
    kind, end = 0, len(kinds)
    while end - kind > 1:
        middle = (kind + end) // 2
        if kinds[middle] <= least:
            kind = middle
        else:
            end = middle
    rank, men, free = 0, 0, 0
    for point in range(2 * half):
        if not (least >> point) & 1:
            if (second >> point) & 1:
                men += 1
                rank += choices[free][men]
            free += 1
    return int(kind * choices[free][men] + rank)


def _turned(to: tuple[int, ...]) -> list[int]:
    """Where the men of each mask of half a board go, whose points go to `to`."""
    found = [0] * (1 << len(to))
    for men in range(1, len(found)):
        found[men] = found[men & (men - 1)] | 1 << to[(men & -men).bit_length() - 1]
    return found
