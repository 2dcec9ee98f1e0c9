"""Soft state shared between the processes of a site. Nothing is stored.

On each topic a process has a value: a JSON object. It sends changes to the other processes at once, and the
whole value every `REPEAT_SECONDS` in case a message was lost. A process that starts asks the others for
their values. A process that has been silent for `FORGOTTEN_AFTER` is forgotten.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import orjson

from games.net.hub import Hub
from games.net.message_bus import BROADCAST
from games.net.tasks import every, spawn

ASK_AGAIN = 1.0
"""Seconds until the first question is repeated: a process that knows no other sends only beats."""
REPEAT_SECONDS = 10.0
FORGOTTEN_AFTER = 25.0

Value: TypeAlias = Mapping[str, Any]


class Update(NamedTuple):
    """Old and new value of another process, limited to the names in its last message."""

    before: Value
    after: Value


class RemoteValues:
    """The values of the other processes. Times are seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._values: dict[str, dict[str, Any]] = {}
        self._heard: dict[str, float] = {}

    def values(self) -> list[Value]:
        """The other processes' values, in no particular order."""
        return list(self._values.values())

    def hear(self, origin: str, value: Value, now: float) -> Update:
        """Replace the value of a process."""
        before = self._values.get(origin, {})
        self._values[origin], self._heard[origin] = dict(value), now
        return Update(before, value)

    def hear_part(self, origin: str, part: Value, now: float) -> Update:
        """Update part of the value of a process. None removes a name."""
        known = self._values.setdefault(origin, {})
        before = {name: known[name] for name in part if name in known}
        after = {name: value for name, value in part.items() if value is not None}
        for name in before.keys() - after.keys():
            del known[name]
        known.update(after)
        self._heard[origin] = now
        return Update(before, after)

    def reset_timeouts(self, now: float) -> None:
        """Restart all silence timeouts: we could not receive anything until now."""
        self._heard = dict.fromkeys(self._heard, now)

    def forget(self, now: float) -> list[Update]:
        """Forget processes that have been silent for too long, and return their lost values."""
        expired = [origin for origin, heard in self._heard.items() if heard + FORGOTTEN_AFTER < now]
        for origin in expired:
            del self._heard[origin]
        return [Update(self._values.pop(origin), {}) for origin in expired]


class SharedState:
    """Shares one kind of value between processes, on any number of topics.

    Args:
        hub: the hub to send through.
        name: of this kind of value; unique among the listeners of the hub.
        here: returns this process's value on a topic.
        heard: called with a topic and its changes (possibly none) after every message received and every
            repetition.
    """

    def __init__(
        self,
        hub: Hub,
        name: str,
        here: Callable[[str], Value],
        heard: Callable[[str, Sequence[Update]], None] = lambda _topic, _updates: None,
    ) -> None:
        self._hub, self._name, self._here, self._heard = hub, name, here, heard
        self._remote: dict[str, RemoteValues] = {}
        self._repeating = False
        hub.listen(name, self._hear)

    def follow(self, topic: str = BROADCAST) -> bool:
        """Track the other processes' values on a topic from now on. Returns whether that is new."""
        is_new = topic not in self._remote
        self._remote.setdefault(topic, RemoteValues())
        return is_new

    def drop(self, topic: str) -> None:
        """Stop repeating and tracking values on a topic."""
        self._remote.pop(topic, None)

    def others(self, topic: str = BROADCAST) -> list[Value]:
        """The other processes' values on a followed topic."""
        return self._remote[topic].values()

    def begin(self) -> None:
        """Ask the other processes for their values, and repeat our own as long as the process runs."""
        if self._hub.remote and not self._repeating:
            self._repeating = True
            spawn(self._repeat())

    def tell(self, part: Value, topic: str = BROADCAST) -> None:
        """Send a change of our value. None removes a name."""
        self._say(topic, part, whole=False)

    def tell_all(self, topic: str = BROADCAST, ask: bool = False) -> None:
        """Send our whole value. With `ask`, the other processes reply with theirs."""
        self._say(topic, self._here(topic), ask=ask)

    def again(self, now: float) -> None:
        """Repeat our values, and forget the processes that have fallen silent."""
        for topic, remote in tuple(self._remote.items()):
            if self._hub.bus_down:
                remote.reset_timeouts(now)
            gone = remote.forget(now)
            self.tell_all(topic)
            self._heard(topic, gone)

    async def _repeat(self) -> None:
        for wait in (ASK_AGAIN, REPEAT_SECONDS):
            for topic in tuple(self._remote):
                self.tell_all(topic, ask=True)
            await asyncio.sleep(wait)
        await every(REPEAT_SECONDS, self._repeat_now)

    async def _repeat_now(self) -> None:
        self.again(time.monotonic())

    def _say(self, topic: str, value: Value, whole: bool = True, ask: bool = False) -> None:
        message = {"origin": self._hub.origin, "value": value, "whole": whole, "ask": ask}
        self._hub.tell_processes(topic, self._name, message)

    def _hear(self, topic: str, payload: bytes) -> None:
        message = orjson.loads(payload)
        if message["ask"]:
            self.tell_all(topic)
        remote = self._remote.get(topic)
        if remote is not None:
            hear = remote.hear if message["whole"] else remote.hear_part
            self._heard(topic, [hear(message["origin"], message["value"], time.monotonic())])
