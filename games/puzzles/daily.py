"""The puzzle of each day. Pure, except that puzzles.json is read once."""

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
"""The day of the first puzzle. After the last one the first follows again."""


class NoPuzzle(LookupError):
    """There is no puzzle for a day: it is before `FIRST` or in the future."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one move is the best.

    Attributes:
        game: the slug of the game.
        preset: the preset of the match that the position is from.
        moves: the moves of that match up to the position, in the notation of the game; seat 0 moves first.
        line: the best move and the best moves that follow in the same turn.
        after: the best moves of the opponent's next turn and of the solver's next one, if the match goes on.
        worth: the value of every legal move: the final margin in points in games that count points; in
            others 1 for a forced win, -1 for a forced loss, else 0.
    """

    game: str
    preset: str
    moves: tuple[str, ...]
    line: tuple[str, ...]
    after: tuple[str, ...]
    worth: Mapping[str, int]

    @property
    def answer(self) -> str:
        """The best move, in the notation of the game."""
        return self.line[0]


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a puzzle; `before` are the events of the last move that led to it."""

    puzzle: Puzzle
    game: Game
    state: Any
    before: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the answer: its step, and the outcome if it ends the match."""

    move: str
    step: Step
    outcome: Outcome | None


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """All puzzles, in the order of their days."""
    return tuple(
        Puzzle(**{**each, **{part: tuple(each[part]) for part in ("moves", "line", "after")}})
        for each in orjson.loads(FILE.read_bytes())
    )


def of_day(day: date, today: date) -> Position:
    """The position of the puzzle of `day`. Raises `NoPuzzle`."""
    if not FIRST <= day <= today:
        raise NoPuzzle(day)
    return position((day - FIRST).days % len(puzzles()))


@cache
def position(number: int) -> Position:
    """The position of a puzzle, by its index in `puzzles()`."""
    puzzle = puzzles()[number]
    game = GAMES[puzzle.game]
    step = Step(game.rules.setup(game.rules.PRESETS[puzzle.preset], 2), ())
    for move in puzzle.moves:
        step = game.rules.play(step.state, game.rules.parse(move))
    return Position(puzzle, game, step.state, step.events)


def answer(shown: Position) -> list[Played]:
    """The best line of a puzzle, played on the board."""
    rules, state, played = shown.game.rules, shown.state, list[Played]()
    for move in (*shown.puzzle.line, *shown.puzzle.after):
        step = rules.play(state, rules.parse(move))
        state = step.state
        played.append(Played(move, step, rules.outcome(state)))
    return played
