"""The plies of a match as stored rows, and as other processes receive them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.domain.instants import read


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
    """Parse a ply of a message (`games.domain.messages.PlyFields`)."""
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
