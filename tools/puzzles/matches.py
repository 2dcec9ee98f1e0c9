"""Positions of matches between computers, from random openings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from games.puzzles.collection import Puzzle
from games.registry import GAMES

OPENING = (3, 8)
"""The least and most random moves at the start."""
LONGEST = 120
"""Plies of a match that are played."""
ENDING = 16
"""Positions at the end of a match; puzzles are these, and what any of their moves leads to."""
MOST_OF_A_MATCH = 3


class Play(NamedTuple):
    """How a match is played.

    Attributes:
        slug, preset: its game and rules.
        opening: how many random moves it begins with.
        choose: the move of the seat on turn after them.
    """

    slug: str
    preset: str
    opening: int
    choose: Callable[[Any], Any]


def positions(play: Play, rng: Random) -> Iterator[Any]:
    """The states of one match, after its opening and before its end."""
    rules = GAMES[play.slug].rules
    state = rules.setup(rules.PRESETS[play.preset], 2)
    for ply in range(LONGEST):
        if rules.outcome(state) is not None:
            return
        if ply < play.opening:
            move = rng.choice(rules.legal_moves(state))
        else:
            yield state
            move = play.choose(state)
        state = rules.play(state, move).state


def puzzles(play: Play, rng: Random, of: Callable[[Any], Puzzle | None]) -> Iterator[Puzzle]:
    """Some puzzles from the end of one match; `of` tells the puzzle that a position is, if it is one."""
    rules = GAMES[play.slug].rules
    ending = list(positions(play, rng))[-ENDING:]
    near = {
        *ending,
        *(rules.play(state, move).state for state in ending for move in rules.legal_moves(state)),
    }
    found = (of(state) for state in rng.sample(sorted(near, key=repr), len(near)))
    yield from islice(filter(None, found), MOST_OF_A_MATCH)
