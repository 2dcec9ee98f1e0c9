"""Solves Six Men's Morris, from the empty board on, compiled.

Once all men are placed, the positions of so many men are solved together, those with fewer men first. What
ends the match in no turns is found first, then what ends in one, and so on: a position is won if a move leads
to one that is lost for the other side, and lost if all moves lead to positions that are won for the other
side. What is left is drawn. While men are placed no position comes back, so one pass finds the values, from
the last man to the first.

The values are those of `games.bots.morris_retrograde`, numbered as in `games.bots.morris_six`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from games.rules.morris import PRESETS

from . import morris_numbers, morris_six
from .compiler import njit
from .morris import table as table_of
from .morris_kernel import Array, Table, apart, closed, compiled, count, lowest, takeable
from .morris_six import BOARD, MEN

Values: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"
HIGHEST = 254
LOST_NOW = 1

number = compiled(morris_numbers.number)


class Known(NamedTuple):
    """What is known so far.

    Attributes:
        table: the board.
        values: by number.
        starts: the first number by men in hand and on the board, each of the player to move and of the other.
        kinds: by men, the representatives of the ways to place them, and zeros behind them.
        sizes: by men, how many representatives there are.
        half, turns, choices: as in `games.bots.morris_numbers.Numbering`.
    """

    table: Table
    values: Values
    starts: Array
    kinds: Array
    sizes: Array
    half: int
    turns: Array
    choices: Array


def solve() -> Values:
    """The values of all positions. Raises `OverflowError` if a match is longer than a byte can tell."""
    known = _nothing_known()
    for men in range(6, 2 * MEN + 1):
        for mine in range(max(3, men - MEN), men // 2 + 1):
            _solve_slides(known, mine, men - mine)
    for in_hand in range(1, 2 * MEN + 1):
        for hands, mine, others in morris_six.blocks():
            if sum(hands) == in_hand:
                _sweep(known, *hands, mine, others, HIGHEST)
    return known.values


def _nothing_known() -> Known:
    starts = np.full((MEN + 1,) * 4, -1, np.int64)
    for (hands, mine, others), start in morris_six.starts().items():
        starts[(*hands, mine, others)] = start
    kinds = [morris_numbers.representatives(BOARD, men) for men in range(MEN + 1)]
    sizes = [len(each) for each in kinds]
    half, turns, choices = morris_numbers.numbering(BOARD)
    return Known(
        table_of(PRESETS["six"]),
        np.zeros(morris_six.positions(), np.uint8),
        starts,
        np.array([[*each, *[0] * (max(sizes) - len(each))] for each in kinds]),
        np.array(sizes),
        half,
        np.array(turns),
        np.array(choices),
    )


def _solve_slides(known: Known, mine: int, others: int) -> None:
    """Solve the positions of so many men, none of them in hand, with either side to move."""
    # What lies behind a mill may take longer than what has been found here.
    code, last = 1, int(known.values.max()) + 1
    while code <= last:
        if code == HIGHEST:
            raise OverflowError("a match of Six Men's Morris is longer than a byte can tell")
        found = _sweep(known, 0, 0, mine, others, code)
        if mine != others:
            found += _sweep(known, 0, 0, others, mine, code)
        last = max(last, code + 1) if found else last
        code += 1


@njit(cache=True, nogil=True)
def _sweep(known: Known, my_hand: int, other_hand: int, mine: int, others: int, highest: int) -> int:
    """Find the values of a block that are not above `highest`; how many there are.

    The values after a move count if they are lower.
    """
    found, at = 0, known.starts[my_hand, other_hand, mine, others]
    ways = known.choices[2 * known.half - mine, others]
    for kind in range(known.sizes[mine]):
        me = known.kinds[mine, kind]
        mask = (1 << others) - 1
        for _ in range(ways):
            if known.values[at] == 0:
                value = _by_moves(known, me, _beside(me, mask), my_hand, other_hand, highest)
                known.values[at] = value
                found += value != 0
            at += 1
            mask = _next(mask)
    return found


@apart
def _next(mask: int) -> int:
    """The next mask with as many men."""
    if mask == 0:
        return 0
    low = mask & -mask
    carried = mask + low
    return carried | (((mask ^ carried) >> 2) // low)


@apart
def _beside(first: int, men: int) -> int:
    """The mask on the whole board of men on the points beside others."""
    while first:
        low = first & -first
        men = (men & (low - 1)) | ((men & -low) << 1)
        first ^= low
    return men


@apart
def _by_moves(known: Known, me: int, other: int, my_hand: int, other_hand: int, highest: int) -> int:
    """The value of a position as it follows from lower ones than `highest` after each of its moves."""
    t, win, loss, open_ones, moves = known.table, 0, 0, 0, 0
    empty, starts = t.full & ~(me | other), 0 if my_hand else me
    while True:
        start = starts & -starts
        left = me ^ start
        ends = empty & t.near[lowest(start)] if start else empty if my_hand else 0
        while ends:
            end = ends & -ends
            ends ^= end
            moves += 1
            hand = my_hand - (start == 0)
            taken = takeable(t, other) if closed(t, left, lowest(end)) else 0
            while True:
                man = taken & -taken
                value = _value(known, other ^ man, left | end, other_hand, hand)
                if value == 0 or value >= highest:
                    open_ones += 1
                elif value & 1:
                    win = min(win, value) if win else value
                else:
                    loss = max(loss, value)
                taken ^= man
                if not taken:
                    break
        starts ^= start
        if not starts:
            break
    if win:
        return win + 1
    if not moves:
        return LOST_NOW
    return 0 if open_ones else loss + 1


@apart
def _value(known: Known, me: int, other: int, my_hand: int, other_hand: int) -> int:
    """The value of a position at the beginning of a turn."""
    mine, others = count(me), count(other)
    if mine + my_hand < 3:
        return LOST_NOW
    kinds = known.kinds[mine, : known.sizes[mine]]
    start = known.starts[my_hand, other_hand, mine, others]
    return int(known.values[start + number(me, other, kinds, known.half, known.turns, known.choices)])
