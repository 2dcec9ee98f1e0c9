"""Boards as the Kalah Game Protocol writes them (version 1.0.0, github.com/KWARC/kalah-game).

`<size,south's store,north's store,south's pits,north's pits>`, where south is to move, and both count their
pits from their left. So does a `move` of the protocol.
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import ceil

from .base import Notation, check_field
from .kalah import Options, State

_LITERAL = re.compile(r"<\s*([0-9]{1,3}(?:\s*,\s*[0-9]{1,3})*)\s*>")


def read(text: str, options: Options) -> State:
    """The board of `text`, south being seat 0. Raises `BadPosition`.

    The options are those, with as many pits as the board has, and with more seeds if it has more.
    """
    found = _LITERAL.fullmatch(text.strip())
    check_field(found is not None, "board")
    assert found
    size, *seeds = map(int, found[1].split(","))
    check_field(size > 0 and len(seeds) == 2 + 2 * size, "board")
    south, north, *pits = seeds
    options = replace(options, pits=size, seeds=max(options.seeds, ceil(sum(seeds) / (2 * size))))
    return State(options, 0, (*pits[:size], south, *pits[size:], north))


def write(state: State) -> str:
    """The board as the seat on turn has it."""
    half = state.options.pits + 1
    halves = state.board[:half], state.board[half:]
    south, north = halves[state.turn], halves[1 - state.turn]
    return f"<{','.join(map(str, (half - 1, south[-1], north[-1], *south[:-1], *north[:-1])))}>"


NOTATION = Notation("KGP", read, write)
