"""Puzzles of Can't Stop: stop or roll, and which pairing, where three columns are open and one more wins.

Of four players two are left. They and the others have claimed two columns each, so that three are open. There
few positions can follow, and the chances to win are computed by value iteration, compiled: the chance of a
player who is about to roll follows from those of positions with fewer spaces left, and from the chance of
the other player after a throw that moves nothing. The two are computed in turn until they no longer change.
"""

# What numba decorates has no types left.
# mypy: disable-error-code="untyped-decorator, no-any-return"

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from games.bots import cantstop_kernel as kernel
from games.bots.cantstop import table as throws_table
from games.bots.compiler import njit
from games.domain.position import Position
from games.puzzles.collection import PAIRING, RACE, STOP_OR_ROLL, Puzzle
from games.registry import GAMES
from games.rules import cantstop as rules
from games.rules.cantstop import LENGTHS, ROLL, STOP, TO_WIN, Move, State

Array: TypeAlias = np.ndarray[Any, Any]

SLUG = "cantstop"
SEATS = 4
MOST_LEFT = 3
"""Spaces left in a column for either player, at most and at least 1."""
OPEN = 3
SIDE = MOST_LEFT + 1
POWERS = np.array([SIDE * SIDE, SIDE, 1])
STEPS = kernel.STEPS
HEIGHTS = SIDE**OPEN
"""Spaces left in three columns, as the digits of a number, the first column's highest."""
ENOUGH = 1e-12
"""Chances that change by less no longer change."""
CLEAR, OBVIOUS = 150, 1200
"""The least and the most lead of the best move over the next one, in hundredths of a percent."""
MOVES = 2
"""The fewest moves to choose from."""
THROWN = 0.5
"""The share of positions after a throw; the others are after a climb."""
PERCENT = 10_000
LIKELY = 0.7
"""The other player's chance to win from which on it is a race."""
TRIES = 400
"""Positions looked at of each three columns."""
MOST_OF_A_KIND = 4
"""Puzzles of the same three columns in which the answer is to roll, to stop, or a pairing."""


class Chances(NamedTuple):
    """The chances to win of all positions of three columns.

    Attributes:
        before: float64[HEIGHTS, HEIGHTS]; of the player about to begin a turn, by their spaces left and by
            those of the other player.
        steps, ways, starts: what throws let a player do (`games.bots.cantstop_kernel.Table`).
        first: where the entries of the three columns begin among `starts`.
    """

    before: Array
    starts: Array
    steps: Array
    ways: Array
    first: int


def candidates(seed: int) -> Iterator[Puzzle]:
    """Some puzzles of three columns."""
    rng = Random(f"{SLUG} {seed}")
    columns = rng.choice(list(combinations(rules.COLUMNS, OPEN)))
    options = rng.choice(list(rules.PRESETS.values()))
    chances = chances_of(columns, options.topped == rules.STRICT)
    kinds = Counter[str]()
    for _ in range(TRIES):
        puzzle = of(random_state(columns, options, rng), chances)
        if puzzle is not None:
            kind = PAIRING if PAIRING in puzzle.themes else puzzle.answer
            kinds[kind] += 1
            if kinds[kind] <= MOST_OF_A_KIND:
                yield puzzle


@cache
def chances_of(columns: tuple[int, ...], strict: bool) -> Chances:
    """The chances to win where these columns are open."""
    throws = throws_table()
    first = (int(strict) * len(kernel.TRIPLES) + kernel.TRIPLE_NUMBERS[columns]) * kernel.ROOMS
    chances = Chances(np.zeros((HEIGHTS, HEIGHTS)), throws.starts, throws.choices, throws.ways, first)
    solve(chances)
    return chances


def random_state(columns: tuple[int, ...], options: rules.Options, rng: Random) -> State:
    """A turn of the first of two players, after a climb or after a throw."""
    closed = [column for column in range(2, 13) if column not in columns]
    owners = rng.sample([*range(SEATS)] * (TO_WIN - 1), len(closed))
    owner_of = dict(zip(closed, owners, strict=True))
    cones = [{column: LENGTHS[column] - rng.randint(1, MOST_LEFT) for column in columns} for _ in range(2)]
    runners = {column: rng.randrange(cone, LENGTHS[column]) for column, cone in cones[0].items()}
    dice = tuple(rng.randint(1, rules.DICE.sides) for _ in range(rules.DICE.count))
    return State(
        options,
        turn=0,
        cones=(row(cones[0]), row(cones[1]), row({}), row({})),
        runners=row({column: space for column, space in runners.items() if space > cones[0][column]}),
        owners=tuple(owner_of.get(column) for column in range(len(LENGTHS))),
        present=(True, True, False, False),
        dice=dice if rng.random() < THROWN else (),
    )


def row(spaces: dict[int, int]) -> tuple[int, ...]:
    """Spaces by column."""
    return tuple(spaces.get(column, 0) for column in range(len(LENGTHS)))


def of(state: State, chances: Chances) -> Puzzle | None:
    """The puzzle that a position is, if one move is clearly the best and none reaches a top."""
    moves = list(dict.fromkeys(rules.legal_moves(state)))
    columns = [column for column in rules.COLUMNS if state.owners[column] is None]
    if len(moves) < MOVES:
        return None
    own, other = (left(state.cones[seat], columns) for seat in (0, 1))
    rolled = np.zeros(HEIGHTS)
    turn(chances, own, other, 1 - chances.before[other, own], rolled)
    values = {}
    for move in moves:
        after = climbed(state, move)
        here = left(after, columns)
        if any(after[column] == LENGTHS[column] for column in columns):
            return None
        stopped = 1 - chances.before[other, here]
        value = rolled[here] if move == ROLL else stopped if move == STOP else max(rolled[here], stopped)
        values[str(move)] = round(PERCENT * value)
    worth = dict(sorted(values.items(), key=lambda each: -each[1]))
    best, second, *_ = worth.values()
    if not CLEAR <= best - second <= OBVIOUS:
        return None
    is_race = chances.before[other, own] >= LIKELY
    themes = (PAIRING if state.dice else STOP_OR_ROLL, *((RACE,) if is_race else ()))
    return Puzzle(str(Position(GAMES[SLUG], state, SEATS)), themes, 0, worth, (next(iter(worth)),))


def climbed(state: State, move: Move) -> tuple[int, ...]:
    """The spaces of the player to move after a climb, or now."""
    spaces = [runner or cone for runner, cone in zip(state.runners, state.cones[state.turn], strict=True)]
    for column in move.columns:
        spaces[column] += 1
    return tuple(spaces)


def left(spaces: Sequence[int], columns: Sequence[int]) -> int:
    """The number of spaces left in three columns."""
    number = 0
    for column in columns:
        number = number * SIDE + LENGTHS[column] - spaces[column]
    return number


@njit(cache=True)
def solve(chances: Chances) -> None:
    """Fill the chances before turns, those with the fewest spaces left first."""
    totals, rolled = np.zeros(HEIGHTS, np.int64), np.zeros(HEIGHTS)
    for height in range(HEIGHTS):
        totals[height] = height // (SIDE * SIDE) + height // SIDE % SIDE + height % SIDE
    for total in range(2 * OPEN, 2 * OPEN * MOST_LEFT + 1):
        for own in range(HEIGHTS):
            for other in range(own, HEIGHTS):
                if totals[own] + totals[other] == total and both_open(own, other):
                    solve_two(chances, own, other, rolled)


@njit(cache=True)
def both_open(own: int, other: int) -> bool:
    """Whether neither player has topped a column."""
    for _ in range(OPEN):
        if own % SIDE == 0 or other % SIDE == 0:
            return False
        own //= SIDE
        other //= SIDE
    return True


@njit(cache=True)
def solve_two(chances: Chances, own: int, other: int, rolled: Array) -> None:
    """The chances of a position for each of the players, as each follows from the other."""
    before, change = chances.before, 1.0
    while change > ENOUGH:
        mine, yours = before[own, other], before[other, own]
        before[own, other] = turn(chances, own, other, 1 - before[other, own], rolled)
        before[other, own] = turn(chances, other, own, 1 - before[own, other], rolled)
        change = abs(before[own, other] - mine) + abs(before[other, own] - yours)


@njit(cache=True)
def turn(chances: Chances, own: int, other: int, bust: float, rolled: Array) -> float:
    """Fill the chances to win by a throw with all runners that a turn can come to; returns that of its begin.

    Args:
        chances: those of positions with fewer spaces left are filled.
        own: the spaces left to the player.
        other: those left to the other player.
        bust: the chance to win after a throw that moves nothing.
        rolled: float64[HEIGHTS]; by the spaces that the runners have left.
    """
    a, b, c = own // (SIDE * SIDE), own // SIDE % SIDE, own % SIDE
    for i in range(a + 1):
        for j in range(b + 1):
            for k in range(c + 1):
                here, room = (i * SIDE + j) * SIDE + k, (min(i, 2) * 3 + min(j, 2)) * 3 + min(k, 2)
                value = 0.0
                for entry in range(
                    chances.starts[chances.first + room], chances.starts[chances.first + room + 1]
                ):
                    best = bust
                    for nth in range(3):
                        step = chances.steps[entry, nth]
                        if step >= 0:
                            at = here
                            for column in range(OPEN):
                                at -= STEPS[step, column] * POWERS[column]
                            found = 1.0
                            if both_open(at, at):
                                found = max(rolled[at], 1 - chances.before[other, at])
                            best = found if nth == 0 else max(best, found)
                    value += chances.ways[entry] * best
                rolled[here] = value / kernel.WAYS_TO_THROW
    return rolled[own]
