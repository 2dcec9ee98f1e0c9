"""Numbers for the positions of three men against a few others, without holes and up to symmetry, compiled.

The board of three squares has sixteen symmetries: turns, reflections, and the exchange of its outer and
inner square. The 2,024 ways to place three men fall into classes of ways that symmetries turn into each
other, each with one representative. A position is turned so that its three men are the representative of
their class; its number is that of the class, times the ways to place the others on the 21 points that are
left, plus the rank of the way in which they stand.

Men are masks with a bit per point, as in `games.bots.morris_kernel`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .morris_kernel import POINTS, Array, apart, compiled
from .morris_numbers import MOST_MEN
from .morris_patterns import symmetries

LEFT = POINTS - 3
"""Points on which the other men can stand."""
HALF = 12
"""Points that a mask is looked up by at once."""
LOWER = (1 << HALF) - 1


Values: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]


class Index(NamedTuple):
    """What positions are numbered with.

    Attributes:
        counts: the men of half a mask.
        low: the rank of a lower half.
        high: what an upper half adds to the rank, by the men in the lower one.
        turned: by symmetry, half (0 is the lower) and men of the half: where they then stand.
        class_of: the class of three men, by their rank.
        turn_of: the symmetry that makes three men the representative of their class, by their rank.
        threes: the representatives, by class.
        own, owns: the symmetries that leave a representative as it is, and how many they are, by class.
    """

    counts: Array
    low: Array
    high: Array
    turned: Array
    class_of: Array
    turn_of: Array
    threes: Array
    own: Array
    owns: Array


@cache
def index() -> Index:
    """The only one there is."""
    halves = range(1 << HALF)
    bits = [[point for point in range(HALF) if half >> point & 1] for half in halves]
    high = [
        [sum(comb(HALF + point, men + n + 1) for n, point in enumerate(own)) for own in bits]
        for men in range(MOST_MEN + 1)
    ]
    turns = symmetries()
    turned = [[_turned(to[:HALF]), _turned(to[HALF:])] for to in turns]
    threes = sorted(sum(1 << point for point in each) for each in combinations(range(POINTS), 3))
    images = [[lower[men & LOWER] | upper[men >> HALF] for lower, upper in turned] for men in threes]
    representatives = sorted({min(each) for each in images})
    own = [
        [s for s, image in enumerate(images[threes.index(three)]) if image == three]
        for three in representatives
    ]
    return Index(
        counts=np.array([len(each) for each in bits]),
        low=np.array([sum(comb(point, n + 1) for n, point in enumerate(each)) for each in bits]),
        high=np.array(high),
        turned=np.array(turned),
        class_of=np.array([representatives.index(min(each)) for each in images]),
        turn_of=np.array([each.index(min(each)) for each in images]),
        threes=np.array(representatives),
        own=np.array([[*each, *[0] * (len(turns) - len(each))] for each in own]),
        owns=np.array([len(each) for each in own]),
    )


def _turned(to: Sequence[int]) -> list[int]:
    """Where the men of each half mask go whose points go to `to`."""
    found = [0] * (1 << HALF)
    for men in range(1, 1 << HALF):
        found[men] = found[men & (men - 1)] | 1 << to[(men & -men).bit_length() - 1]
    return found


def ways(men: int) -> int:
    """How many ways there are to place the other men, so many, beside three."""
    return comb(LEFT, men)


def masks(men: int) -> Array:
    """Of 21 points, the ways to place so many men, by rank."""
    return np.array(sorted(sum(1 << point for point in each) for each in combinations(range(LEFT), men)))


@apart
def rank(x: Index, men: int) -> int:
    """The number of a mask among those with as many men, the smallest first."""
    lower = men & LOWER
    return int(x.low[lower] + x.high[x.counts[lower], men >> HALF])


@apart
def turn(x: Index, symmetry: int, men: int) -> int:
    """Where men stand after a symmetry."""
    return int(x.turned[symmetry, 0, men & LOWER] | x.turned[symmetry, 1, men >> HALF])


@apart
def without(three: int, men: int) -> int:
    """The mask of men on the 21 points beside three others."""
    while three:
        low = three & -three
        men = (men & (low - 1)) | ((men >> 1) & -low)
        # The points above have moved down by one.
        three = (three ^ low) >> 1
    return men


@apart
def beside(three: int, men: int) -> int:
    """The mask on the whole board of men on the 21 points beside three others."""
    while three:
        low = three & -three
        men = (men & (low - 1)) | ((men & -low) << 1)
        three ^= low
    return men


@apart
def number(x: Index, ways: int, three: int, men: int) -> int:
    """The number of a position of three men and others, who can stand in so many ways."""
    found = rank(x, three)
    kind, symmetry = x.class_of[found], x.turn_of[found]
    return int(kind * ways + rank(x, without(x.threes[kind], turn(x, symmetry, men))))


@compiled
def number_of(x: Index, ways: int, three: int, men: int) -> int:
    """The same for Python."""
    return number(x, ways, three, men)
