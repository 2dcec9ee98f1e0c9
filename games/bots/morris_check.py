"""Checks tables of exact endings with the rules themselves.

A table in which every value follows from the values after each move is right. A win leads to a loss that is
nearer, and so to the end of the match; from a draw there is a move to a draw and none to a loss of the
other side. So the values of random positions are compared with the values after each of their moves. These
moves are those of `games.rules.morris`, while the tables are made with masks and from moves backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

import numpy as np

from games.rules.morris import BLACK, EMPTY, FEWEST_MEN, MEN, PRESETS, WHITE, State, legal_moves, play

from . import morris_six
from .morris_index import index, number_of, ways
from .morris_kernel import POINTS
from .morris_tables import Solved


class Wrong(Exception):
    """A value that does not follow from the rules, or from the table itself."""


def check(men: int, solved: Solved, smaller: Solved | None, positions: int, rng: Random) -> None:
    """Hold random positions of either side to move against the rules. Raises `Wrong`.

    `smaller` is the table of one man less, None for three against three.
    """
    tables = {men: solved} if smaller is None else {men: solved, men - 1: smaller}
    for n in range(positions):
        state = random_position(men, n % 2 == 0, rng)
        if value(tables, state) != from_moves(partial(value, tables), state):
            raise Wrong(f"{state.board}, {MEN[state.turn]} to move, {men} men: {value(tables, state)}")


def random_position(men: int, three_move: bool, rng: Random) -> State:
    """Three white men and so many black ones, anywhere."""
    board = list(MEN[WHITE] * FEWEST_MEN + MEN[BLACK] * men + EMPTY * (POINTS - FEWEST_MEN - men))
    rng.shuffle(board)
    return State(PRESETS["nine"], WHITE if three_move else BLACK, "".join(board), (0, 0))


def value(tables: dict[int, Solved], state: State) -> int:
    """The value of a position of random ones, in which white has the three men."""
    white, black = masks(state)
    solved = tables[black.bit_count()]
    values = solved.threes if state.turn == WHITE else solved.others
    return int(values[number_of(index(), ways(black.bit_count()), white, black)])


def check_six(values: Sequence[int], positions: int, rng: Random) -> None:
    """Hold random positions of Six Men's Morris against the rules, by its values. Raises `Wrong`."""
    blocks = list(morris_six.blocks())
    for _ in range(positions):
        state = random_six(rng.choice(blocks), rng)
        if value_of_six(values, state) != from_moves(partial(value_of_six, values), state):
            raise Wrong(f"{state.board}, {MEN[state.turn]} to move, {state.hand} in hand")


def random_six(block: morris_six.Block, rng: Random) -> State:
    """A position of Six Men's Morris with so many men, anywhere."""
    hands, mine, others = block
    seat = rng.randrange(2)
    board = list(MEN[seat] * mine + MEN[1 - seat] * others + EMPTY * (morris_six.POINTS - mine - others))
    rng.shuffle(board)
    return State(PRESETS["six"], seat, "".join(board), hands if seat == WHITE else (hands[1], hands[0]))


def value_of_six(values: Sequence[int], state: State) -> int:
    """The value of a position of Six Men's Morris."""
    sides, seat = masks(state), state.turn
    found = morris_six.number_of(sides[seat], sides[1 - seat], (state.hand[seat], state.hand[1 - seat]))
    assert found is not None
    return int(values[found])


def masks(state: State) -> tuple[int, int]:
    """The men of both seats."""
    white, black = (sum(1 << point for point, man in enumerate(state.board) if man == each) for each in MEN)
    return white, black


def from_moves(value: Callable[[State], int], state: State) -> int:
    """The value of a position, as it follows from those after each of its turns."""
    values = list(after_turns(value, state))
    wins, losses = [each for each in values if each % 2], [each for each in values if each and each % 2 == 0]
    if wins:
        return min(wins) + 1
    return max(losses, default=0) + 1 if len(losses) == len(values) else 0


def after_turns(value: Callable[[State], int], state: State) -> Iterator[int]:
    """The values for the other side after each turn of a position, takes included."""
    for move in legal_moves(state):
        after = play(state, move).state
        if after.ended:
            yield 1
        elif after.turn == state.turn:
            yield from after_turns(value, after)
        else:
            yield value(after)


def tally(men: int, solved: Solved) -> tuple[int, int, int]:
    """How many numbers of a table are won, drawn and lost for the side to move."""
    values = np.asarray(solved.threes) if men == FEWEST_MEN else np.concatenate(solved)
    drawn, lost = int(np.count_nonzero(values == 0)), int(np.count_nonzero(values & 1))
    return len(values) - drawn - lost, drawn, lost


def longest(solved: Solved) -> int:
    """The most turns that a match takes."""
    return int(max(map(max, solved))) - 1
