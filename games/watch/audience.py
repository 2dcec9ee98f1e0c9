"""How many watch each match of the whole site: each process tells the others what it sees.

`games.watch.crowd` knows the crowd of the matches that a process serves. This knows less of all of them, for
lists that put the most watched first. A process that has fallen silent is forgotten.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from games.net.every import every
from games.net.hub import Hub
from games.net.hub import hub as process_hub

SETTLE_SECONDS = 1.0
"""Changes within this time are told to the other processes as one."""
REPEAT_SECONDS = 10.0
FORGOTTEN_AFTER = 25.0


@dataclass(slots=True)
class Part:
    """What another process sees: matches with at least one watcher there."""

    counts: dict[str, int]
    heard: float


class Audience:
    """The watchers of all matches, as far as this process has heard."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._here: dict[str, int] = {}
        self._others: dict[str, Part] = {}
        self._changed: set[str] = set()
        hub.listen("audience", self._hear)

    def begin(self) -> None:
        """Ask the other processes, if there may be any, and repeat what is seen here; in the event loop."""
        if self._hub.remote:
            self._say(self._here, whole=True, ask=True)
            self._hub.spawn(every(REPEAT_SECONDS, self._repeat))

    def counts(self) -> Mapping[str, int]:
        """How many watch, by match; nobody watches those that are not in it."""
        total: Counter[str] = Counter(self._here)
        for part in tuple(self._others.values()):
            total.update(part.counts)
        return total

    def changed(self, match_id: str, here: int) -> None:
        """So many watch a match here, as far as others may know."""
        if here == self._here.get(match_id, 0):
            return
        if here:
            self._here[match_id] = here
        else:
            self._here.pop(match_id, None)
        if self._hub.remote:
            if not self._changed:
                asyncio.get_running_loop().call_later(SETTLE_SECONDS, self._settled)
            self._changed.add(match_id)

    def _settled(self) -> None:
        changed, self._changed = self._changed, set()
        self._say({match_id: self._here.get(match_id, 0) for match_id in changed}, whole=False)

    def _say(self, counts: Mapping[str, int], whole: bool, ask: bool = False) -> None:
        """Tell the other processes of some matches or of all, and have them do the same if `ask`."""
        message = {"origin": self._hub.origin, "counts": counts, "whole": whole, "ask": ask}
        self._hub.tell_everyone("audience", message)

    def _hear(self, _topic: str, payload: bytes) -> None:
        message = orjson.loads(payload)
        if message["origin"] == self._hub.origin:
            return
        known = self._others.get(message["origin"])
        counts = {} if message["whole"] or known is None else known.counts
        merged = {**counts, **message["counts"]}
        self._others[message["origin"]] = Part(
            {match_id: count for match_id, count in merged.items() if count}, time.monotonic()
        )
        if message["ask"]:
            self._say(self._here, whole=True)

    async def _repeat(self) -> None:
        """Say again what is seen here, and forget who has fallen silent."""
        silent = time.monotonic() - FORGOTTEN_AFTER
        self._others = {origin: part for origin, part in self._others.items() if part.heard > silent}
        self._say(self._here, whole=True)


audience = Audience(process_hub)
"""The audience as this process knows it."""
