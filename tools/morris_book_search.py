"""Searches of the first positions of Nine Men's Morris, for its opening book (`tools.morris_book`)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from games.bots import morris as player
from games.bots import morris_book
from games.bots import morris_kernel as kernel
from games.rules import morris
from games.rules.morris import PRESETS, WHITE, State

GROWTH = 3
"""How many times as many positions the next depth takes at least: without room for that, it is not begun."""
SLOTS = 1 << 21
"""Of the transposition table; a search looks at several positions for each."""
MARGIN = 40
"""How much worse than the best a move is at most that a search tells the value of, in hundredths of a man."""


class Reached(NamedTuple):
    """The position after a move: as the book writes it, and whether the same side is to move."""

    position: str
    same: bool


START = morris_book.least(morris_book.seen(morris.setup(PRESETS["nine"])))[0]


def state_of(position: str) -> State:
    """A position of the book, with white to move."""
    board, mine, others, takes = position.split()
    return State(PRESETS["nine"], WHITE, board, (int(mine), int(others)), int(takes))


@cache
def following(position: str) -> dict[str, Reached]:
    """What the moves of a position lead to; of moves that are symmetric to each other, the first."""
    state, found = state_of(position), dict[Reached, str]()
    for move in morris.legal_moves(state):
        after = morris.play(state, move).state
        reached = Reached(morris_book.least(morris_book.seen(after))[0], after.turn == state.turn)
        found.setdefault(reached, str(move))
    return {move: reached for reached, move in found.items()}


def plies(position: str) -> int:
    """How many men have been placed."""
    _, mine, others, _ = position.split()
    return 18 - int(mine) - int(others)


def search(position: str, nodes: int, knows: bool = True) -> dict[str, int]:
    """The values of the good moves of a position, by a search of so many positions.

    A value is the mean of what the last two depths say, as to look an odd number of turns ahead flatters the
    side to move. Moves that are worse by more than `MARGIN` at either depth are left out.
    """
    state = state_of(position)
    m, t = kernel.memory(SLOTS), player.table(state.options, knows)
    player.remember(m, state)
    m.counters[kernel.LIMIT], m.counters[kernel.REST] = nodes, kernel.QUIESCENCE
    named = {player.code(state.options, morris.parse(move)): move for move in following(position)}
    codes = np.array(list(named), np.int64)
    last = before = dict.fromkeys(named.values(), 0)
    for depth in range(1, kernel.DEEPEST + 1):
        values = np.full(len(codes), -kernel.INFINITE, np.int64)
        ordered = codes.copy()
        if kernel.think(t, m, ordered, values, depth, depth, MARGIN) < depth:
            break
        codes, before = ordered, last
        best = int(values[0])
        pairs = zip(codes.tolist(), values.tolist(), strict=True)
        last = {named[code]: value for code, value in pairs if value >= best - MARGIN}
        if m.counters[kernel.NODES] * GROWTH > nodes:
            break
    return {move: (value + before[move]) // 2 for move, value in last.items() if move in before} or last


def best(values: dict[str, int]) -> int:
    return max(values.values())


def near_best(values: dict[str, int], margin: int) -> dict[str, int]:
    """Those that are worse than the best by so much at most, and by how much."""
    most = best(values)
    return {move: most - value for move, value in values.items() if most - value <= margin}
