"""Checks tables of exact endings of Kalah by other means than those that make them.

`check_all` holds every value against those after each move. It sows seed by seed on a board of 14 places, as
the rules say it, and goes through all boards like a counter; the tables are made with packed sides, whose
sowings are looked up, in the order of their numbers. `check_some` has random positions searched by alpha-beta
to the end of the game without a table.
"""

from __future__ import annotations

from random import Random

import numpy as np

from . import kalah_tables
from .kalah_kernel import (
    SEED,
    SOLVED,
    Bytes,
    Endings,
    Integers,
    Tree,
    compiled,
    endings,
    gain,
    number,
    packed,
)
from .kalah_tables import PITS, Table, Variant

OWN_STORE, THEIR_STORE = PITS, 2 * PITS + 1
PLACES = 2 * PITS + 2


class Wrong(Exception):
    """A value that does not follow from the rules."""


def check_all(variant: Variant, values: Bytes, most: int) -> None:
    """Hold the value of every position with up to so many seeds against the rules. Raises `Wrong`."""
    seen = np.zeros(kalah_tables.positions(most), np.uint8)
    wrong = _count_wrong(endings(Table(most, values)), *variant, seen)
    if wrong or not seen.all():
        raise Wrong(f"{variant}: {wrong} values do not follow, {np.count_nonzero(seen == 0)} are not used")


def check_some(variant: Variant, values: Bytes, most: int, positions: int, rng: Random) -> None:
    """Search random positions with up to so many seeds. Raises `Wrong`."""
    tree, known = Tree(PITS, *variant), endings(Table(most, values))
    for _ in range(positions):
        seeds = rng.randint(2, most)
        pits = [0] * (2 * PITS)
        for pit in rng.choices(range(2 * PITS), k=seeds):
            pits[pit] += 1
        own, their = (packed(tuple(side), 0) for side in (pits[:PITS], pits[PITS:]))
        found = 2 * gain(own, their, known) - seeds
        if tree.value(own, their, SOLVED - 1) != found * SEED:
            raise Wrong(f"{variant}: {pits} is not worth {found}")


@compiled
def _count_wrong(known: Endings, both: bool, empty: bool, seen: Bytes) -> int:
    """How many values do not follow from those after each move; marks the numbers that are used."""
    board, after = np.zeros(PLACES, np.int64), np.zeros(PLACES, np.int64)
    wrong, seeds, place = 0, 0, 0
    while place < THEIR_STORE:
        own, their = _side(board, 0), _side(board, OWN_STORE + 1)
        seen[number(own, their, known.ways, known.starts)] = 1
        wrong += gain(own, their, known) != _best(board, after, seeds, both, empty, known)
        # The next board: one seed more in the first pit, or in the next one if there are too many.
        place = 0
        while place < THEIR_STORE and (seeds == known.seeds or place == OWN_STORE):
            seeds -= board[place]
            board[place] = 0
            place += 1
        if place < THEIR_STORE:
            board[place] += 1
            seeds += 1
    return wrong


@compiled
def _side(board: Integers, first: int) -> int:
    """The pits from a place on, packed."""
    side = 0
    for pit in range(PITS):
        side |= board[first + pit] << (8 * pit)
    return side


@compiled
def _best(board: Integers, after: Integers, seeds: int, both: bool, empty: bool, known: Endings) -> int:
    """How many seeds the player to move gets, by the values after each move."""
    if _side(board, 0) == 0 or _side(board, OWN_STORE + 1) == 0:
        return int(board[:OWN_STORE].sum())
    best = -1
    for pit in range(PITS):
        if board[pit]:
            again = _sow(board, after, pit, both, empty)
            own, their = _side(after, 0), _side(after, OWN_STORE + 1)
            if own == 0 or their == 0:
                got = after[: OWN_STORE + 1].sum()
            elif again:
                got = after[OWN_STORE] + gain(own, their, known)
            else:
                got = seeds - after[THEIR_STORE] - gain(their, own, known)
            best = max(best, got)
    return best


@compiled
def _sow(board: Integers, after: Integers, pit: int, both: bool, empty: bool) -> bool:
    """Write the board after a sowing into `after`; whether the turn goes on."""
    after[:] = board
    seeds, place = after[pit], pit
    after[pit] = 0
    while seeds:
        place = (place + 1) % PLACES
        if place != THEIR_STORE or both:
            after[place] += 1
            seeds -= 1
    if place < OWN_STORE and after[place] == 1:
        opposite = 2 * PITS - place
        if after[opposite] or empty:
            after[OWN_STORE] += after[opposite] + 1
            after[place] = after[opposite] = 0
    return place == OWN_STORE
