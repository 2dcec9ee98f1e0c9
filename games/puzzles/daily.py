"""Which puzzle a day has. Pure, but for the file that is read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from games.registry import GAMES, Game
from games.rules.base import Outcome, Step

FILE = Path(__file__).with_name("puzzles.json")
FIRST = date(2025, 1, 1)
"""The day of the first puzzle. Once all have had a day the first comes again."""


class NoPuzzle(LookupError):
    """A day that has no puzzle: it is before the first, or has not come yet."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one move is the best.

    Attributes:
        game: its slug.
        preset: by which rules the match was played that it is of.
        moves: those of that match up to the position, in the notation of the game; seat 0 made the first.
        line: the best move, and what is best after it until the turn is over.
        after: the best moves of the opponent's next turn and of the solver's next one, if the match goes on.
        worth: of every legal move; in games that count points by how many the match is won then in the end,
            in others 1 if it wins by force, -1 if it loses by force, and 0 if it does neither.
    """

    game: str
    preset: str
    moves: tuple[str, ...]
    line: tuple[str, ...]
    after: tuple[str, ...]
    worth: Mapping[str, int]

    @property
    def answer(self) -> str:
        """The best move."""
        return self.line[0]


@dataclass(frozen=True, slots=True)
class Position:
    """A puzzle on its board: `before` is what the last move of the match did."""

    puzzle: Puzzle
    game: Game
    state: Any
    before: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the answer, what it led to, and the end of the match if it is that."""

    move: str
    step: Step
    outcome: Outcome | None


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """All of them, in the order of their days."""
    return tuple(
        Puzzle(**{**each, **{part: tuple(each[part]) for part in ("moves", "line", "after")}})
        for each in orjson.loads(FILE.read_bytes())
    )


def of_day(day: date, today: date) -> Position:
    """The puzzle of a day, the same for everybody. Raises `NoPuzzle`."""
    if not FIRST <= day <= today:
        raise NoPuzzle(day)
    return position((day - FIRST).days % len(puzzles()))


@cache
def position(number: int) -> Position:
    """The position of a puzzle, by its number in `puzzles`."""
    puzzle = puzzles()[number]
    game = GAMES[puzzle.game]
    step = Step(game.rules.setup(game.rules.PRESETS[puzzle.preset], 2), ())
    for move in puzzle.moves:
        step = game.rules.play(step.state, game.rules.parse(move))
    return Position(puzzle, game, step.state, step.events)


def answer(shown: Position) -> list[Played]:
    """The best move and those after it, played out."""
    rules, state, played = shown.game.rules, shown.state, list[Played]()
    for move in (*shown.puzzle.line, *shown.puzzle.after):
        step = rules.play(state, rules.parse(move))
        state = step.state
        played.append(Played(move, step, rules.outcome(state)))
    return played
