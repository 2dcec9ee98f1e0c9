"""Plays Nine Men's Morris and its relatives by alpha-beta search, on eight levels.

The search is in `morris_kernel`, and what positions are worth in `morris_patterns`; here are the words of the
rules made into numbers, what each level knows, and what a look tells of the values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from math import ceil, exp
from random import Random
from typing import Any, NamedTuple, cast

import numpy as np

from games.bots.base import LONGEST_LINE, Evaluation, MoveEvaluation
from games.bots.morris_levels import SLIPS_OF_THE_FIRST
from games.rules.morris import (
    ALWAYS,
    FEWEST_MEN,
    MEN,
    PRESETS,
    WHEN_ALL,
    WHITE,
    Options,
    State,
    legal_moves,
    play,
)
from games.rules.morris_boards import BOARDS, THREE, Move

from . import morris_kernel as kernel
from . import morris_patterns as patterns
from . import morris_tables
from .morris_kernel import DEEPEST, GAME, HAND, INFINITE, NOTHING, OFF, PROVED, Endings, Memory, Table
from .morris_numbers import numbering, representatives


class Skill(NamedTuple):
    """How a level plays.

    Attributes:
        depth: how many turns it looks ahead at most.
        nodes: how many positions it looks at, at most.
        rest: how many turns further it follows mills that are closed.
        slips: how often it plays anything, from 0 to 1.
        noise: the standard deviation of what it misjudges each move by, in hundredths of a man.
        knows: whether it judges positions by what was learned, where something was (`knows_of`), and looks up
            how the last men win (`morris_tables`).
    """

    depth: int
    nodes: int
    rest: int = kernel.QUIESCENCE
    slips: float = 0.0
    noise: float = 0.0
    knows: bool = False


SKILLS = (
    Skill(depth=1, nodes=50_000, rest=0, slips=SLIPS_OF_THE_FIRST, noise=100),
    Skill(depth=1, nodes=50_000, rest=0, slips=0.5, noise=80),
    Skill(depth=1, nodes=50_000, rest=0, slips=0.2, noise=50),
    Skill(depth=2, nodes=50_000, rest=0, slips=0.2, noise=45),
    Skill(depth=2, nodes=50_000, rest=0, slips=0.08, noise=25),
    Skill(depth=3, nodes=100_000, slips=0.05, noise=20),
    Skill(depth=5, nodes=200_000, slips=0.02, noise=10),
    Skill(depth=DEEPEST, nodes=1_000_000, knows=True),
)
"""Of the levels in `morris_levels`. `bench.strength.morris` measures what they are worth."""

NEAR_ENDING = FEWEST_MEN + 2
"""Men that a side has, those in hand included, once a search may look an ending up."""
FEWEST_NODES = 1_000
"""However little effort is asked for: enough to look at every move."""
LOOK_NODES = 1_000_000
PROOF_NODES = 200_000
"""On top of a look, where a draw is worth proving."""
SCALE = 110
"""Hundredths of a man that make the odds of a win e to 1. A logistic curve of this scale fits best to the
ends of 120 games of the search against itself, over the four presets, seen from 5,079 positions."""

WEIGHTS = np.array(
    [
        # REACH, SHUT_IN, MILL, TWO, OPEN, RUNNING, TURN
        [3, 4, 10, 8, 20, 30, 5],
        [3, 6, 10, 5, 25, 60, 5],
    ],
    np.int64,
)
"""In hundredths of a man, while men are in hand and afterwards: points a side can slide to, its men that
cannot move, its mills, its lines with two men and nobody else's, those of them that a neighbour can fill and
those that a man of a mill can fill; and to be on turn."""


@lru_cache(maxsize=64)
def table(options: Options, knows: bool = False) -> Table:
    """What the kernel needs to know of a match; whether it uses what was learned."""
    board = BOARDS[options.board]
    near = [mask(points) for points in board.adjacent]
    halves = [[0] * 4096, [0] * 4096]
    for half, base in enumerate((0, 12)):
        for men in range(4096):
            for point in range(base, min(base + 12, len(near))):
                if men >> (point - base) & 1:
                    halves[half][men] |= near[point]
    pairs = [[mask(line) & ~(1 << point) for line in board.mills[point]] for point in range(len(near))]
    lines = sorted({mask(line) for mills in board.mills for line in mills})
    return Table(
        full=(1 << len(near)) - 1,
        near=np.array(near, np.int64),
        pairs=np.array([[*own, *[NOTHING] * (3 - len(own))] for own in pairs], np.int64),
        lines=np.array(lines, np.int64),
        around=np.array(halves, np.int64),
        early=options.early_slides,
        flying=options.flying,
        safe=options.from_mills != ALWAYS,
        last=options.from_mills == WHEN_ALL,
        double=options.double_mill,
        fifty=options.fifty,
        weights=WEIGHTS,
        knows=knows,
        learned=patterns.load() if knows else patterns.nothing(),
        endings=exact_endings(False),
    )


@cache
def exact_endings(hold: bool) -> Endings:
    """The tables of `morris_tables` for the kernel; none of them where they do not hold or cannot be read."""
    loaded = [morris_tables.loaded(morris_tables.path(men), men) for men in morris_tables.SIZES if hold]
    solved = [each for each in loaded if each]
    known = len(solved) == len(morris_tables.SIZES)
    if not known:
        solved = [morris_tables.Solved(b"", b"")] * len(morris_tables.SIZES)
    # Numbering takes a moment, which those that know no tables need not wait.
    kinds = representatives(THREE, FEWEST_MEN) if known else ()
    half, turns, choices = numbering(THREE) if known else (0, [[[]]], [[]])
    return Endings(
        known,
        np.array(kinds, np.int64),
        half,
        np.array(turns, np.int64),
        np.array(choices, np.int64),
        tuple(np.frombuffer(each.threes, np.uint8) for each in solved),
        tuple(np.frombuffer(each.others, np.uint8) for each in solved),
    )


def table_for(state: State, knows: bool) -> Table:
    """The table for a search; with what was learned and with the exact endings, if the level `knows` them.

    The endings, 26 MB, are read once a side is `NEAR_ENDING`.
    """
    options = state.options
    known = table(options, knows and knows_of(options))
    fewest = min(state.board.count(MEN[seat]) + state.hand[seat] for seat in range(2))
    if knows and fewest <= NEAR_ENDING and morris_tables.fits(options):
        return known._replace(endings=exact_endings(True))
    return known


def knows_of(options: Options) -> bool:
    """Whether it was learned what positions are worth: in the preset `nine`, whatever is drawn there."""
    return replace(options, threefold=True, fifty=True) == PRESETS["nine"]


def mask(points: Iterable[int]) -> int:
    """The bits of some points."""
    return sum(1 << point for point in points)


def code(options: Options, move: Move) -> int:
    """A move as the kernel counts them."""
    points = BOARDS[options.board].points
    start = points.index(move.start) if move.start else HAND
    return start << 5 | (points.index(move.to) if move.to else OFF)


def position(state: State) -> list[int]:
    """A state as the kernel sees it, without the way that led there."""
    me, other = state.turn, 1 - state.turn
    men = [mask(point for point, man in enumerate(state.board) if man == MEN[seat]) for seat in (me, other)]
    hands = state.hand[me], state.hand[other]
    return [*men, *hands, state.takes, state.quiet, len(state.trail) // 2, me]


def path(state: State) -> list[int]:
    """The positions since the last placing or taking, each seen by its player to move; the last is now."""
    me, other, *_ = position(state)
    positions = [me | other << 24]
    bits = [1 << ord(letter) - ord("a") for letter in state.trail]
    for start, to in zip(bits[-2::-2], bits[::-2], strict=True):
        me, other = other ^ (start | to), me
        positions.append(me | other << 24)
    return positions[:GAME][::-1]


def remember(m: Memory, state: State) -> None:
    """Write a state into frame 0, and the positions before it."""
    known = path(state)
    m.frames[0, : kernel.POSITION] = position(state)
    m.frames[0, kernel.SLIDES] = m.frames[0, kernel.PATH] = len(known) - 1
    m.path[: len(known)] = known


class Found(NamedTuple):
    """What a search found.

    Attributes:
        moves: the best first.
        values: of those moves for the player to move, in hundredths of a man; beyond `PROVED` they are
            wins and losses.
        depth: how many turns ahead the last search that was finished looked.
        nodes: how many positions it looked at.
        guesses: how many values of positions were no proofs.
    """

    moves: list[Move]
    values: list[int]
    depth: int
    nodes: int
    guesses: int


def choose(state: State, level: int, effort: float, rng: Random) -> Move:
    """A move of the level's strength; see `games.bots.base.Player`. Any of those that seem equally good."""
    skill = SKILLS[level - 1]
    moves = list(legal_moves(state))
    rng.shuffle(moves)
    if len(moves) == 1 or rng.random() < skill.slips:
        return moves[0]
    if skill.knows:
        moves, settled = morris_tables.narrowed(state, moves)
        if settled:
            return rng.choice(moves)
    nodes = max(ceil(skill.nodes * effort), FEWEST_NODES)
    if skill.noise:
        found = think(state, moves, skill.depth, nodes, INFINITE, skill.rest)
        judged = [value + rng.gauss(0, skill.noise) for value in found.values]
        return found.moves[judged.index(max(judged))]
    found = think(state, moves, skill.depth, nodes, 0, skill.rest, knows=skill.knows)
    return rng.choice(found.moves[: found.values.count(found.values[0])])


def look(state: State, seats: int, rng: Random) -> Evaluation:
    """What the best level makes of a position; see `games.bots.base.Player`."""
    *_, last = deepen(state, seats, rng)
    return last


def deepen(state: State, seats: int, rng: Random) -> Iterator[Evaluation]:
    """What the best level makes of a position at each depth; see `games.bots.base.Player`.

    A win or a loss that the search has seen to its end is proved, and so is a draw if what is left of the
    match is short enough to be played through. What `morris_tables` knows is proved and takes no search.
    """
    moves = list(legal_moves(state))
    endings = morris_tables.endings(state, moves)
    if len(endings) == len(moves):
        yield told(state, endings)
        return
    search = Search(state, moves, LOOK_NODES, knows=True)
    for found in search.deepen():
        prospects = tuple(
            MoveEvaluation(str(move), share(value))
            for move, value in zip(found.moves, found.values, strict=True)
        )
        line = tuple(map(str, search.line(found)))
        seen = replace(
            evaluation(state, prospects, abs(found.values[0]) > PROVED), depth=found.depth, line=line
        )
        yield seen
    if found.values[0] == 0 and is_drawn(state, moves):
        yield replace(seen, proved=True)


def told(state: State, endings: dict[Move, morris_tables.Ending]) -> Evaluation:
    """What the tables make of a position, by how the match ends after each of its moves.

    Moves that keep a draw are in the order of the search: the opponent may err.
    """
    moves = sorted(endings, key=lambda move: endings[move].rank, reverse=True)
    drawn = [move for move in moves if not endings[move].result]
    if drawn and drawn[0] == moves[0]:
        moves[: len(drawn)] = think(state, drawn, DEEPEST, PROOF_NODES, 0, knows=True).moves
    prospects = tuple(MoveEvaluation(str(move), (1 + endings[move].result) / 2) for move in moves)
    return evaluation(state, prospects, proved=True)


def evaluation(state: State, prospects: tuple[MoveEvaluation, ...], proved: bool) -> Evaluation:
    """What is told of a position, from its moves, the best first."""
    mine = prospects[0].share
    return Evaluation(
        state.turn, (mine, 1 - mine) if state.turn == WHITE else (1 - mine, mine), prospects, proved
    )


def is_drawn(state: State, moves: list[Move]) -> bool:
    """Whether all that may follow has been played through, and comes to a draw."""
    # With a table of its own, and at one depth: nothing in it was a guess at first.
    found = think(state, moves, DEEPEST, PROOF_NODES, 0, first=DEEPEST)
    return found.depth == DEEPEST and found.values[0] == 0 and not found.guesses


def share(value: int) -> float:
    """The share of the win that a value stands for."""
    if abs(value) > PROVED:
        return 1.0 if value > 0 else 0.0
    return 1 / (1 + exp(-value / SCALE))


class Search:
    """A search of a state that deepens turn by turn, with the values of all its moves.

    With `knows`, positions are judged by what was learned and solved, where something was.
    """

    def __init__(self, state: State, moves: list[Move], nodes: int, knows: bool) -> None:
        self._state, self._moves = state, moves
        self._memory, self._table = kernel.memory(), table_for(state, knows)
        remember(self._memory, state)
        self._memory.counters[kernel.LIMIT] = nodes
        self._memory.counters[kernel.REST] = kernel.QUIESCENCE

    def deepen(self) -> Iterator[Found]:
        """What is found at each depth, until the positions are spent or nothing is left to find out."""
        moves = self._moves
        for depth in range(1, DEEPEST + 1):
            found = _found(self._memory, self._table, self._state, moves, depth, depth, INFINITE)
            if found.depth < depth:
                return
            yield found
            if abs(found.values[0]) > PROVED or not found.guesses:
                return
            moves = found.moves

    def line(self, found: Found) -> list[Move]:
        """The best move of each side in turn, as far as the transposition table remembers them."""
        state, depth, line = self._state, found.depth, [found.moves[0]]
        while len(line) < LONGEST_LINE:
            before, state = state, play(state, line[-1]).state
            depth -= before.turn != state.turn
            codes = {code(state.options, move): move for move in legal_moves(state)}
            best = codes.get(self._remembered(state)) if depth > 0 else None
            if best is None:
                break
            line.append(best)
        return line

    def _remembered(self, state: State) -> int:
        """The best move that the table has of a position, as the kernel counts them; -1 without one."""
        at = np.array(position(state), np.int64)
        # The kernel's own functions, which it compiles into its callers: they count with 64 bits.
        with np.errstate(over="ignore"):
            key = np.int64(cast(Any, kernel.key_of).py_func(self._table, at))
            slot = cast(Any, kernel.slot_of).py_func(self._memory, key)
        known, entry = self._memory.table[slot].tolist()
        is_good = known == key and entry >> 14 & 3 != kernel.UPPER
        return (entry & 0x3FFF) - 1 if is_good else -1


def think(  # noqa: PLR0913 - the limits of a search, most with defaults
    state: State,
    moves: list[Move],
    depth: int,
    nodes: int,
    margin: int,
    rest: int = kernel.QUIESCENCE,
    first: int = 1,
    knows: bool = False,
) -> Found:
    """Search some of the legal moves of a state, as `kernel.think` does.

    With `knows`, positions are judged by what was learned and solved, where something was.
    """
    m, t = kernel.memory(), table_for(state, knows)
    remember(m, state)
    m.counters[kernel.LIMIT], m.counters[kernel.REST] = nodes, rest
    return _found(m, t, state, moves, first, depth, margin)


def _found(  # noqa: PLR0913 - as `kernel.think`
    m: Memory, t: Table, state: State, moves: list[Move], first: int, depth: int, margin: int
) -> Found:
    codes = np.array([code(state.options, move) for move in moves], np.int64)
    named = dict(zip(codes.tolist(), moves, strict=True))
    values = np.full(len(moves), -INFINITE, np.int64)
    reached = kernel.think(t, m, codes, values, first, depth, margin)
    counted = m.counters.tolist()
    return Found(
        [named[each] for each in codes.tolist()],
        values.tolist(),
        reached,
        counted[kernel.NODES],
        counted[kernel.GUESSES],
    )
