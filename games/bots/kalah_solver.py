"""Makes the tables of `kalah_tables`, compiled.

A value follows from those of the positions after each move. A move lays a seed into a store, and then there
are fewer in the pits; or its seeds stay on the mover's side and lie further right there, so that the side has
a lower number. So one pass in the order of these numbers finds every value, and none is needed before it is
known.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from . import kernel_cache
from .kalah_kernel import (
    Bytes,
    Endings,
    Integers,
    compiled,
    endings,
    gain,
    number,
    seeds_in_pits,
    sow,
    sowing_table,
)
from .kalah_tables import MOST_SEEDS, PITS, Table, Variant, path, size

_PITS = (1 << 48) - 1


def solve(variant: Variant, most: int) -> Bytes:
    """The values of a table with up to so many seeds."""
    values = np.zeros(size(most), np.uint8)
    found = endings(Table(most, values))
    table = sowing_table(PITS, variant.sow_both_stores)
    rules = np.array([PITS, variant.empty_capture], np.int64)
    sides = [_sides(seeds) for seeds in range(most + 1)]
    for seeds in range(most + 1):
        for fewer in range(seeds // 2 + 1):
            _fill(found, sides[fewer], sides[seeds - fewer], table, rules)
    return values


def make_missing() -> None:
    """Make and keep the tables that are missing. Raises `OSError` if one cannot be kept."""
    for variant in MOST_SEEDS:
        if not path(variant).exists():
            make(variant)


def make(variant: Variant) -> None:
    """Make and keep a table. Raises `OSError` if it cannot be kept."""
    kernel_cache.keep(path(variant), solve(variant, MOST_SEEDS[variant]).tobytes())


def _sides(seeds: int) -> Integers:
    """The sides with so many seeds in their pits, in the order of their numbers."""
    laid = combinations_with_replacement(range(PITS - 1, -1, -1), seeds)
    return np.array([sum(1 << 8 * pit for pit in each) for each in laid], np.int64)


@compiled
def _fill(known: Endings, fewer: Integers, more: Integers, table: Integers, rules: Integers) -> None:
    """Find the values where these sides meet, either of them to move."""
    for one in fewer:
        for other in more:
            _put(known, one, other, table, rules)
            _put(known, other, one, table, rules)


@compiled
def _put(known: Endings, own: int, their: int, table: Integers, rules: Integers) -> None:
    """Find the value of a position."""
    best = seeds_in_pits(own)
    if best and their:
        left, best = best + seeds_in_pits(their), 0
        for pit in range(PITS):
            if (own >> (8 * pit)) & 255:
                mine, yours, again, _ = sow(own, their, pit, table, rules)
                best = max(best, _after(known, mine, yours, again, left))
    found = number(own, their, known.ways, known.starts)
    known.values[found >> 1] |= best << (4 * (found & 1))


@compiled
def _after(known: Endings, own: int, their: int, again: int, left: int) -> int:
    """What the mover gets in all if a sowing leads to these sides, with what it laid into the stores."""
    got, lost = own >> 48, their >> 48
    own, their = own & _PITS, their & _PITS
    if own == 0 or their == 0 or again:
        return got + gain(own, their, known)
    return left - lost - gain(their, own, known)
