"""Nine Men's Morris on bit masks, compiled: moves, and an alpha-beta search over them.

A position is a row of 64-bit integers (`ME` to `SIDE`), seen by the player to move: two masks of men with
a bit per point, as `games.rules.morris_boards.Board.points` lists them, and a few small numbers. A move is
`32 * start + to`; a start of `HAND` places and an end of `OFF` takes. The rules are those of
`games.rules.morris`; tests hold each move and each end against them.

Compiled, it looks at 4.3 million positions a second on a core of an AMD EPYC; the same code interpreted at
24,000, and the rules alone, without evaluation, 109,000. The first start compiles for 8 s; later ones load
the cache in 0.7 s. A worker process uses 180 MB (250 MB if it compiled).

The search is the textbook's: negamax with alpha-beta and null windows, iterative deepening under a budget
of nodes, a transposition table, moves ordered by table, mills, blocks and history, and a quiescence search
of closing moves only. It runs on a stack of its own, since numba cannot load functions that call themselves
from its cache. Taking a man is a node of its own with the same player to move, and costs no depth. Depth
counts turns.

A position that occurs again below the root counts as drawn, so do a third occurrence in the game and a
hundredth quiet turn. The table is new for every search, and its keys tell quiet turns apart near their
limit. Values beyond `PROVED` are hence proofs: a win leads through no draw of the game at hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np

from . import morris_numbers
from .compiler import njit

Array: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Small: TypeAlias = np.ndarray[Any, np.dtype[np.int16]]
Values: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
F = TypeVar("F", bound=Callable[..., Any])


COMPILED: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": False}
"""Keep what comes of it, let other threads run, and count no references to arrays.

All arrays belong to who calls, and live longer than the call; nothing here makes one. To count them all the
same, atomically, at each view of a row, would take three quarters of the time.
"""
INSIDE: dict[str, Any] = {**COMPILED, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(function: F) -> F:
    """Compile with numba when first called."""
    return cast(F, njit(forceinline=True, **COMPILED)(function))


def internal(function: F) -> F:
    """The same where Python need not be able to call it, which takes less compiling.

    All of them go into what calls them: to hand a board and a memory over, a hundred numbers, at every node
    would halve the speed.
    """
    return cast(F, njit(forceinline=True, **INSIDE)(function))


def apart(function: F) -> F:
    """The same where it is called seldom and too long to be compiled once more with its caller."""
    return cast(F, njit(**INSIDE)(function))


HAND = OFF = 24
"""Where men come from that are placed, and go to that are taken."""
NOTHING = 1 << 30
"""A mask that no men fill."""

# The columns of a position.
ME, OTHER, MY_HAND, OTHER_HAND, TAKES, QUIET, SLIDES, SIDE = range(8)
"""Masks of men, men in hand, men to take now, quiet turns, slides since the last placing or taking,
and the seat to move."""
POSITION = 8

# What the search adds to them.
DEPTH, ALPHA, BETA, FLOOR, BEST, BEST_MOVE, COUNT, NEXT, STAGE, PATH, KEY = range(POSITION, 19)
FRAME = 19

# Stages of a frame: how the move below it is searched.
FULL, NULL_WINDOW, AGAIN = range(3)

GOES_ON, LOST, DRAWN = range(3)
"""How a position stands for the player to move."""

WIN = 30_000
PROVED = WIN - 1_000
INFINITE = 32_000

DEEPEST = 32
"""Turns that a search looks ahead at most."""
QUIESCENCE = 3
"""Turns that it looks further at most where mills are closed."""
PLIES = 3 * (DEEPEST + QUIESCENCE) + 4
"""A turn has three plies at most: a man moves and two are taken."""
MOVES = 96
"""Moves of a position at most: three men that fly have 54, who may place or slide fewer."""
GAME = 4_096
"""Turns without placing and taking that a game can be followed back for."""
EARLY = 36
"""Quiet turns up to which their number does not matter: no search looks 64 turns ahead."""
QUIET_TURNS = 100
SLOTS = 1 << 20
"""Entries of the transposition table, of 16 bytes each."""
EXACT, LOWER, UPPER = range(3)

# The columns of weights, in hundredths of a man; there is a row for placing and one for moving.
REACH, SHUT_IN, MILL, TWO, OPEN, RUNNING, TURN = range(7)
MAN = 100

# What was learned: the tables of a phase, one behind the other.
POINTS = 24
BITS = 15
"""Room for the number of a pattern of nine points."""
SIDES, QUARTERS, OUTER, MIDDLE, MEN = 0, 3**9, 2 * 3**9, 2 * 3**9 + 3**8, 2 * (3**9 + 3**8)
MOST_MEN = 13
"""Numbers of men that a side may have, none included."""
MY_REACH = MEN + MOST_MEN * MOST_MEN
OTHER_REACH = MY_REACH + POINTS + 1
MY_SHUT = OTHER_REACH + POINTS + 1
MOST_SHUT = 9
OTHER_SHUT = MY_SHUT + MOST_SHUT + 1
PHASES = 8
MANY, FEW, FLIGHT = range(5, PHASES)
"""Phases after the last man was placed: with many men, with few, and once somebody flies."""
MANY_MEN = 13
"""Of both sides together, so many at least are many."""

NODES, LIMIT, GUESSES, REST = range(4)
"""Counters of a search: nodes so far, where it stops, values that were no proofs, turns of quiescence."""


class Learned(NamedTuple):
    """What patterns of a board are worth; `games.bots.morris_patterns` tells which they are.

    `codes[g, h, m]` has the numbers of the patterns of group g, `BITS` bits each, for the twelve points m of
    half h; `phases[n]` is the phase with n men in hand; `worths[p]` are the tables of phase p.
    """

    codes: Array
    phases: Array
    worths: Small


class Endings(NamedTuple):
    """The exact endings of three men against three to six, of `games.bots.morris_tables`.

    `known` is not set where they do not hold; then the others are empty. `kinds`, `half`, `turns` and
    `choices` number the positions (`games.bots.morris_numbers`). `threes[n]` and `others[n]` are the values
    of three against n + 3, by number: with the side of three to move, and with the other.
    """

    known: bool
    kinds: Array
    half: int
    turns: Array
    choices: Array
    threes: tuple[Values, ...]
    others: tuple[Values, ...]


class Table(NamedTuple):
    """A board and the options of a match, as the kernel reads them.

    `near[p]` is the mask of the neighbours of point p, `pairs[p, k]` are the other two points of the mills
    through it, `lines` the masks of all mills, `around[h, m]` all neighbours of the twelve points m of
    half h. `double` is the most men a move takes, `safe` says whether men in mills are safe as long as there
    are others, `last` whether they are taken when there are no others. Positions are judged by `learned`
    where `knows` is set, and else by `weights`. `endings` has the values of the last positions.
    """

    full: int
    near: Array
    pairs: Array
    lines: Array
    around: Array
    early: bool
    flying: bool
    safe: bool
    last: bool
    double: int
    fifty: bool
    weights: Array
    knows: bool
    learned: Learned
    endings: Endings


class Memory(NamedTuple):
    """What a search writes to. `path` holds the positions of the game and of the line searched, by turn."""

    frames: Array
    moves: Array
    scores: Array
    path: Array
    history: Array
    table: Array
    counters: Array


def memory(slots: int = SLOTS) -> Memory:
    """A clean one, of some 17 MB, or less where the table has fewer slots; they are a power of two."""
    shapes = ((PLIES, FRAME), (PLIES, MOVES), (PLIES, MOVES), GAME + PLIES, (2, 1024), (slots, 2), 4)
    return Memory(*(np.zeros(shape, np.int64) for shape in shapes))


# Masks


@internal
def count(mask: int) -> int:
    """How many of 24 bits are set."""
    mask -= (mask >> 1) & 0x555555
    mask = (mask & 0x333333) + ((mask >> 2) & 0x333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F
    return ((mask * 0x010101) >> 16) & 0xFF


@internal
def lowest(mask: int) -> int:
    """The number of the lowest bit that is set."""
    return count((mask & -mask) - 1)


@internal
def around(t: Table, mask: int) -> int:
    """All neighbours of some points."""
    return int(t.around[0, mask & 0xFFF] | t.around[1, mask >> 12])


@internal
def in_mills(t: Table, men: int) -> int:
    """Those of the men that stand in mills of their own."""
    found = 0
    for line in t.lines:
        if men & line == line:
            found |= line
    return found


@internal
def may_close(t: Table, at: Array) -> bool:
    """Whether the player to move has a mill to close; if not sure, yes."""
    men, hand, empty = at[ME], at[MY_HAND], t.full & ~(at[ME] | at[OTHER])
    for line in t.lines:
        mine = men & line
        if mine & (mine - 1) and line & empty:
            gap = line & empty
            if hand or t.near[lowest(gap)] & men & ~line or count(men) == 3:
                return True
    return False


@internal
def closed(t: Table, men: int, point: int) -> int:
    """How many mills a man on a point closes with others of its side."""
    mills = 0
    for k in range(3):
        pair = t.pairs[point, k]
        if men & pair == pair:
            mills += 1
    return mills


# Rules


@internal
def takeable(t: Table, men: int) -> int:
    """Those of the other side's men that may be taken."""
    if not t.safe:
        return men
    loose = men & ~in_mills(t, men)
    return men if not loose and t.last else loose


@internal
def flies(t: Table, men: int, hand: int) -> bool:
    """Whether a side can fly: the rules allow it, and it has three men, all on the board."""
    return t.flying and hand == 0 and count(men) == 3


@compiled
def moves_of(t: Table, at: Array, moves: Array) -> int:
    """Write the legal moves of a position that has not ended into `moves`; their number."""
    me, empty, n = at[ME], t.full & ~(at[ME] | at[OTHER]), 0
    if at[TAKES]:
        men = takeable(t, at[OTHER])
        while men:
            moves[n] = (lowest(men) << 5) | OFF
            men &= men - 1
            n += 1
        return n
    if at[MY_HAND]:
        ends = empty
        while ends:
            moves[n] = (HAND << 5) | lowest(ends)
            ends &= ends - 1
            n += 1
        if not t.early:
            return n
    anywhere, men = flies(t, me, at[MY_HAND]), me
    while men:
        start = lowest(men)
        men &= men - 1
        ends = empty if anywhere else empty & t.near[start]
        while ends:
            moves[n] = (start << 5) | lowest(ends)
            ends &= ends - 1
            n += 1
    return n


@compiled
def play(t: Table, at: Array, move: int, after: Array) -> None:
    """Write the position after a legal move into `after`."""
    start, to = move >> 5, move & 31
    me, other, hand, takes = at[ME], at[OTHER], at[MY_HAND], at[TAKES]
    quiet, slides = at[QUIET] + 1, at[SLIDES] + 1
    if to == OFF:
        other ^= 1 << start
        takes -= 1
        if takes and (count(other) + at[OTHER_HAND] < 3 or takeable(t, other) == 0):
            takes = 0
        quiet = slides = 0
    else:
        if start == HAND:
            hand -= 1
            slides = 0
        else:
            me ^= 1 << start
        mills = closed(t, me, to)
        me |= 1 << to
        if mills and takeable(t, other):
            takes = min(mills, t.double)
            quiet = slides = 0
    after[TAKES], after[QUIET], after[SLIDES] = takes, quiet, slides
    if takes:
        after[ME], after[OTHER], after[MY_HAND], after[OTHER_HAND] = me, other, hand, at[OTHER_HAND]
        after[SIDE] = at[SIDE]
    else:
        after[ME], after[OTHER], after[MY_HAND], after[OTHER_HAND] = other, me, at[OTHER_HAND], hand
        after[SIDE] = 1 - at[SIDE]


@compiled
def ending(t: Table, at: Array, times: int) -> int:
    """How a position stands at the beginning of a turn that has occurred `times` before."""
    me, hand = at[ME], at[MY_HAND]
    if count(me) + hand < 3:
        return LOST
    empty = t.full & ~(me | at[OTHER])
    if not empty:
        return DRAWN
    if not hand and not around(t, me) & empty and not flies(t, me, hand):
        return LOST
    if times >= 2 or (t.fifty and at[QUIET] >= QUIET_TURNS):
        return DRAWN
    return GOES_ON


# Evaluation


@internal
def worth(t: Table, own: int, foe: int, hand: int) -> int:
    """What one side's men are worth, in hundredths of a man."""
    w = t.weights[0 if hand else 1]
    empty = t.full & ~(own | foe)
    value = MAN * (count(own) + hand)
    if not flies(t, own, hand):
        value += w[REACH] * count(around(t, own) & empty) - w[SHUT_IN] * count(own & ~around(t, empty))
    safe = in_mills(t, own)
    for line in t.lines:
        mine = own & line
        if mine == line:
            value += w[MILL]
        elif mine & (mine - 1) and not foe & line:
            gap = line & ~mine
            value += w[TWO]
            helpers = own & ~line & t.near[lowest(gap)]
            if helpers:
                value += w[RUNNING] if helpers & safe else w[OPEN]
    return value


@internal
def phase_of(t: Table, at: Array) -> int:
    """The range of men in hand, or of men on the board, that a position is in."""
    hand = at[MY_HAND] + at[OTHER_HAND]
    if hand:
        return int(t.learned.phases[hand])
    mine, others = count(at[ME]), count(at[OTHER])
    if mine == 3 or others == 3:
        return FLIGHT
    return MANY if mine + others >= MANY_MEN else FEW


@internal
def coded(t: Table, at: Array, group: int) -> int:
    """The numbers of the patterns of a group."""
    c, me, other = t.learned.codes, at[ME], at[OTHER]
    mine = c[group, 0, me & 0xFFF] + c[group, 1, me >> 12]
    return int(mine + 2 * (c[group, 0, other & 0xFFF] + c[group, 1, other >> 12]))


@internal
def recognised(t: Table, at: Array) -> int:
    """What the patterns of a position are worth to the player to move."""
    w, number = t.learned.worths[phase_of(t, at)], (1 << BITS) - 1
    me, other = at[ME], at[OTHER]
    empty = t.full & ~(me | other)
    sides, quarters, rings = coded(t, at, 0), coded(t, at, 1), coded(t, at, 2)
    value = 0
    for _ in range(4):
        value += w[SIDES + (sides & number)] + w[QUARTERS + (quarters & number)]
        sides >>= BITS
        quarters >>= BITS
    value += w[OUTER + (rings & number)] + w[OUTER + ((rings >> BITS) & number)]
    value += w[MIDDLE + (rings >> 2 * BITS)]
    men = (count(me) + at[MY_HAND]) * MOST_MEN + count(other) + at[OTHER_HAND]
    value += w[MEN + men]
    free = around(t, empty)
    value += w[MY_REACH + count(around(t, me) & empty)] + w[OTHER_REACH + count(around(t, other) & empty)]
    value += w[MY_SHUT + min(count(me & ~free), MOST_SHUT)]
    value += w[OTHER_SHUT + min(count(other & ~free), MOST_SHUT)]
    return int(value)


@internal
def evaluate(t: Table, at: Array) -> int:
    """The value of a position for the player to move, less the nearer a draw by quiet turns is."""
    if t.knows:
        value = recognised(t, at)
    else:
        w = t.weights[0 if at[MY_HAND] else 1]
        value = w[TURN] + worth(t, at[ME], at[OTHER], at[MY_HAND])
        value -= worth(t, at[OTHER], at[ME], at[OTHER_HAND])
    if t.fifty and at[QUIET] > EARLY:
        value = value * (2 * QUIET_TURNS - at[QUIET]) // (2 * QUIET_TURNS - EARLY)
    return int(value)


# Endings

UNKNOWN = -1
DRAWN_PART = 8
"""A drawn ending is worth this part of what it is judged to be: who is better may still win it."""

number = apart(morris_numbers.number)


@apart
def ending_value(e: Endings, me: int, other: int) -> int:
    """The byte of a position without men in hand (`games.bots.morris_retrograde`), or `UNKNOWN`."""
    mine, others = count(me), count(other)
    if mine == 3 and others - 3 < len(e.threes):
        values, three, men = e.threes[others - 3], me, other
    elif others == 3 and mine - 3 < len(e.others):
        values, three, men = e.others[mine - 3], other, me
    else:
        return UNKNOWN
    return int(values[number(three, men, e.kinds, e.half, e.turns, e.choices)])


@internal
def solved(t: Table, f: Array, root: int) -> int:
    """The value of a frame at the beginning of a turn by the tables, as `ending_value`, or `UNKNOWN`.

    They know neither repetitions nor quiet turns: a man must have been taken or placed since the root, and a
    win or a loss must come before too many quiet turns.
    """
    if not t.endings.known or f[MY_HAND] or f[OTHER_HAND] or f[PATH] - f[SLIDES] < root:
        return UNKNOWN
    code = ending_value(t.endings, f[ME], f[OTHER])
    return UNKNOWN if code and t.fifty and f[QUIET] + code - 1 > QUIET_TURNS else code


# Search


@internal
def key_of(t: Table, at: Array) -> int:
    """All of a position that matters for what may follow, apart from repetitions."""
    quiet = max(at[QUIET] - EARLY, 0) if t.fifty else 0
    key = at[ME] | (at[OTHER] << 24) | (at[MY_HAND] << 48) | (at[OTHER_HAND] << 52) | (at[TAKES] << 56)
    return int(key | (quiet << 58))


@internal
def slot_of(m: Memory, key: int) -> int:
    """Where the transposition table keeps a position: bits of a multiplication that mixes them all."""
    mixed = (key ^ (key >> 29)) * 0x2545F4914F6CDD1D
    return ((mixed ^ (mixed >> 32)) * 0x1B873593CC9E2D51 >> 30) & (len(m.table) - 1)


@internal
def store(m: Memory, p: int) -> None:
    """Keep what is known of the frame that has been searched: value, depth, kind of bound, best move."""
    f = m.frames[p]
    best = f[BEST]
    bound = LOWER if best >= f[BETA] else (UPPER if best <= f[FLOOR] else EXACT)
    if best > PROVED:
        best += p
    elif best < -PROVED:
        best -= p
    slot = slot_of(m, f[KEY])
    m.table[slot, 0] = f[KEY]
    m.table[slot, 1] = ((best + INFINITE) << 24) | ((f[DEPTH] + 8) << 16) | (bound << 14) | (f[BEST_MOVE] + 1)


@compiled
def occurred(m: Memory, f: Array, root: int) -> int:
    """How often the position of a frame has occurred before; once below the root counts as twice."""
    times, now = 0, m.path[f[PATH]]
    # Neither side can be back where it was after a single slide.
    for back in range(4, f[SLIDES] + 1, 2):
        turn = f[PATH] - back
        if m.path[turn] == now:
            if turn >= root:
                m.counters[GUESSES] += 1
                return 2
            times += 1
    return times


@internal
def window(f: Array, value: int) -> bool:
    """Raise a frame's lower bound to a value it has for sure; whether that decides it."""
    if value > f[BEST]:
        f[BEST] = value
        f[ALPHA] = max(f[ALPHA], value)
    return bool(f[BEST] >= f[BETA])


@internal
def recall(m: Memory, p: int) -> tuple[bool, int]:
    """What the table knows of a frame: whether that decides it, and the value or else the move to try."""
    f = m.frames[p]
    slot = slot_of(m, f[KEY])
    entry = m.table[slot, 1]
    if m.table[slot, 0] != f[KEY] or not entry:
        return False, -1
    value, bound = (entry >> 24) - INFINITE, (entry >> 14) & 3
    if value > PROVED:
        value -= p
    elif value < -PROVED:
        value += p
    deep = ((entry >> 16) & 0xFF) - 8 >= f[DEPTH] or abs(value) > PROVED
    decided = deep and (
        bound == EXACT or (bound == LOWER and value >= f[BETA]) or (bound == UPPER and value <= f[ALPHA])
    )
    return decided, value if decided else (entry & 0x3FFF) - 1


@internal
def order(t: Table, m: Memory, p: int, first: int) -> None:
    """Give the moves of a frame their scores, and below depth 0 keep only those that close mills."""
    f, moves, scores = m.frames[p], m.moves[p], m.scores[p]
    kept, quiescent = 0, f[DEPTH] <= 0 and not f[TAKES]
    for n in range(f[COUNT]):
        move = moves[n]
        start, to = move >> 5, move & 31
        if to == OFF:
            score = m.history[f[SIDE], move]
            for k in range(3):
                pair = t.pairs[start, k]
                score += (count(f[OTHER] & pair) << 16) if not f[ME] & pair else 0
        else:
            men = f[ME] if start == HAND else f[ME] & ~(1 << start)
            mills = closed(t, men, to)
            if quiescent and not mills:
                continue
            score = m.history[f[SIDE], move] + (mills << 20) + (closed(t, f[OTHER], to) << 18)
        moves[kept] = move
        scores[kept] = score if move != first else 1 << 40
        kept += 1
    f[COUNT] = kept


@internal
def enter(t: Table, m: Memory, p: int, root: int) -> tuple[bool, int]:
    """Begin with a frame whose position, depth and window are set: whether it is decided, and its value."""
    f, code = m.frames[p], UNKNOWN
    if not f[TAKES]:
        m.path[f[PATH]] = f[ME] | (f[OTHER] << 24)
        end = ending(t, f, occurred(m, f, root))
        if end != GOES_ON:
            return True, 0 if end == DRAWN else -(WIN - p)
        code = solved(t, f, root)
        if code > 0:
            # The side to move wins in an odd number of turns.
            return True, (WIN - p - code + 1) * (1 if code % 2 == 0 else -1)
    m.counters[NODES] += 1
    if m.counters[NODES] > m.counters[LIMIT]:
        return True, 0
    f[KEY] = key_of(t, f)
    decided, first = recall(m, p)
    if decided:
        return True, first
    f[FLOOR], f[BEST], f[BEST_MOVE], f[NEXT], f[STAGE] = f[ALPHA], -INFINITE, -1, 0, FULL
    if code == 0 or (f[DEPTH] <= 0 and not f[TAKES]):
        m.counters[GUESSES] += 1
        value = evaluate(t, f)
        if code == 0:
            return True, value // DRAWN_PART
        if window(f, value) or f[DEPTH] <= -m.counters[REST] or not may_close(t, f):
            return True, f[BEST]
    f[COUNT] = moves_of(t, f, m.moves[p])
    order(t, m, p, first)
    return f[COUNT] == 0, f[BEST]


@internal
def choose(m: Memory, p: int) -> int:
    """The most promising of the moves that a frame has not tried yet, put in its place."""
    f, moves, scores = m.frames[p], m.moves[p], m.scores[p]
    at, best = f[NEXT], f[NEXT]
    for n in range(at + 1, f[COUNT]):
        if scores[n] > scores[best]:
            best = n
    moves[at], moves[best] = moves[best], moves[at]
    scores[at], scores[best] = scores[best], scores[at]
    f[NEXT] += 1
    return int(moves[at])


@internal
def step(t: Table, m: Memory, p: int, move: int, alpha: int, beta: int) -> None:
    """Set up the frame below for a move and a window, both seen by the player who makes it."""
    f, below = m.frames[p], m.frames[p + 1]
    play(t, f, move, below)
    if below[SIDE] == f[SIDE]:
        below[DEPTH], below[PATH], below[ALPHA], below[BETA] = f[DEPTH], f[PATH], alpha, beta
    else:
        below[DEPTH], below[PATH], below[ALPHA], below[BETA] = f[DEPTH] - 1, f[PATH] + 1, -beta, -alpha


@internal
def descend(t: Table, m: Memory, p: int) -> None:
    """Go on with the next move, or with the same one if a null window was too narrow for it."""
    f = m.frames[p]
    if f[STAGE] == AGAIN:
        move, f[STAGE] = m.moves[p, f[NEXT] - 1], FULL
    else:
        move = choose(m, p)
        f[STAGE] = NULL_WINDOW if f[BEST_MOVE] >= 0 and f[BETA] > f[ALPHA] + 1 else FULL
    step(t, m, p, move, f[ALPHA], f[ALPHA] + 1 if f[STAGE] == NULL_WINDOW else f[BETA])


@internal
def back(m: Memory, p: int, value: int) -> tuple[bool, int]:
    """Take the value of the frame below: whether this one is decided by it, and its value."""
    f = m.frames[p]
    if m.counters[NODES] > m.counters[LIMIT]:
        return True, 0
    if m.frames[p + 1, SIDE] != f[SIDE]:
        value = -value
    if f[STAGE] == NULL_WINDOW and f[ALPHA] < value < f[BETA]:
        f[STAGE] = AGAIN
        return False, 0
    move = m.moves[p, f[NEXT] - 1]
    if value > f[BEST]:
        f[BEST_MOVE] = move
    cut = window(f, value)
    if cut and f[DEPTH] > 0:
        m.history[f[SIDE], move] = min(m.history[f[SIDE], move] + f[DEPTH] * f[DEPTH], 1 << 16)
    if not cut and f[NEXT] < f[COUNT]:
        return False, 0
    store(m, p)
    return True, f[BEST]


@apart
def search(t: Table, m: Memory, base: int, root: int) -> int:
    """The value of a frame whose position, depth and window are set, for its player to move.

    The value means nothing once the counter of nodes is past its limit.
    """
    p = base
    while True:
        decided, value = enter(t, m, p, root)
        while decided:
            if p == base:
                return value
            p -= 1
            decided, value = back(m, p, value)
        descend(t, m, p)
        p += 1


@internal
def value_of(t: Table, m: Memory, move: int, depth: int, alpha: int) -> int:
    """The value of a move from frame 0 for its player, looking `depth` turns ahead, this one included.

    Where it is not above `alpha`, it is an upper bound.
    """
    f = m.frames[0]
    f[DEPTH] = depth
    step(t, m, 0, move, alpha, INFINITE)
    value = search(t, m, 1, f[PATH])
    return value if m.frames[1, SIDE] == f[SIDE] else -value


@compiled
def think(t: Table, m: Memory, moves: Array, values: Array, first: int, last: int, margin: int) -> int:
    """Search the moves of frame 0, from `first` to `last` turns deep; the depth that was finished last.

    Sorts `moves`, the best first, and writes their values. Those that are not within `margin` of the best
    have only an upper bound, and -INFINITE if there was no time for them; with a margin of INFINITE all
    values are exact, and of the same depth. Stops early past the limit of nodes, or once nothing is left
    to find out.
    """
    n, fresh = len(moves), m.scores[0]
    for depth in range(first, last + 1):
        best, tried = -INFINITE, 0
        m.counters[GUESSES] = 0
        for i in range(n):
            value = value_of(t, m, moves[i], depth, max(best - margin - 1, -INFINITE))
            if m.counters[NODES] > m.counters[LIMIT]:
                break
            fresh[i], best, tried = value, max(best, value), i + 1
        if tried == n or (tried and margin < INFINITE):
            # One by one: numba compiles long for what might go wrong in an assignment of slices.
            for i in range(n):
                values[i] = fresh[i] if i < tried else -INFINITE
            sort(moves, values)
        if tried < n:
            return depth - 1
        if abs(best) > PROVED or not m.counters[GUESSES]:
            return depth
    return last


@internal
def sort(moves: Array, values: Array) -> None:
    """Put the best first; equal ones stay in their order."""
    for i in range(1, len(moves)):
        move, value, at = moves[i], values[i], i
        while at and values[at - 1] < value:
            moves[at], values[at] = moves[at - 1], values[at - 1]
            at -= 1
        moves[at], values[at] = move, value
