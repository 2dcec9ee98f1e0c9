"""What one client of one match sent and heard, in order, and what the store holds of the match in the end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Kind = Literal["opened", "sent", "heard"]


class Event(NamedTuple):
    """Something that happened to a client, at a moment of a clock that never jumps."""

    at: float
    kind: Kind
    message: dict[str, Any]


@dataclass
class History:
    """Everything that one client sent and heard of one match; `seat` is None for whoever watches."""

    match_id: str
    client: str
    seat: int | None = None
    events: list[Event] = field(default_factory=list)

    def note(self, kind: Kind, message: dict[str, Any] | None = None) -> None:
        """Something happens now."""
        self.events.append(Event(time.monotonic(), kind, message or {}))

    def connections(self) -> Iterator[list[Event]]:
        """The events of each connection."""
        events: list[Event] = []
        for event in self.events:
            if event.kind == "opened" and events:
                yield events
                events = []
            events.append(event)
        if events:
            yield events

    def heard_at(self) -> list[float]:
        """The moments at which the client heard something."""
        return [event.at for event in self.events if event.kind == "heard"]

    def heard(self, *types: str) -> Iterator[dict[str, Any]]:
        """The messages of these types."""
        return (e.message for e in self.events if e.kind == "heard" and e.message["type"] in types)


class StoredPly(NamedTuple):
    """A ply as it stands in the store; `clocks` is None where the match has none."""

    number: int
    seat: int | None
    action: str
    command: str | None
    clocks: dict[str, Any] | None = None


@dataclass
class StoredMatch:
    """A match as it stands in the store.

    Attributes:
        plies: in the order of their numbers.
        increment: milliseconds that a seat gets for each ply.
        finished: whether the store says that it is over.
        seats: how many play.
        results: how many results it has left.
        exported: the actions that its file has, None if it was not asked for.
    """

    match_id: str
    plies: Sequence[StoredPly]
    increment: int = 0
    finished: bool = False
    seats: int = 2
    results: int = 0
    exported: Sequence[str] | None = None
