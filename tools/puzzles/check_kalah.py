"""The second program for Kalah: tables of all positions with few seeds, made from the smallest up, compiled.

It shares nothing with the search. Seeds in stores stay there, so a position is its twelve pits, those of the
player to move first, and its value is what that player wins from it on. A position is decided once all that
its moves lead to are; seeds only ever go forward, so passes over the undecided ones come to an end. There is
one table for each number of seeds in pits.
"""

# What numba decorates has no types left.
# mypy: disable-error-code="untyped-decorator, no-any-return"

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any, TypeAlias

import numpy as np

from games.bots.compiler import njit
from games.rules.kalah import State, stores

Array: TypeAlias = np.ndarray[Any, Any]

PITS = 6
PLACES = 2 * PITS
STORE = PITS
MOST_SEEDS = 14
UNKNOWN = -128
WAYS = np.array([[comb(n, k) for k in range(PLACES + 1)] for n in range(MOST_SEEDS + PLACES + 1)])


def worth(state: State) -> dict[str, int]:
    """The final lead after each legal move, if both play their best. The state has six pits a side."""
    own, their = state.board[: PITS + 1], state.board[PITS + 1 :]
    if state.turn:
        own, their = their, own
    pits = np.array((*own[:PITS], *their[:PITS]))
    lead = stores(state)[state.turn] - stores(state)[1 - state.turn]
    rules = state.options.sow_both_stores, state.options.empty_capture
    tables = tables_to(int(pits.sum()), *rules)
    after = np.zeros(PLACES, np.int64)
    return {
        str(pit + 1): lead + int(after_move(pits, pit, *rules, tables, after))
        for pit in range(PITS)
        if pits[pit]
    }


@cache
def tables_to(seeds: int, both_stores: bool, empty_capture: bool) -> Array:
    """int8[seeds + 1, positions]; the values of all positions with up to so many seeds, by `rank`."""
    if seeds > MOST_SEEDS:
        raise ValueError(f"{seeds} seeds are more than {MOST_SEEDS}")
    tables = np.full((seeds + 1, WAYS[seeds + PLACES - 1, PLACES - 1]), UNKNOWN, np.int8)
    if seeds:
        smaller = tables_to(seeds - 1, both_stores, empty_capture)
        tables[:seeds, : smaller.shape[1]] = smaller
    while decide(tables, seeds, both_stores, empty_capture):
        pass
    return tables


@njit(cache=True)
def rank(pits: Array) -> int:
    """The number of a position among those with as many seeds."""
    before = number = 0
    for place in range(PLACES - 1):
        before += pits[place]
        number += WAYS[before + place, place + 1]
    return number


@njit(cache=True)
def unrank(number: int, seeds: int, pits: Array) -> None:
    """Write the position of a number."""
    bar, last = seeds + PLACES - 2, seeds + PLACES - 1
    for place in range(PLACES - 2, -1, -1):
        while WAYS[bar, place + 1] > number:
            bar -= 1
        number -= WAYS[bar, place + 1]
        pits[place + 1] = last - bar - 1
        last = bar
    pits[0] = last


@njit(cache=True)
def decide(tables: Array, seeds: int, both_stores: bool, empty_capture: bool) -> bool:
    """Write the values of positions all of whose moves have one; whether some positions are left."""
    pits, after, is_left = np.zeros(PLACES, np.int64), np.zeros(PLACES, np.int64), False
    for number in range(WAYS[seeds + PLACES - 1, PLACES - 1]):
        if tables[seeds, number] != UNKNOWN:
            continue
        unrank(number, seeds, pits)
        value, is_known = UNKNOWN, True
        for pit in range(PITS):
            if pits[pit]:
                found = after_move(pits, pit, both_stores, empty_capture, tables, after)
                is_known = is_known and found != UNKNOWN
                value = max(value, found)
        if value == UNKNOWN and is_known:
            # Nobody has to move here: the match ended with the move before.
            value = 0
        if is_known:
            tables[seeds, number] = value
        is_left = is_left or not is_known
    return is_left


@njit(cache=True)
def after_move(
    pits: Array, pit: int, both_stores: bool, empty_capture: bool, tables: Array, after: Array
) -> int:
    """What the player to move wins by a move and from there on; `UNKNOWN` if no table has it yet."""
    for place in range(PLACES):
        after[place] = pits[place]
    after[pit] = 0
    lead, at, hand, in_store = 0, pit, pits[pit], False
    while hand:
        # Places in order: six pits, the store (6), the other six pits (7 to 12), the other store (13).
        at = (at + 1) % (PLACES + 2)
        if at == PLACES + 1 and not both_stores:
            continue
        hand -= 1
        in_store = at == STORE
        if in_store:
            lead += 1
        elif at == PLACES + 1:
            lead -= 1
        else:
            after[at - (at > STORE)] += 1
    if at < STORE and after[at] == 1:
        opposite = PLACES - 1 - at
        if after[opposite] or empty_capture:
            lead += after[opposite] + 1
            after[at] = after[opposite] = 0
    own, their = after[:PITS].sum(), after[PITS:].sum()
    if own == 0 or their == 0:
        return lead + own - their
    if not in_store:
        for place in range(PITS):
            after[place], after[place + PITS] = after[place + PITS], after[place]
    value = tables[own + their, rank(after)]
    if value == UNKNOWN:
        return UNKNOWN
    return lead + value if in_store else lead - value
