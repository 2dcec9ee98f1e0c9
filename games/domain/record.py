"""A finished match in memory, for whoever hands it out: as text, as a file, as one of many. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.domain.terms import Terms
from games.registry import Game
from games.rules.base import Outcome, Seat


@dataclass(frozen=True, slots=True)
class Entry:
    """One ply as the record of a match keeps it; `left` is what the clocks of the seats showed after it."""

    number: int
    seat: Seat | None
    text: str
    dice: tuple[int, ...] | None
    at: datetime
    left: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class DiceProof:
    """What the dice of a match were made of (`games.domain.dice`)."""

    words: tuple[str, ...]
    secret: str


@dataclass(frozen=True, slots=True)
class Record:
    """A finished match from its first state to its outcome. `seal` is None for games without dice."""

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
