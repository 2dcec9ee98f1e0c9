"""Matches of two players of code against each other, seats swapped, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import Any, TypeAlias

from games.registry import GAMES
from games.rules.base import Roll, Rules, Seat

Chooser: TypeAlias = Callable[[Any, Random], Any]
"""Chooses a move for the seat on turn; a function that another process can import."""


def randomly(slug: str, state: Any, rng: Random) -> Any:
    """Play at random."""
    return rng.choice(GAMES[slug].rules.legal_moves(state))


def score(
    slug: str, options: Any, one: Chooser, other: Chooser, games: int, seed: int = 1, opening: int = 0
) -> float:
    """How many of `games` matches of two `one` wins, a draw being a half; seats are swapped after each.

    The first `opening` moves of a match are random.
    """
    play = partial(match, slug, options, one, other, seed, opening)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        return sum(pool.map(play, range(games), chunksize=max(1, games // 64)))


def match(
    slug: str, options: Any, one: Chooser, other: Chooser, seed: int, opening: int, number: int
) -> float:
    """The share that `one` wins of match `number`; two that follow each other begin with the same numbers."""
    rules, rng, seat = GAMES[slug].rules, Random(f"{seed}.{number // 2}"), number % 2
    choosers = (one, other) if seat == 0 else (other, one)
    state = rules.setup(options, 2)
    for _ in range(opening):
        state = rules.play(state, randomly(slug, state, rng)).state
    return played(rules, state, choosers, rng)[seat]


def played(rules: Rules, state: Any, choosers: tuple[Chooser, ...], rng: Random) -> dict[Seat, float]:
    """The share of the win by seat of a match that is played on from `state`."""
    while (outcome := rules.outcome(state)) is None:
        due = rules.chance(state)
        if due is None:
            action = choosers[state.turn](state, rng)
        else:
            action = Roll(tuple(rng.randint(1, due.sides) for _ in range(due.count)))
        state = rules.play(state, action).state
    won = 1 / len(outcome.winners)
    return {seat: won if seat in outcome.winners else 0.0 for seat in range(len(choosers))}
