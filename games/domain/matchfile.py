"""The format "parlour-match": the file of a finished match.

`games.finished.export` writes it, `games.finished.importing` reads it, and docs/reference/match-file.md
describes it for people.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from games.rules.base import Rules

FORMAT = "parlour-match"
VERSION = 1

MOST_BYTES = 2_000_000
MOST_PLIES = 2_000
"""Several times the length of the longest matches. Longer matches are exported, but not imported."""
MOST_SEATS = 10

_Number = Annotated[int, Field(ge=0, le=2**53)]
_Moment = Annotated[
    AwareDatetime, Field(ge=datetime(1900, 1, 1, tzinfo=UTC), lt=datetime(9000, 1, 1, tzinfo=UTC))
]
"""Limited so that date arithmetic works in every time zone."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SeatPart(_Part):
    """The player of a seat. In an imported file, an unverified claim."""

    name: Annotated[str, Field(min_length=1, max_length=150)]


class TermsPart(_Part):
    """The terms of the match; `clock` in its notation, "" for none."""

    clock: Annotated[str, Field(max_length=12)]
    rated: bool


class PlyPart(_Part):
    """One ply. `seat` is null for a dice roll; `clocks` are the remaining times in milliseconds."""

    number: _Number
    seat: _Number | None
    action: Annotated[str, Field(max_length=32)]
    dice: Annotated[list[_Number], Field(max_length=100)] | None
    at: _Moment
    clocks: Annotated[list[_Number], Field(max_length=MOST_SEATS)] | None = None


class OutcomePart(_Part):
    """The outcome, as `games.rules.base.Outcome`."""

    winners: Annotated[list[_Number], Field(max_length=MOST_SEATS)]
    reason: Annotated[str, Field(max_length=32)]
    scores: Annotated[list[int], Field(max_length=MOST_SEATS)]


class DicePart(_Part):
    """The seeds of the dice, format `games.domain.dice.FORMAT`."""

    commitment: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    words: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=MOST_SEATS)]
    secret: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class MatchFile(_Part):
    """The whole file."""

    format: Literal["parlour-match"]
    version: Literal[1]
    id: Annotated[str, Field(pattern="^[0-9a-z]{1,32}$")]
    game: Annotated[str, Field(max_length=50)]
    rules: Annotated[int, Field(ge=1, le=1000)]
    options: dict[str, Any]
    seats: Annotated[list[SeatPart], Field(min_length=1, max_length=MOST_SEATS)]
    terms: TermsPart
    begun: _Moment
    ended: _Moment
    start: dict[str, Any]
    plies: list[PlyPart]
    outcome: OutcomePart
    dice: DicePart | None


def rules_version(rules: Rules) -> int:
    """The version of a game's rules, as stored with states."""
    return len(rules.UPGRADES) + 1
