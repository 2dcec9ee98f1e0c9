"""A finished match in memory, for exports. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

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
    """A finished match. `seal` is None for games without dice."""

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
