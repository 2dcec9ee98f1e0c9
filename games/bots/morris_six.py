"""Six Men's Morris, solved: the value of every position, from the file beside this one.

The values mean what those of `games.bots.morris_retrograde` do. They hold for the preset `six`, and for fewer
men on its board. `python -m tools.morris_tables` makes and checks them, `morris_tables` uses them. No
compiler is needed.

Positions are numbered without holes: by the men in hand and on the board (`starts`), then by where the men of
the player to move stand, up to symmetry, then by the men of the other (`games.bots.morris_numbers`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import comb
from pathlib import Path
from typing import TypeAlias

from games.rules.morris import FEWEST_MEN, PRESETS, Options
from games.rules.morris_boards import BOARDS, TWO

from . import table_file
from .morris_numbers import number, numbering, representatives

BOARD, MEN = TWO, PRESETS["six"].men
POINTS = len(BOARDS[BOARD].points)
PATH = Path(__file__).with_name("morris_six.table")
NAME = "morris table 1 six"
"""The number counts up when the numbering or the meaning of the values changes."""

Block: TypeAlias = tuple[tuple[int, int], int, int]
"""The men in hand of both, and on the board: the player to move first."""


def blocks() -> Iterator[Block]:
    """All, in the order of their numbers."""
    for placed in range(2 * MEN, -1, -1):
        hands = MEN - placed // 2, MEN - (placed + 1) // 2
        for mine in range(MEN - hands[0] + 1):
            for others in range(MEN - hands[1] + 1):
                if min(mine + hands[0], others + hands[1]) >= FEWEST_MEN:
                    yield hands, mine, others


def size(block: Block) -> int:
    """How many numbers a block has."""
    _, mine, others = block
    return len(representatives(BOARD, mine)) * comb(POINTS - mine, others)


@cache
def starts() -> dict[Block, int]:
    """The first number of each block."""
    found, first = {}, 0
    for block in blocks():
        found[block] = first
        first += size(block)
    return found


@cache
def positions() -> int:
    """How many numbers there are."""
    return sum(map(size, blocks()))


def fits(options: Options) -> bool:
    """Whether the table holds for a match."""
    same = replace(options, men=MEN, threefold=True, fifty=True)
    return same == PRESETS["six"] and options.men <= MEN


def number_of(me: int, other: int, hands: tuple[int, int]) -> int | None:
    """The number of a position at the beginning of a turn; None if no match comes to it."""
    mine = me.bit_count()
    start = starts().get((hands, mine, other.bit_count()))
    if start is None:
        return None
    return start + number(me, other, representatives(BOARD, mine), *numbering(BOARD))


def value(me: int, other: int, hands: tuple[int, int]) -> int | None:
    """The value of a position at the beginning of a turn, if the table has it."""
    found = number_of(me, other, hands)
    if found is None:
        return None
    values = table_file.loaded(PATH, NAME, positions())
    return None if values is None else values[found]
