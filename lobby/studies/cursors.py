"""Where the people who have a study open look. Nothing is stored.

Each process keeps the last cursors of its own feeds and tells the others (`games.net.shared_state`), so that
who comes is sent all of them, and nobody has to be asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.shared_state import SharedState, Update

Cursor = dict[str, Any]
"""A message `lobby.sockets.messages.Cursor`."""


class Reader(Protocol):
    """What is used of a feed; `cursor` is the last one of its user, None until there is one."""

    cursor: Cursor | None

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to this client alone."""


class Cursors:
    """The cursors at every study that this process serves, by the topics of studies."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._shared = SharedState(hub, "cursors", self._here, self._heard)

    def begin(self) -> None:
        """Start to exchange cursors with the other processes, if there are any; call in the event loop."""
        self._shared.begin()

    def came(self, topic: str, reader: Reader) -> None:
        """Send all cursors to a reader who has joined the topic."""
        is_new = self._shared.follow(topic)
        for cursor in self._all(topic).values():
            reader.tell(cursor)
        if is_new:
            # The answers are sent to all readers here when they come.
            self._shared.tell_all(topic, ask=True)

    def moved(self, topic: str, reader: Reader, cursor: Cursor) -> None:
        """Tell everybody where a reader looks, unless they know."""
        if cursor != reader.cursor:
            reader.cursor = cursor
            self._hub.tell_here(topic, cursor)
            self._shared.tell({cursor["by"]: cursor}, topic)

    def left(self, topic: str, reader: Reader) -> None:
        """Tell the others that a reader has left the topic, unless another page of the same user is open."""
        if reader.cursor is not None and reader.cursor["by"] not in self._here(topic):
            self._shared.tell({reader.cursor["by"]: None}, topic)
            self._tell_gone(topic, reader.cursor["by"])
        if not self._hub.sockets(topic):
            self._shared.drop(topic)

    def _here(self, topic: str) -> dict[str, Cursor]:
        cursors = (reader.cursor for reader in self._hub.sockets(topic))
        return {cursor["by"]: cursor for cursor in cursors if cursor is not None}

    def _all(self, topic: str) -> dict[str, Cursor]:
        known = dict[str, Cursor]()
        for value in (*self._shared.others(topic), self._here(topic)):
            known.update(value)
        return known

    def _heard(self, topic: str, updates: Sequence[Update]) -> None:
        for before, after in updates:
            for name, cursor in after.items():
                if before.get(name) != cursor:
                    self._hub.tell_here(topic, cursor)
            for name in before.keys() - after.keys():
                self._tell_gone(topic, name)

    def _tell_gone(self, topic: str, name: str) -> None:
        if name not in self._all(topic):
            self._hub.tell_here(topic, {"type": "left", "by": name})


cursors = process.part(Cursors, process_hub)
"""The cursors that this process knows."""
