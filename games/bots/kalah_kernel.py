"""Alpha-beta for Kalah, compiled: everything of its player that is done millions of times.

A side is one integer, a byte for each of its pits from its left and, in byte 6, its store. So a sowing is two
additions, read from a table, and a position is two integers, the side of the mover first. What is searched
is the lead of the mover at the end, by principal variation search (Marsland and Campbell 1982) with a
transposition table and killer moves. Depth is counted in turns: a sowing that earns another costs none.

What it trades: numba takes about three seconds to compile this, once for a machine, and half a second
to load it afterwards; it visits some eight million positions a second, where good Python visits two and C
twice as many, which would ask for a compiler wherever Parlour is installed. Nothing here calls itself,
since numba cannot load such a function a second time: the way down the tree is kept in frames. All of it is
integers of 64 bits with a sign; one without would turn sums with others into floating point.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from . import kalah_tables
from .compiler import njit

Integers: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
F = TypeVar("F", bound=Callable[..., Any])

SEED = 16
"""What a seed is worth: values are leads in sixteenths of one. Estimates are odd, so that none is a draw."""
WON = 4096
"""What is added to a proved lead, and taken from a proved deficit, where winning is what counts."""
INFINITE = 1 << 14
"""More than any value."""
SOLVED = 127
"""The depth of what holds at any: no estimate went into it."""

OWN_CHOICE, THEIR_CHOICE, TURN = 40, 30, -10
"""What a pit to choose from is worth to the mover and to the other side, and the turn as such.

From a linear regression of values nine turns deep, on the three presets; more terms won no more games.
"""

_PITS = (1 << 48) - 1
_STORE = 6
_ELSEWHERE = 7
_MOST_SEEDS = 72
_DEEPEST = 192
"""Sowings below the root; a position further down is estimated."""

# A frame is a position on the way from the root to the one that is looked at. It starts with its up to six
# moves: the sides after each, as whoever is on turn then sees them, then the pits, then the ranks.
_OWN, _THEIR, _MOVE, _RANK = 0, 6, 12, 18
_MOVES, _TRIED, _KEY, _DEPTH, _FLOOR, _ALPHA, _BETA, _BEST, _BEST_PIT, _ESTIMATE, _SCOUT = range(24, 35)
_FRAME = 40
_AGAIN = 8
"""Added to a pit from which the sowing earns another."""

# An entry of the transposition table: the key and this word. From its lowest bit: 8 bits of depth, 2 bits of
# what the value is, 3 bits of the best pit plus one, then the value.
_EXACT, _AT_LEAST, _AT_MOST = range(3)

NODES, SPENT, ESTIMATES = range(3)
"""What searches count: positions visited, whether that were too many, values that estimates went into."""


class Endings(NamedTuple):
    """A table of exact endings, `games.bots.kalah_tables`, with what finds a position in it.

    Attributes:
        seeds: the table has the positions with up to so many in the pits; -1 if there is no table.
        values: half a byte for each position.
        ways, starts: as `games.bots.kalah_tables.Numbering` has them.
    """

    seeds: int
    values: Bytes
    ways: Integers
    starts: Integers


@cache
def _numbering() -> tuple[Integers, Integers]:
    ways, starts = kalah_tables.numbering()
    return np.array(ways, np.int64), np.array(starts, np.int64)


def endings(known: kalah_tables.Table | None) -> Endings:
    """A table as the kernel reads it; none if none is known."""
    seeds, values = known or (-1, b"")
    return Endings(seeds, np.frombuffer(values, np.uint8), *_numbering())


def compiled(function: F) -> F:
    """Compiled when it is first called, and kept beside the source for the next process."""
    return cast(F, njit(cache=True)(function))


@cache
def sowing_table(pits: int, sow_both_stores: bool) -> Integers:
    """How the seeds of a pit fall, of shape (pits, 73, 3), by pit and number of seeds.

    Returns:
        What is added to the own side, to the other side, and where the last seed falls: a pit of one's own,
        6 for one's store, 7 for the other side.
    """
    table = np.zeros((pits, _MOST_SEEDS + 1, 3), np.int64)
    ring = [*range(pits), _STORE, *range(8, 8 + pits), *([8 + _STORE] if sow_both_stores else [])]
    for pit in range(pits):
        sown = [0, 0]
        for seeds in range(1, _MOST_SEEDS + 1):
            side, place = divmod(ring[(pit + seeds) % len(ring)], 8)
            sown[side] += 1 << 8 * place
            table[pit, seeds] = (*sown, _ELSEWHERE if side else place)
    return table


def packed(pits: tuple[int, ...], store: int) -> int:
    """A side as the kernel knows it, from its pits, left to right, and its store."""
    return int.from_bytes(bytes((*pits, *[0] * (_STORE - len(pits)), store)), "little")


@compiled
def seeds_in_pits(side: int) -> int:
    """How many seeds a side has outside its store."""
    pairs = (side & 0x00FF00FF00FF) + ((side >> 8) & 0x00FF00FF00FF)
    return (pairs + (pairs >> 16) + (pairs >> 32)) & 0xFFFF


@compiled
def pits_to_choose(side: int) -> int:
    """How many pits of a side hold seeds."""
    return seeds_in_pits((((side & _PITS) + 0x7F7F7F7F7F7F) >> 7) & 0x010101010101)


@compiled
def sow(own: int, their: int, pit: int, table: Integers, rules: Integers) -> tuple[int, int, int, int]:
    """The sides after a sowing from a pit that is not empty, not swept yet.

    Args:
        table: the `sowing_table` of the game.
        rules: the pits of a side, and whether a last seed with nothing opposite is captured.

    Returns:
        The own side, the other one, whether the turn goes on, how many seeds were captured.
    """
    seeds = (own >> (8 * pit)) & 255
    own = (own & ~(255 << (8 * pit))) + table[pit, seeds, 0]
    their += table[pit, seeds, 1]
    last = table[pit, seeds, 2]
    captured = 0
    if last < _STORE and (own >> (8 * last)) & 255 == 1:
        opposite = 8 * (rules[0] - 1 - last)
        there = (their >> opposite) & 255
        if there or rules[1]:
            captured = there + 1
            own += (captured << 48) - (1 << (8 * last))
            their -= there << opposite
    return own, their, 1 if last == _STORE else 0, captured


number = compiled(kalah_tables.number)


@compiled
def gain(own: int, their: int, endings: Endings) -> int:
    """How many of the seeds in the pits the mover gets, by a table that has the position."""
    found = number(own, their, endings.ways, endings.starts)
    return int(endings.values[found >> 1] >> (4 * (found & 1))) & 15


@compiled
def worth(lead: int, won: int) -> int:
    """The value of a lead that is final."""
    if lead > 0:
        return lead * SEED + won
    return lead * SEED - won if lead < 0 else 0


@compiled
def _judged(
    own: int, their: int, depth: int, alpha: int, beta: int, won: int, endings: Endings
) -> tuple[bool, int, int]:
    """Whether a position needs no search, its value then, and whether that is an estimate."""
    mine, yours, lead = seeds_in_pits(own), seeds_in_pits(their), (own >> 48) - (their >> 48)
    if mine == 0 or yours == 0:
        return True, worth(lead + mine - yours, won), 0
    # Who gets all that is left gets no more.
    least, most = worth(lead - mine - yours, won), worth(lead + mine + yours, won)
    if least >= beta or (won and least >= won):
        return True, least, 0
    if most <= alpha or (won and most <= -won):
        return True, most, 0
    if mine + yours <= endings.seeds:
        gained = gain(own, their, endings)
        return True, worth(lead + 2 * gained - mine - yours, won), 0
    if depth > 0:
        return False, 0, 0
    choice = OWN_CHOICE * pits_to_choose(own) - THEIR_CHOICE * pits_to_choose(their)
    return True, min(max((lead * SEED + choice + TURN) | 1, least), most), 1


@compiled
def _key(own: int, their: int) -> int:
    """64 well mixed bits of a position; two of a search share them about once in a million searches."""
    key = (own * -7046029254386353131) ^ (their * 0x2545F4914F6CDD1D)
    key ^= (key >> 29) & 0x7FFFFFFFF
    key = key * -4658895280553007687 + their
    return key ^ ((key >> 32) & 0xFFFFFFFF)


@compiled
def _recalled(word: int, depth: int, alpha: int, beta: int, won: int) -> tuple[bool, int]:
    """Whether an entry of the transposition table answers the search of a position, and its value.

    What is proved to win or to lose is so at any depth.
    """
    value, kind = (word >> 16) - 2 * INFINITE, (word >> 8) & 3
    deep = word & 255 >= depth
    if kind != _AT_MOST and (deep or (won and value >= won)) and value >= beta:
        return True, value
    if kind != _AT_LEAST and (deep or (won and value <= -won)) and value <= alpha:
        return True, value
    return bool(kind == _EXACT and (deep or (won and abs(value) >= won))), value


@compiled
def _expand(
    frame: Integers, own: int, their: int, first: int, killer: int, table: Integers, rules: Integers
) -> None:
    """Fill a frame with the moves, those first that are likely to be good.

    `first` is the pit that was best before, or -1, `killer` the one that refuted the last position as deep.
    """
    moves = 0
    for pit in range(rules[0] - 1, -1, -1):
        if (own >> (8 * pit)) & 255 == 0:
            continue
        mine, yours, again, captured = sow(own, their, pit, table, rules)
        rank = 100 + pit if again else 50 + 4 * captured if captured else pit
        rank = 1000 if pit == first else rank + 30 if pit == killer else rank
        place = moves
        while place > 0 and frame[_RANK + place - 1] < rank:
            for column in (_OWN, _THEIR, _MOVE, _RANK):
                frame[column + place] = frame[column + place - 1]
            place -= 1
        frame[_OWN + place] = mine if again else yours
        frame[_THEIR + place] = yours if again else mine
        frame[_MOVE + place] = pit + _AGAIN * again
        frame[_RANK + place] = rank
        moves += 1
    frame[_MOVES] = moves


@compiled
def _take(frame: Integers, value: int, estimate: int) -> int:
    """Take the value of the move that was tried: 0 says try it again, 1 try another, 2 none."""
    tried = frame[_TRIED]
    if frame[_MOVE + tried] < _AGAIN:
        value = -value
    if frame[_SCOUT] == 1 and frame[_ALPHA] < value < frame[_BETA]:
        frame[_SCOUT] = 2
        return 0
    frame[_SCOUT] = 0
    frame[_ESTIMATE] |= estimate
    if value > frame[_BEST]:
        frame[_BEST] = value
        frame[_BEST_PIT] = frame[_MOVE + tried] % _AGAIN
        frame[_ALPHA] = max(value, frame[_ALPHA])
    frame[_TRIED] = tried + 1
    if frame[_ALPHA] >= frame[_BETA]:
        # What refutes a position needs no other move.
        frame[_ESTIMATE] = estimate
        return 2
    return 1 if tried + 1 < frame[_MOVES] else 2


@compiled
def _remember(frame: Integers, positions: Integers) -> None:
    """Put what was found about a position into the transposition table, over whatever was there."""
    kind = _EXACT
    if frame[_BEST] >= frame[_BETA]:
        kind = _AT_LEAST
    elif frame[_BEST] <= frame[_FLOOR]:
        kind = _AT_MOST
    entry = positions[frame[_KEY] & (positions.shape[0] - 1)]
    depth = frame[_DEPTH] if frame[_ESTIMATE] else SOLVED
    entry[0] = frame[_KEY]
    entry[1] = ((frame[_BEST] + 2 * INFINITE) << 16) | ((frame[_BEST_PIT] + 1) << 10) | (kind << 8) | depth


@compiled
def search(
    own: int,
    their: int,
    depth: int,
    alpha: int,
    beta: int,
    won: int,
    budget: int,
    table: Integers,
    rules: Integers,
    endings: Endings,
    positions: Integers,
    frames: Integers,
    killers: Integers,
    told: Integers,
) -> int:
    """The value of a position for its mover: exact between `alpha` and `beta`, a bound outside (fail-soft).

    Args:
        depth: turns to look ahead.
        won: `WON` where winning is what counts, and nobody asks by how much; 0 where the lead is.
        budget: the most that `told[NODES]` may come to.
        table, rules: of the game, as for `sow`.
        endings: what is known of the game.
        positions: the transposition table, of shape (a power of two, 2); empty, or left by a search of the
            same game and the same `won`.
        frames, killers: room to work in, see `Tree`.
        told: counts what `NODES`, `SPENT` and `ESTIMATES` index; once it is spent, a value means nothing.
    """
    ply = 0
    while True:
        told[NODES] += 1
        if told[NODES] > budget:
            told[SPENT] = 1
            return 0
        known, value, estimate = _judged(own, their, depth, alpha, beta, won, endings)
        if not known and ply == _DEEPEST - 1:
            known, value, estimate = _judged(own, their, 0, alpha, beta, won, endings)
        if not known:
            key, first = _key(own, their), -1
            entry = positions[key & (positions.shape[0] - 1)]
            if entry[0] == key:
                known, value = _recalled(entry[1], depth, alpha, beta, won)
                first = ((entry[1] >> 10) & 7) - 1
                estimate = 0 if entry[1] & 255 == SOLVED else 1
            if not known:
                frame = frames[ply]
                _expand(frame, own, their, first, killers[ply], table, rules)
                frame[_KEY], frame[_DEPTH], frame[_TRIED], frame[_SCOUT] = key, depth, 0, 0
                frame[_FLOOR], frame[_ALPHA], frame[_BETA] = alpha, alpha, beta
                frame[_BEST], frame[_BEST_PIT], frame[_ESTIMATE] = -INFINITE, 0, 0
        while known:
            if ply == 0:
                told[ESTIMATES] += estimate
                return value
            ply -= 1
            frame = frames[ply]
            if _take(frame, value, estimate) < 2:
                break
            if frame[_BEST] >= frame[_BETA]:
                killers[ply] = frame[_BEST_PIT]
            _remember(frame, positions)
            value, estimate = frame[_BEST], frame[_ESTIMATE]
        frame = frames[ply]
        tried, alpha, beta = frame[_TRIED], frame[_ALPHA], frame[_BETA]
        own, their, depth = frame[_OWN + tried], frame[_THEIR + tried], frame[_DEPTH]
        if frame[_SCOUT] == 2:
            frame[_SCOUT] = 0
        elif tried > 0 and beta - alpha > 1:
            frame[_SCOUT], beta = 1, alpha + 1
        if frame[_MOVE + tried] < _AGAIN:
            depth, alpha, beta = depth - 1, -beta, -alpha
        ply += 1


class Tree:
    """Room to search positions of one game in, and what is remembered of those searched.

    Args:
        pits, sow_both_stores, empty_capture: the options of the game.
        won: as for `search`.
        budget: positions that may be visited in all.
        known: the table of exact endings of the game, if it is to be used.
    """

    def __init__(
        self,
        pits: int,
        sow_both_stores: bool,
        empty_capture: bool,
        won: int = 0,
        budget: int = 1 << 40,
        known: kalah_tables.Table | None = None,
    ) -> None:
        self.table = sowing_table(pits, sow_both_stores)
        self.rules = np.array([pits, empty_capture], np.int64)
        self._won, self._budget, self._endings = won, budget, endings(known)
        # 16 bytes each: 16 MB at most.
        self._positions = np.zeros((1 << min(20, max(10, budget.bit_length() - 1)), 2), np.int64)
        self._frames = np.zeros((_DEEPEST, _FRAME), np.int64)
        self._killers = np.full(_DEEPEST, -1, np.int64)
        self._told = np.zeros(3, np.int64)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._told[NODES])

    @property
    def spent(self) -> bool:
        """Whether the budget is, so that the last value means nothing."""
        return bool(self._told[SPENT])

    @property
    def estimates(self) -> int:
        """How many of the values so far are no proved ones: estimates went into them."""
        return int(self._told[ESTIMATES])

    def value(self, own: int, their: int, depth: int, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        """The value of a position for its mover, see `search`."""
        return search(
            own,
            their,
            depth,
            alpha,
            beta,
            self._won,
            self._budget,
            self.table,
            self.rules,
            self._endings,
            self._positions,
            self._frames,
            self._killers,
            self._told,
        )
