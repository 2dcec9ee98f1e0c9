"""Games of Kalah of an exact length, so that every server in the bench plays the same moves."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TypeAlias

from games.rules import kalah

Game: TypeAlias = tuple[tuple[int, int], ...]
"""The moves from the first to the last: the seat that moves, and the pit it sows from, counted from 0."""

DIFFERENT = 25
TRIES = 20_000


@cache
def kalah_games(plies: int) -> tuple[Game, ...]:
    """Different games of the preset `kalaha` that end with ply number `plies`; always the same ones.

    Raises ValueError where such games are too rare to be found by chance (below 25 or above 85, about).
    """
    rng, found = Random(1), []
    for _ in range(TRIES):
        game = _random_game(rng, plies)
        if len(game) == plies:
            found.append(game)
            if len(found) == DIFFERENT:
                return tuple(found)
    raise ValueError(f"no games of Kalah with {plies} plies were found")


def _random_game(rng: Random, limit: int) -> Game:
    """A game of random moves; one ply more than `limit` where it goes on for longer."""
    state = kalah.setup(kalah.PRESETS["kalaha"])
    moves: list[tuple[int, int]] = []
    while state.ended is None and len(moves) <= limit:
        move = rng.choice(kalah.legal_moves(state))
        assert move.pit is not None
        moves.append((state.turn, move.pit - 1))
        state = kalah.play(state, move).state
    return tuple(moves)
