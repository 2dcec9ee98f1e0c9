"""Data for boards in pages: as values of Django's templates, and for those without a match."""

from __future__ import annotations

from typing import Any, TypeVar

import orjson

from games.domain import codec
from games.rules.base import Outcome, Step

Content = TypeVar("Content")


def board_ply(number: int, step: Step, outcome: Outcome | None) -> dict[str, Any]:
    """A ply for the board: its number, its events, the state after it, and the outcome at the end."""
    return {
        "number": number,
        "events": [codec.encode_event(event) for event in step.events],
        "state": step.state,
        "outcome": outcome,
    }


def plain(content: Content) -> Content:
    """Convert wire fields to plain lists and dictionaries, for Django's `json_script`."""
    made: Content = orjson.loads(codec.encode(content))
    return made
