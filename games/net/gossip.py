"""What each process of a site says of itself, and what it has heard of the others. None of it is stored.

On a topic a process has a value: names, each with something that JSON can say. It tells the other processes
of the topic what changes, and says everything again every `REPEAT_SECONDS`, in case something was lost. One
that begins asks the others, and one that has been silent for `FORGOTTEN_AFTER` is forgotten.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import orjson

from games.net.hub import Hub
from games.net.message_bus import BROADCAST
from games.net.periodic import every

ASK_AGAIN = 1.0
"""Seconds. A process that has heard no other yet sends nothing but beats, nor its first question."""
REPEAT_SECONDS = 10.0
FORGOTTEN_AFTER = 25.0

Value: TypeAlias = Mapping[str, Any]


class News(NamedTuple):
    """What another process said before and says now, under the names that it has spoken of."""

    before: Value
    after: Value


class Reports:
    """The values of the other processes. Times are seconds of any clock that never goes back."""

    def __init__(self) -> None:
        self._values: dict[str, dict[str, Any]] = {}
        self._heard: dict[str, float] = {}

    def values(self) -> list[Value]:
        """What the others say, in no particular order."""
        return list(self._values.values())

    def hear(self, origin: str, value: Value, now: float) -> News:
        """A process says everything."""
        before = self._values.get(origin, {})
        self._values[origin], self._heard[origin] = dict(value), now
        return News(before, value)

    def hear_part(self, origin: str, part: Value, now: float) -> News:
        """A process says what has changed; None is for a name that is gone."""
        known = self._values.setdefault(origin, {})
        before = {name: known[name] for name in part if name in known}
        after = {name: value for name, value in part.items() if value is not None}
        for name in before.keys() - after.keys():
            del known[name]
        known.update(after)
        self._heard[origin] = now
        return News(before, after)

    def excuse(self, now: float) -> None:
        """Nobody could be heard until now, so that nobody's silence counts."""
        self._heard = dict.fromkeys(self._heard, now)

    def forget(self, now: float) -> list[News]:
        """Forget the processes that have been silent for too long; what is lost with them."""
        silent = [origin for origin, heard in self._heard.items() if heard + FORGOTTEN_AFTER < now]
        for origin in silent:
            del self._heard[origin]
        return [News(self._values.pop(origin), {}) for origin in silent]


class Gossip:
    """What processes tell each other of one thing, on any number of topics.

    Args:
        hub: carries it.
        name: of the thing; no other gossip or listener of the hub has it.
        here: the value of this process on a topic.
        heard: called with a topic and what is new there, which may be nothing, whenever somebody has spoken
            and after every repetition.
    """

    def __init__(
        self,
        hub: Hub,
        name: str,
        here: Callable[[str], Value],
        heard: Callable[[str, Sequence[News]], None] = lambda _topic, _news: None,
    ) -> None:
        self._hub, self._name, self._here, self._heard = hub, name, here, heard
        self._reports: dict[str, Reports] = {}
        self._repeating = False
        hub.listen(name, self._hear)

    def follow(self, topic: str = BROADCAST) -> None:
        """Remember from now on what the others say on a topic."""
        self._reports.setdefault(topic, Reports())

    def drop(self, topic: str) -> None:
        """Neither repeat anything on a topic any more nor remember what is said."""
        self._reports.pop(topic, None)

    def others(self, topic: str = BROADCAST) -> list[Value]:
        """The values of the other processes on a topic that is followed."""
        return self._reports[topic].values()

    def begin(self) -> None:
        """Ask the others, and repeat what is said here for as long as the process runs."""
        if self._hub.remote and not self._repeating:
            self._repeating = True
            self._hub.spawn(self._repeat())

    def tell(self, part: Value, topic: str = BROADCAST) -> None:
        """Tell the others what has changed; None is for a name that is gone."""
        self._say(topic, part, whole=False)

    def tell_all(self, topic: str = BROADCAST, ask: bool = False) -> None:
        """Tell the others everything, and have them do the same if `ask`."""
        self._say(topic, self._here(topic), ask=ask)

    def again(self, now: float) -> None:
        """Say everything again, and forget the processes that have fallen silent."""
        for topic, reports in tuple(self._reports.items()):
            if self._hub.deaf:
                reports.excuse(now)
            gone = reports.forget(now)
            self.tell_all(topic)
            self._heard(topic, gone)

    async def _repeat(self) -> None:
        for wait in (ASK_AGAIN, REPEAT_SECONDS):
            for topic in tuple(self._reports):
                self.tell_all(topic, ask=True)
            await asyncio.sleep(wait)
        await every(REPEAT_SECONDS, self._now_and_again)

    async def _now_and_again(self) -> None:
        self.again(time.monotonic())

    def _say(self, topic: str, value: Value, whole: bool = True, ask: bool = False) -> None:
        message = {"origin": self._hub.origin, "value": value, "whole": whole, "ask": ask}
        self._hub.tell_processes(topic, self._name, message)

    def _hear(self, topic: str, payload: bytes) -> None:
        told = orjson.loads(payload)
        if told["ask"]:
            self.tell_all(topic)
        reports = self._reports.get(topic)
        if reports is not None:
            hear = reports.hear if told["whole"] else reports.hear_part
            self._heard(topic, [hear(told["origin"], told["value"], time.monotonic())])
