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

import numpy as np
from numba import njit

from games.rules.morris import PRESETS

from .morris import table as table_of
from .morris_index import Index, Solved, Values, beside, index, masks, number, rank, turn, ways, without
from .morris_kernel import Array, Table, apart, closed, lowest, takeable

NONE = 255
"""No man can be taken."""
HIGHEST = 254


def solve(men: int, smaller: Solved | None) -> Solved:
    """The values of three against so many, by those of three against one less (None for three).

    Raises `OverflowError` if a match could take longer than a byte can tell.
    """
    x, t, size = index(), table_of(PRESETS["nine"]), ways(men)
    places = masks(men)
    below = smaller.others if smaller else np.zeros(1, np.uint8)
    positions = len(x.threes) * size
    threes, others, takes = (np.zeros(positions, np.uint8) for _ in range(3))
    marks = np.zeros((2, positions), np.uint8)
    begin(x, t, places, men, threes, others, takes, below, ways(men - 1))
    code, last = 1, max(2, int(takes[takes != NONE].max(initial=0)))
    while code <= last:
        if code == HIGHEST:
            raise OverflowError("a match of three men against a few is longer than a byte can tell")
        if step(x, t, places, men, threes, others, takes, marks, code):
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
def begin(
    x: Index,
    t: Table,
    places: Array,
    men: int,
    threes: Values,
    others: Values,
    takes: Values,
    below: Values,
    size: int,
) -> None:
    """Write down what ends a match at once, and what the three get by taking a man."""
    n = len(places)
    for kind in range(len(x.threes)):
        three = x.threes[kind]
        for place in range(n):
            own, at = beside(three, places[place]), kind * n + place
            others[at] = at_once(t, own, three, men == 3)
            if men == 3:
                threes[at] = 2 if at_once(t, three, own, True) == 2 else 0
                takes[at] = NONE
            else:
                takes[at] = by_taking(x, t, three, own, below, size)


@apart
def put(x: Index, values: Values, n: int, three: int, men: int, code: int) -> None:
    """Write the value of a position, with all numbers that it has where its three men are symmetric."""
    found = rank(x, three)
    kind, men = x.class_of[found], turn(x, x.turn_of[found], men)
    for k in range(x.owns[kind]):
        values[kind * n + rank(x, without(x.threes[kind], turn(x, x.own[kind, k], men)))] = code


@apart
def three_lose(x: Index, t: Table, n: int, three: int, men: int, others: Values) -> bool:
    """Whether every move of the three that takes no man leads to a position that the others have won."""
    rest = three
    while rest:
        start = rest & -rest
        rest ^= start
        ends = t.full & ~(three | men)
        while ends:
            moved = (three ^ start) | (ends & -ends)
            ends &= ends - 1
            if not is_mill(t, moved):
                value = others[number(x, n, moved, men)]
                if value == 0 or value & 1:
                    return False
    return True


@apart
def others_lose(x: Index, t: Table, n: int, three: int, men: int, threes: Values, anywhere: bool) -> bool:
    """Whether every move of the others, who cannot close a mill, leads to a win of the three."""
    rest = men
    while rest:
        start = lowest(rest)
        rest &= rest - 1
        ends = ends_of(t, men, three, start, anywhere)
        while ends:
            moved = (men ^ (1 << start)) | (ends & -ends)
            ends &= ends - 1
            value = threes[number(x, n, three, moved)]
            if value == 0 or value & 1:
                return False
    return True


@njit(cache=True, nogil=True)
def step(
    x: Index,
    t: Table,
    places: Array,
    men: int,
    threes: Values,
    others: Values,
    takes: Values,
    marks: Values,
    code: int,
) -> bool:
    """Find the positions of the value after `code` from those that have it; whether there are any.

    `marks` keeps for each position when it was last looked at, so that it is looked at once a step.
    """
    n, found, wins = len(places), False, code & 1 == 1
    for kind in range(len(x.threes)):
        three = x.threes[kind]
        for place in range(n):
            at = kind * n + place
            if takes[at] == code + 1 and threes[at] == 0:
                own = beside(three, places[place])
                if wins or three_lose(x, t, n, three, own, others):
                    put(x, threes, n, three, own, code + 1)
                    found = True
            if others[at] == code and not is_mill(t, three):
                own = beside(three, places[place])
                found |= threes_before(x, t, n, three, own, threes, others, takes, marks[0], code)
            if threes[at] == code:
                own = beside(three, places[place])
                found |= others_before(x, t, n, three, own, threes, others, marks[1], code, men == 3)
    return found


@apart
def threes_before(
    x: Index,
    t: Table,
    n: int,
    three: int,
    men: int,
    threes: Values,
    others: Values,
    takes: Values,
    marks: Values,
    code: int,
) -> bool:
    """Decide the positions from which the three can have come by a flight that took no man."""
    found, wins, rest = False, code & 1 == 1, three
    while rest:
        end = rest & -rest
        rest ^= end
        starts = t.full & ~(three | men)
        while starts:
            before = (three ^ end) | (starts & -starts)
            starts &= starts - 1
            at = number(x, n, before, men)
            if threes[at] or marks[at] == code:
                continue
            marks[at] = code
            if not wins:
                # A man that can be taken must lose too, and sooner than the match that is found now.
                taking = takes[at]
                if taking != NONE and (taking == 0 or taking & 1 == 0 or taking > code + 1):
                    continue
                if not three_lose(x, t, n, before, men, others):
                    continue
            put(x, threes, n, before, men, code + 1)
            found = True
    return found


@apart
def others_before(
    x: Index,
    t: Table,
    n: int,
    three: int,
    men: int,
    threes: Values,
    others: Values,
    marks: Values,
    code: int,
    anywhere: bool,
) -> bool:
    """Decide the positions from which the others can have come by a move that closed no mill."""
    found, wins, rest = False, code & 1 == 1, men
    while rest:
        end = lowest(rest)
        rest &= rest - 1
        if closed(t, men, end):
            continue
        starts = ends_of(t, men, three, end, anywhere)
        while starts:
            before = (men ^ (1 << end)) | (starts & -starts)
            starts &= starts - 1
            at = number(x, n, three, before)
            if others[at] or marks[at] == code:
                continue
            marks[at] = code
            if wins or others_lose(x, t, n, three, before, threes, anywhere):
                put(x, others, n, three, before, code + 1)
                found = True
    return found
