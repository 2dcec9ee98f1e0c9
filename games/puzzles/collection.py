"""The collection of puzzles: their positions, themes, and the value of every move.

Nothing is searched at run time: `python -m tools.puzzles` wrote the files beside this one. For their format
see docs/reference/puzzles.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from games.domain import position
from games.registry import GAMES, Game
from games.rules.base import Outcome, Step

CAPTURE, EXTRA_TURN, DOUBLE_MILL, BLOCKADE = "capture", "extra-turn", "double-mill", "blockade"
RACE, DEFENCE, STOP_OR_ROLL, PAIRING = "race", "defence", "stop-or-roll", "pairing"
THEMES = (CAPTURE, EXTRA_TURN, DOUBLE_MILL, BLOCKADE, RACE, DEFENCE, STOP_OR_ROLL, PAIRING)

KEY_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one move is the best.

    Attributes:
        position: the position, as text.
        themes: what the best play shows, of `THEMES`.
        turns: how many turns, of both sides, the values look ahead; 0 for the end of the match.
        worth: the value of every legal move: the final margin in points in games that count points; in games
            with dice the chance to win, in hundredths of a percent; in others 1 for a win within `turns`, -1
            for a loss within them, else 0.
        line: the best move, and the best moves that follow.
    """

    position: str
    themes: tuple[str, ...]
    turns: int
    worth: Mapping[str, int]
    line: tuple[str, ...]

    @property
    def slug(self) -> str:
        """The game."""
        return self.position.partition(".")[0]

    @property
    def key(self) -> str:
        """The name of the puzzle in addresses: it follows from the position."""
        return sha256(self.position.encode()).hexdigest()[:KEY_LENGTH]

    @property
    def answer(self) -> str:
        """The best move, in the notation of the game."""
        return self.line[0]

    @property
    def best(self) -> int:
        """The value of the best move."""
        return self.worth[self.answer]

    @property
    def second(self) -> int:
        """The value of the next best move."""
        return max(worth for move, worth in self.worth.items() if move != self.answer)


@dataclass(frozen=True, slots=True)
class Scene:
    """A position on the board, in which the solver is to move."""

    game: Game
    state: Any
    seats: int


@dataclass(frozen=True, slots=True)
class Shown(Scene):
    """A puzzle with its position on the board."""

    puzzle: Puzzle


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the answer: its step, and the outcome if it ends the match."""

    move: str
    step: Step
    outcome: Outcome | None


def shown(puzzle: Puzzle) -> Shown:
    """A puzzle with its position on the board."""
    read_position = position.parse(puzzle.position)
    return Shown(read_position.game, read_position.state, read_position.seats, puzzle)


def answer(puzzle: Shown) -> list[Played]:
    """The best line of a puzzle, played on the board."""
    rules, state, played = puzzle.game.rules, puzzle.state, list[Played]()
    for move in puzzle.puzzle.line:
        step = rules.play(state, rules.parse(move))
        state = step.state
        played.append(Played(move, step, rules.outcome(state)))
    return played


def is_answer(puzzle: Shown, move: str) -> bool:
    """Whether a move is the best one. Raises `IllegalMove`."""
    rules = puzzle.game.rules
    parsed = rules.parse(move)
    rules.play(puzzle.state, parsed)
    return str(parsed) == puzzle.puzzle.answer


def file_of(name: str) -> Path:
    """The file of a game, or of the first days."""
    return Path(__file__).with_name(f"{name}.txt")


def written(puzzles: Iterable[Puzzle]) -> str:
    """Puzzles as lines of text."""
    return "".join(
        "\t".join(
            (
                each.position,
                ",".join(each.themes),
                str(each.turns),
                " ".join(f"{move}={worth}" for move, worth in each.worth.items()),
                " ".join(each.line),
            )
        )
        + "\n"
        for each in puzzles
    )


def read(text: str) -> tuple[Puzzle, ...]:
    """The puzzles that `written` wrote."""
    return tuple(_puzzle(*line.split("\t")) for line in text.splitlines())


@cache
def by_game() -> Mapping[str, Mapping[str, Puzzle]]:
    """The puzzles of each game that has some, by their keys."""
    return {slug: {puzzle.key: puzzle for puzzle in stored(slug)} for slug in GAMES if file_of(slug).exists()}


def is_collected(puzzle: Puzzle) -> bool:
    """Whether a puzzle is one of the collection: those of former days are not."""
    return puzzle.key in by_game().get(puzzle.slug, {})


def stored(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file."""
    return read(file_of(name).read_text("ascii"))


def _puzzle(position: str, themes: str, turns: str, worth: str, line: str) -> Puzzle:
    values = (each.split("=") for each in worth.split())
    return Puzzle(
        position,
        tuple(filter(None, themes.split(","))),
        int(turns),
        {move: int(value) for move, value in values},
        tuple(line.split()),
    )
