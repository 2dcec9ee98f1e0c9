"""Who is at a match right now: which seats are present, and how many watch.

Each process counts its own sockets and tells the others; none of this is stored, and a process that
died without a word is forgotten after `FORGOTTEN_AFTER`.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import orjson

from games.audience import audience, watchers_here
from games.delay import topic as delayed_topic
from games.hub import Hub
from games.hub import hub as process_hub
from games.matches import topic
from games.rules.base import Seat

SETTLE_SECONDS = 0.1
"""Changes within this time are told as one: a reload is no news."""
REPEAT_SECONDS = 10.0
FORGOTTEN_AFTER = 25.0


@dataclass(frozen=True, slots=True)
class Part:
    """What one process sees of a match's crowd."""

    watchers: int
    present: frozenset[Seat]
    heard: float


class Crowd:
    """The crowd of every match that this process serves."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._others: dict[str, dict[str, Part]] = {}
        self._settling: set[str] = set()
        self._repeating = False
        hub.listen("crowd", self._hear)

    def of(self, match_id: str) -> dict[str, Any]:
        """The crowd as it goes over the wire: {"watchers": int, "present": [seat, ...]}."""
        parts = [self._here(match_id), *self._others.get(match_id, {}).values()]
        return {
            "watchers": sum(part.watchers for part in parts),
            "present": sorted(frozenset().union(*(part.present for part in parts))),
        }

    def changed(self, match_id: str) -> None:
        """Somebody came or went: tell everyone, in a moment."""
        if match_id not in self._settling:
            self._settling.add(match_id)
            asyncio.get_running_loop().call_later(SETTLE_SECONDS, self._settled, match_id)
        if self._hub.remote and not self._repeating:
            self._repeating = True
            self._hub.spawn(self._repeat())

    def _here(self, match_id: str) -> Part:
        return Part(
            watchers=watchers_here(self._hub, match_id),
            present=frozenset(
                socket.seat for socket in self._hub.sockets(topic(match_id)) if socket.seat is not None
            ),
            heard=time.monotonic(),
        )

    def _settled(self, match_id: str) -> None:
        self._settling.discard(match_id)
        audience.changed(match_id)
        self._tell_others(match_id, answer=True)
        self._tell_sockets(match_id)

    def _tell_sockets(self, match_id: str) -> None:
        message = {"type": "crowd", **self.of(match_id)}
        for each in (topic(match_id), delayed_topic(match_id)):
            self._hub.tell_here(each, message)

    def _tell_others(self, match_id: str, answer: bool) -> None:
        """Tell the other processes what this one sees, and ask for the same if `answer`."""
        here = self._here(match_id)
        part = {
            "origin": self._hub.origin,
            "watchers": here.watchers,
            "present": list(here.present),
            "answer": answer,
        }
        self._hub.tell_processes(topic(match_id), "crowd", part)

    def _hear(self, heard_topic: str, payload: bytes) -> None:
        match_id, part = heard_topic.partition(".")[2], orjson.loads(payload)
        parts = self._others.setdefault(match_id, {})
        known = parts.get(part["origin"])
        heard = Part(part["watchers"], frozenset(part["present"]), time.monotonic())
        parts[part["origin"]] = heard
        if part["answer"]:
            self._tell_others(match_id, answer=False)
        if known is None or (known.watchers, known.present) != (heard.watchers, heard.present):
            self._tell_sockets(match_id)

    async def _repeat(self) -> None:
        """Repeat what is seen here and forget who has fallen silent, for as long as the process runs."""
        while True:
            await asyncio.sleep(REPEAT_SECONDS)
            silent = time.monotonic() - FORGOTTEN_AFTER
            for match_id, parts in list(self._others.items()):
                living = {origin: part for origin, part in parts.items() if part.heard > silent}
                if self._hub.sockets(topic(match_id)):
                    self._others[match_id] = living
                else:
                    del self._others[match_id]
                if len(living) < len(parts):
                    self._tell_sockets(match_id)
            for watched in self._hub.topics("match"):
                self._tell_others(watched.partition(".")[2], answer=False)


crowd = Crowd(process_hub)
"""The crowd as this process knows it."""
