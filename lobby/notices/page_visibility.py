"""Which pages users have open and visible, in any process. Nothing is stored.

A player who is looking at a match needs no notification of the turn in it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.shared_state import SharedState, Value


class Looking:
    """The visible pages of all processes, as this process knows them."""

    def __init__(self, hub: Hub) -> None:
        self._of_sockets: dict[Any, str] = {}
        self._here: Counter[str] = Counter()
        self._shared = SharedState(hub, "looking", lambda _topic: self._value())
        self._shared.follow()

    def begin(self) -> None:
        """Start to exchange changes with the other processes, if there may be any; in the event loop."""
        self._shared.begin()

    def note(self, socket: Any, user_id: int, path: str | None) -> None:
        """The page of a socket became visible, or hidden (None). Only `at` may be called in other threads."""
        name = None if path is None else f"{user_id} {path}"
        before = self._of_sockets.pop(socket, None)
        if name is not None:
            self._of_sockets[socket] = name
        if name != before:
            self._count(name, 1)
            self._count(before, -1)

    def forget(self, socket: Any) -> None:
        """The page of a socket was closed."""
        self._count(self._of_sockets.pop(socket, None), -1)

    def at(self, user_id: int, *paths: str) -> bool:
        """Whether a user has one of these pages visible, or any page if none is given; from any thread."""
        values = (self._value(), *self._shared.others())
        names = {name for value in values for name in tuple(value)}
        if paths:
            return any(f"{user_id} {path}" in names for path in paths)
        return any(name.startswith(f"{user_id} ") for name in names)

    def _count(self, name: str | None, by: int) -> None:
        if name is None:
            return
        self._here[name] += by
        if not self._here[name]:
            del self._here[name]
        self._shared.tell({name: True if name in self._here else None})

    def _value(self) -> Value:
        return dict.fromkeys(tuple(self._here), True)


looking = process.part(Looking, process_hub)
"""The visible pages as this process knows them."""
