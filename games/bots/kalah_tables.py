"""Exact endings of Kalah with six pits a side, from files that this machine has made.

A table has the value of every position with up to so many seeds in the pits: how many of these seeds the
player to move gets with best play of both sides. The other player gets the rest, and what lies in the stores
changes nothing. So a table holds for any number of seeds at the start, and with the pie rule once it is
settled. There is one for each way to sow and capture that a preset has (`MOST_SEEDS`); all take 18 MB.

A server makes them in the background (`games.bots.kalah_solver`), and `make endings` does it at once. They
are kept with the compiled kernels. While one is missing, the player searches. This module needs no compiler.

Positions are numbered without holes: by the seeds of both sides (`Numbering.starts`), then by the own side,
then by the other one. Of the sides with as many seeds, the first has its seeds furthest right. A value is
half a byte.
"""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from games.bots import kernel_cache
from games.bots.base import Proved
from games.rules.kalah import Options, State, stores

PITS = 6
"""Pits a side on the boards that have tables."""


class Variant(NamedTuple):
    """The options on which the value of a position depends."""

    sow_both_stores: bool
    empty_capture: bool


MOST_SEEDS: Mapping[Variant, int] = {
    Variant(sow_both_stores=False, empty_capture=False): 15,
    Variant(sow_both_stores=False, empty_capture=True): 14,
    Variant(sow_both_stores=True, empty_capture=False): 14,
}
"""Up to how many seeds in the pits there is a table: `classic` and `pie-rule`, `kalaha`, `circle`."""
LIMIT = 15
"""Half a byte holds no greater value."""


class Numbering(NamedTuple):
    """What `number` needs to know. Indexed alike as sequences, and as arrays by the compiler.

    Attributes:
        ways: by pits and seeds, how many ways there are to lay so many seeds or fewer into so many pits.
        starts: by the seeds of the own and of the other side, the number of their first position.
    """

    ways: Any
    starts: Any


@cache
def numbering() -> Numbering:
    """The only one there is."""
    ways = [[comb(seeds + pits, pits) for seeds in range(LIMIT + 1)] for pits in range(PITS)]
    starts, first = [[0] * (LIMIT + 1) for _ in range(LIMIT + 1)], 0
    for seeds in range(LIMIT + 1):
        for own in range(seeds + 1):
            starts[own][seeds - own] = first
            first += ways[PITS - 1][own] * ways[PITS - 1][seeds - own]
    return Numbering(ways, starts)


def positions(seeds: int) -> int:
    """How many positions have so many seeds in the pits, or fewer."""
    return comb(seeds + 2 * PITS, 2 * PITS)


def number(own: int, their: int, ways: Any, starts: Any) -> int:
    """The number of a position, by its sides; a pit is a byte, the left one the lowest."""
    # One function without calls, as the compiler takes it too.
    mine, own_seeds = 0, (own >> 40) & 255
    yours, their_seeds = 0, (their >> 40) & 255
    for pits in range(1, PITS):
        shift = 8 * (PITS - 1 - pits)
        mine -= ways[pits][own_seeds]
        yours -= ways[pits][their_seeds]
        own_seeds += (own >> shift) & 255
        their_seeds += (their >> shift) & 255
        mine += ways[pits][own_seeds]
        yours += ways[pits][their_seeds]
    return int(starts[own_seeds][their_seeds] + mine * ways[PITS - 1][their_seeds] + yours)


# Files


class Table(NamedTuple):
    """The values of the positions with up to so many seeds in the pits, two a byte, the lower half first."""

    seeds: int
    values: Any


def variant_of(options: Options) -> Variant | None:
    """Which table holds for a match; None if there is none for its rules."""
    variant = Variant(options.sow_both_stores, options.empty_capture)
    return variant if options.pits == PITS and variant in MOST_SEEDS else None


def size(seeds: int) -> int:
    """The bytes of a table."""
    return (positions(seeds) + 1) // 2


def path(variant: Variant) -> Path:
    """Where a table is kept; its name tells the code that made it."""
    rules = "".join(str(int(each)) for each in variant)
    return kernel_cache.folder() / f"kalah-{_code()}-{rules}-{MOST_SEEDS[variant]}.table"


def table(options: Options) -> Table | None:
    """The table for a match, read from the disk as it is needed; None if it is not made yet."""
    variant = variant_of(options)
    if variant is None:
        return None
    try:
        return _opened(path(variant), MOST_SEEDS[variant])
    except (OSError, ValueError):
        return None


@cache
def _opened(file: Path, seeds: int) -> Table:
    """A table. Raises `OSError` if there is no such file, and `ValueError` if it is too short."""
    with file.open("rb") as opened:
        return Table(seeds, mmap.mmap(opened.fileno(), size(seeds), access=mmap.ACCESS_READ))


@cache
def _code() -> str:
    """A hash of the modules that values depend on."""
    digest = sha256()
    for name in ("kalah_kernel", "kalah_solver", "kalah_tables"):
        digest.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    return digest.hexdigest()[:16]


# Values


def proved(state: State) -> Proved | None:
    """The result of a position, if a table has it."""
    pits, board = state.options.pits, state.board
    sides = board[:pits], board[pits + 1 : -1]
    left = sum(map(sum, sides))
    if state.ended is not None or state.swapper is not None:
        return None
    known = table(state.options)
    if known is None or left > known.seeds:
        return None
    own, their = (int.from_bytes(bytes(sides[seat]), "little") for seat in (state.turn, 1 - state.turn))
    found = number(own, their, *numbering())
    gained = (known.values[found >> 1] >> (4 * (found & 1))) & LIMIT
    seeds = stores(state)
    lead = seeds[state.turn] - seeds[1 - state.turn] + 2 * gained - left
    return Proved((lead > 0) - (lead < 0), lead)
