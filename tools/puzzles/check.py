"""The second program: checks the certificates of puzzles by other algorithms than those that made them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.domain import position
from games.puzzles.collection import Puzzle
from tools.puzzles import check_cantstop, check_kalah, check_morris


class Wrong(Exception):
    """A certificate that does not hold."""


WORTH: dict[str, Callable[[Any, int], dict[str, int]]] = {
    "kalah": lambda state, _: check_kalah.worth(state),
    "morris": check_morris.worth,
    "cantstop": lambda state, _: check_cantstop.worth(state),
}
"""By game, the values of all moves of a state, so many turns ahead."""


def check(puzzle: Puzzle) -> None:
    """Raise `Wrong` unless the values of all moves are right, and one is the best."""
    state = position.parse(puzzle.position).state
    worth = WORTH[puzzle.slug](state, puzzle.turns)
    if worth != puzzle.worth:
        raise Wrong(f"{puzzle.position}: {dict(puzzle.worth)}, by the second program {worth}")
    if puzzle.best <= puzzle.second:
        raise Wrong(f"{puzzle.position}: no move is the best")
