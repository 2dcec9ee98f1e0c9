"""Data for a board that plays without a match (`static/puzzles/line.js`)."""

from __future__ import annotations

from typing import Any

import orjson

from games.domain import codec
from games.rules.base import Outcome, Step


def board_ply(number: int, step: Step, outcome: Outcome | None) -> dict[str, Any]:
    """A ply for the board: its number, its events, the state after it, and the outcome at the end."""
    return {
        "number": number,
        "events": [codec.encode_event(event) for event in step.events],
        "state": step.state,
        "outcome": outcome,
    }


def plain(content: dict[str, Any]) -> dict[str, Any]:
    """Convert wire fields to plain lists and dictionaries, for Django's `json_script`."""
    made: dict[str, Any] = orjson.loads(codec.encode(content))
    return made
