"""Who looks at what: pages that are open and in sight, in any process. Nothing of it is stored.

Whoever looks at a match needs no notice that it is their turn in it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.net.gossip import Gossip, Value
from games.net.hub import Hub
from games.net.hub import hub as process_hub


class Looking:
    """The pages that people look at, as this process knows them."""

    def __init__(self, hub: Hub) -> None:
        self._of_sockets: dict[Any, str] = {}
        self._here: Counter[str] = Counter()
        self._gossip = Gossip(hub, "looking", lambda _topic: self._value())
        self._gossip.follow()

    def begin(self) -> None:
        """Hear the other processes from now on, if there may be any; in the event loop."""
        self._gossip.begin()

    def note(self, socket: Any, user_id: int, path: str | None) -> None:
        """The page of a socket is looked at, or no longer (None); in the event loop, as all of this."""
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
        """Whether somebody looks at one of these pages, or at any page if none is named; from any thread."""
        values = (self._value(), *self._gossip.others())
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
        self._gossip.tell({name: True if name in self._here else None})

    def _value(self) -> Value:
        return dict.fromkeys(tuple(self._here), True)


looking = Looking(process_hub)
"""Who looks at what, as this process knows it."""
