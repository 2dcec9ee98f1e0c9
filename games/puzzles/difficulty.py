"""How difficult puzzles are: their ratings, on the scale of the ratings of players."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from games.puzzles import collection
from games.puzzles.collection import Puzzle
from games.puzzles.signals import ratings_known

LEAST, MOST = 1200, 1800
"""The estimates of the easiest and of the most difficult puzzle of a game."""


def ratings(slug: str) -> dict[str, float]:
    """The ratings of the puzzles of a game, by key: those that are known, else estimates."""
    known = dict(estimates(slug))
    for told in ratings_known(slug):
        known |= told
    return known


@cache
def estimates(slug: str) -> Mapping[str, float]:
    """Estimates for the puzzles of a game before anybody has tried them, by key, evenly spread."""
    ranked = sorted(collection.by_game()[slug].values(), key=_complexity)
    step = (MOST - LEAST) / max(len(ranked) - 1, 1)
    return {puzzle.key: LEAST + step * place for place, puzzle in enumerate(ranked)}


def _complexity(puzzle: Puzzle) -> tuple[int, int, int, str]:
    """Looking far ahead is difficult, then a move that is hardly better than the next, then many moves."""
    return puzzle.turns, puzzle.second - puzzle.best, len(puzzle.worth), puzzle.key
