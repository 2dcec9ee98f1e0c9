"""Exact values of the positions of three men against a few, by retrograde analysis, compiled.

The method is K. Thompson's. It begins with the positions in which the match ends. A position is won if a
move leads to one that is lost for the other side, and lost if all moves lead to positions that are won for
the other side. So all wins and losses are found in the order of their length; the other positions are
drawn. If the side of three takes a man, the position is in the table of one man less, which is made before.

A value is a byte: 0 is a draw, any other value is one more than the number of turns to the end, with the
shortest win and the longest loss. So even values are wins of the side to move, odd values are losses, and 1
is a side that is blocked. A turn includes the man that it takes. Repetitions and quiet turns are not
counted here; `morris_tables` takes account of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from games.rules.morris import PRESETS

from .compiler import njit
from .morris import table as table_of
from .morris_index import Index, Values, beside, index, masks, number, rank, turn, ways, without
from .morris_kernel import Array, Table, apart, closed, lowest, takeable
from .morris_tables import Solved

NONE = 255
"""No man can be taken."""
HIGHEST = 254


class Progress(NamedTuple):
    """What is known so far of three men against some.

    Attributes:
        numbers: what positions are numbered with.
        table: the board.
        ways: how many ways there are to place the others.
        threes, others: the values, as in `Solved`.
        takes: what the three get by taking a man; `NONE` where they cannot.
        marks: by side, when each position was last looked at, so that it is looked at once a step.
    """

    numbers: Index
    table: Table
    ways: int
    threes: Values
    others: Values
    takes: Values
    marks: Values


def solve(men: int, smaller: Solved | None) -> Solved:
    """The values of three against so many, by those of three against one less (None for three).

    Raises `OverflowError` if a match could take longer than a byte can tell.
    """
    places = masks(men)
    below = np.asarray(smaller.others) if smaller else np.zeros(1, np.uint8)
    positions = len(index().threes) * len(places)
    threes, others, takes = (np.zeros(positions, np.uint8) for _ in range(3))
    marks = np.zeros((2, positions), np.uint8)
    known = Progress(index(), table_of(PRESETS["nine"]), len(places), threes, others, takes, marks)
    begin(known, places, men, below, ways(men - 1))
    code, last = 1, max(2, int(takes[takes != NONE].max(initial=0)))
    while code <= last:
        if code == HIGHEST:
            raise OverflowError("a match of three men against a few is longer than a byte can tell")
        if step(known, places, men, code):
            last = max(last, code + 1)
        code += 1
    return Solved(threes, others)


@apart
def is_mill(t: Table, men: int) -> bool:
    """Whether three men are a mill."""
    return closed(t, men, lowest(men)) > 0


@apart
def ends_of(t: Table, mine: int, other: int, start: int, anywhere: bool) -> int:
    """Where a man can go."""
    empty = t.full & ~(mine | other)
    return empty if anywhere else empty & t.near[start]


@apart
def by_taking(x: Index, t: Table, three: int, men: int, below: Values, size: int) -> int:
    """The value of a position for the three, to move, if they had to take a man."""
    win, loss, draws, rest = NONE, 0, False, three
    targets = takeable(t, men)
    while rest:
        start = lowest(rest)
        rest &= rest - 1
        pair = three & ~(1 << start)
        ends = t.full & ~(three | men)
        while ends:
            moved = pair | (ends & -ends)
            ends &= ends - 1
            if not is_mill(t, moved):
                continue
            left = targets
            while left:
                value = below[number(x, size, moved, men & ~(left & -left))]
                left &= left - 1
                if value == 0:
                    draws = True
                elif value & 1:
                    win = min(win, value + 1)
                else:
                    loss = max(loss, value + 1)
    if win != NONE:
        return win
    if draws:
        return 0
    return loss if loss else NONE


@apart
def at_once(t: Table, men: int, three: int, anywhere: bool) -> int:
    """The value for a side that wins with a mill: 2 if it can close one, 1 if it is blocked, 0 otherwise."""
    can_move, rest = False, men
    while rest:
        start = lowest(rest)
        rest &= rest - 1
        left = men & ~(1 << start)
        ends = ends_of(t, men, three, start, anywhere)
        while ends:
            can_move = True
            if closed(t, left, lowest(ends)):
                return 2
            ends &= ends - 1
    return 0 if can_move else 1


@njit(cache=True, nogil=True)
def begin(known: Progress, places: Array, men: int, below: Values, size: int) -> None:
    """Write down what ends a match at once, and what the three get by taking a man."""
    x, t = known.numbers, known.table
    for kind in range(len(x.threes)):
        three = x.threes[kind]
        for place in range(known.ways):
            own, at = beside(three, places[place]), kind * known.ways + place
            known.others[at] = at_once(t, own, three, men == 3)
            if men == 3:
                known.threes[at] = 2 if at_once(t, three, own, True) == 2 else 0
                known.takes[at] = NONE
            else:
                known.takes[at] = by_taking(x, t, three, own, below, size)


@apart
def put(known: Progress, values: Values, three: int, men: int, code: int) -> None:
    """Write the value of a position, with all numbers that it has where its three men are symmetric."""
    x, n = known.numbers, known.ways
    found = rank(x, three)
    kind, men = x.class_of[found], turn(x, x.turn_of[found], men)
    for k in range(x.owns[kind]):
        values[kind * n + rank(x, without(x.threes[kind], turn(x, x.own[kind, k], men)))] = code


@apart
def three_lose(known: Progress, three: int, men: int) -> bool:
    """Whether every move of the three that takes no man leads to a position that the others have won."""
    t, rest = known.table, three
    while rest:
        start = rest & -rest
        rest ^= start
        ends = t.full & ~(three | men)
        while ends:
            moved = (three ^ start) | (ends & -ends)
            ends &= ends - 1
            if not is_mill(t, moved):
                value = known.others[number(known.numbers, known.ways, moved, men)]
                if value == 0 or value & 1:
                    return False
    return True


@apart
def others_lose(known: Progress, three: int, men: int, anywhere: bool) -> bool:
    """Whether every move of the others, who cannot close a mill, leads to a win of the three."""
    rest = men
    while rest:
        start = lowest(rest)
        rest &= rest - 1
        ends = ends_of(known.table, men, three, start, anywhere)
        while ends:
            moved = (men ^ (1 << start)) | (ends & -ends)
            ends &= ends - 1
            value = known.threes[number(known.numbers, known.ways, three, moved)]
            if value == 0 or value & 1:
                return False
    return True


@njit(cache=True, nogil=True)
def step(known: Progress, places: Array, men: int, code: int) -> bool:
    """Find the positions of the value after `code` from those that have it; whether there are any."""
    n, found, wins = known.ways, False, code & 1 == 1
    for kind in range(len(known.numbers.threes)):
        three = known.numbers.threes[kind]
        for place in range(n):
            at = kind * n + place
            if known.takes[at] == code + 1 and known.threes[at] == 0:
                own = beside(three, places[place])
                if wins or three_lose(known, three, own):
                    put(known, known.threes, three, own, code + 1)
                    found = True
            if known.others[at] == code and not is_mill(known.table, three):
                found |= threes_before(known, three, beside(three, places[place]), code)
            if known.threes[at] == code:
                found |= others_before(known, three, beside(three, places[place]), code, men == 3)
    return found


@apart
def threes_before(known: Progress, three: int, men: int, code: int) -> bool:
    """Decide the positions from which the three can have come by a flight that took no man."""
    found, wins, rest = False, code & 1 == 1, three
    while rest:
        end = rest & -rest
        rest ^= end
        starts = known.table.full & ~(three | men)
        while starts:
            before = (three ^ end) | (starts & -starts)
            starts &= starts - 1
            at = number(known.numbers, known.ways, before, men)
            if known.threes[at] or known.marks[0, at] == code:
                continue
            known.marks[0, at] = code
            if not wins:
                # A man that can be taken must lose too, and sooner than the match that is found now.
                taking = known.takes[at]
                if taking != NONE and (taking == 0 or taking & 1 == 0 or taking > code + 1):
                    continue
                if not three_lose(known, before, men):
                    continue
            put(known, known.threes, before, men, code + 1)
            found = True
    return found


@apart
def others_before(known: Progress, three: int, men: int, code: int, anywhere: bool) -> bool:
    """Decide the positions from which the others can have come by a move that closed no mill."""
    found, wins, rest = False, code & 1 == 1, men
    while rest:
        end = lowest(rest)
        rest &= rest - 1
        if closed(known.table, men, end):
            continue
        starts = ends_of(known.table, men, three, end, anywhere)
        while starts:
            before = (men ^ (1 << end)) | (starts & -starts)
            starts &= starts - 1
            at = number(known.numbers, known.ways, three, before)
            if known.others[at] or known.marks[1, at] == code:
                continue
            known.marks[1, at] = code
            if wins or others_lose(known, three, before, anywhere):
                put(known, known.others, three, before, code + 1)
                found = True
    return found
