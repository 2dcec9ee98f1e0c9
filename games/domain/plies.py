"""The plies of a match as stored rows and as message fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from games.domain.instants import read, written


class PlyRow(NamedTuple):
    """One row of the table of plies.

    `dice`, `events`, `state` and `clocks` are JSON text, `at` is in milliseconds of Unix time.
    """

    number: int
    seat: int | None
    action: str
    dice: str | None
    events: str
    state: str
    command: str | None
    at: int
    clocks: str | None = None


def ply_fields(row: PlyRow) -> dict[str, Any]:
    """A ply as message fields (`games.domain.messages.PlyFields`). Stored JSON is passed on unparsed."""
    fields = {
        "number": row.number,
        "seat": row.seat,
        "action": row.action,
        "dice": None if row.dice is None else orjson.Fragment(row.dice),
        "events": orjson.Fragment(row.events),
        "state": orjson.Fragment(row.state),
        "command": row.command,
        "at": written(row.at),
    }
    if row.clocks is not None:
        fields["clocks"] = orjson.Fragment(row.clocks)
    return fields


class HeardPly(NamedTuple):
    """A ply received from another process, with what the match cache needs.

    The names are those of `PlyRow`; `dice`, `state` and `clocks` are parsed JSON.
    """

    number: int
    seat: int | None
    action: str
    dice: Any
    command: str | None
    state: Any
    at: int
    clocks: Any


def heard_ply(fields: Mapping[str, Any]) -> HeardPly:
    """Parse the result of `ply_fields`."""
    return HeardPly(
        fields["number"],
        fields["seat"],
        fields["action"],
        fields["dice"],
        fields["command"],
        fields["state"],
        read(fields["at"]),
        fields.get("clocks"),
    )


def plies_message(after: int, rows: Sequence[PlyRow], outcome: Any) -> dict[str, Any]:
    """The message with plies, new ones or requested ones."""
    return {
        "type": "plies",
        "after": after,
        "plies": [ply_fields(row) for row in rows],
        "outcome": outcome,
    }
