"""A finished match in memory, for exports. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.domain import codec, computer_names, match_actions
from games.domain.match_actions import Line, Logged
from games.domain.terms import Terms
from games.registry import Game
from games.rules.base import Outcome, Seat


@dataclass(frozen=True, slots=True)
class Entry:
    """One ply of a record; `left` is the remaining time of each seat after it."""

    number: int
    seat: Seat | None
    text: str
    dice: tuple[int, ...] | None
    at: datetime
    left: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class DiceProof:
    """The seeds of the dice (`games.domain.dice`)."""

    words: tuple[str, ...]
    secret: str


@dataclass(frozen=True, slots=True)
class Record:
    """A finished match. `seal` is None for games without dice; `computers` are the seats of computers."""

    id: str
    game: Game
    start: Any
    names: tuple[str, ...]
    terms: Terms
    begun: datetime
    ended: datetime
    plies: tuple[Entry, ...]
    outcome: Outcome
    seal: DiceProof | None
    computers: frozenset[Seat] = frozenset()

    @property
    def names_in_words(self) -> tuple[str, ...]:
        """The names of the players as pages show them, in the active language."""
        return computer_names.at_seats(self.names, self.computers)

    def line(self) -> Line:
        """The moves, rolls and departures that count, by ply: without acts and what was taken back."""
        line: Line = []
        for entry in self.plies:
            match_actions.follow(line, entry.number, Logged(entry.seat, entry.text, entry.dice is not None))
        return line


def move_numbers(plies: Iterable[Entry]) -> dict[int, int]:
    """By ply number, the number of the move it belongs to: consecutive plies of a seat are one move.

    Dice belong to the move before them. Match actions and departures are no moves.
    """
    numbers: dict[int, int] = {}
    turn: Seat | None = None
    in_turn = counted = False
    number = 0
    for entry in plies:
        is_act = match_actions.parse(entry.text) is not None
        if is_act or not in_turn or (entry.seat is not None and entry.seat != turn):
            turn, in_turn, counted = entry.seat, not is_act, False
        if not (is_act or counted or codec.departure(entry.text) is not None):
            number, counted = number + 1, True
        numbers[entry.number] = number
    return numbers
