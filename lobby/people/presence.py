"""Who is here: people with a page of the site open, in any process of it. Nothing of it is stored.

Each process knows its own pages. It tells the others at once who came and who went, repeats the whole
set now and then in case something was lost, and forgets a process that has fallen silent.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

import orjson

from games.net.every import every
from games.net.hub import EVERYWHERE, Hub
from games.net.hub import hub as process_hub

SETTLE_SECONDS = 1.0
"""Whoever is back within this time was not away: a reload is no news."""
ASK_AGAIN = 1.0
"""The first question of a new process may be answered before the channel layer knows where it is."""
REPEAT_SECONDS = 10.0
FORGOTTEN_AFTER = 25.0

NOBODY: frozenset[int] = frozenset()


class Change(NamedTuple):
    """Who is here now and was not before, and the other way round; ids of users."""

    came: frozenset[int] = NOBODY
    went: frozenset[int] = NOBODY


class Sightings:
    """Who is seen by which process. Times are seconds of any clock that never goes back."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._pages: Counter[int] = Counter()
        self._leaving: dict[int, float] = {}
        self._seen: dict[str, set[int]] = {origin: set()}
        self._heard: dict[str, float] = {}
        self._seers: Counter[int] = Counter()
        """By how many processes each person is seen."""

    @property
    def here(self) -> frozenset[int]:
        """Whom this process sees."""
        return frozenset(self._seen[self._origin])

    @property
    def everyone(self) -> frozenset[int]:
        """Whom any process sees."""
        return frozenset(self._seers)

    def __len__(self) -> int:
        return len(self._seers)

    def __contains__(self, user_id: int) -> bool:
        return user_id in self._seers

    def came(self, user_id: int) -> bool:
        """A page was opened here. Returns whether that is news to the other processes."""
        self._pages[user_id] += 1
        self._leaving.pop(user_id, None)
        return user_id not in self._seen[self._origin]

    def went(self, user_id: int, now: float) -> bool:
        """A page was closed here. Returns whether it was the last one of its person."""
        self._pages[user_id] -= 1
        if self._pages[user_id] > 0:
            return False
        del self._pages[user_id]
        self._leaving[user_id] = now
        return True

    def left(self, now: float) -> frozenset[int]:
        """Who has been away from this process long enough for it to be news."""
        gone = frozenset(id for id, since in self._leaving.items() if since + SETTLE_SECONDS <= now)
        for user_id in gone:
            del self._leaving[user_id]
        return gone

    def hear(self, origin: str, came: Iterable[int], went: Iterable[int], now: float) -> Change:
        """A process, this one included, sees some people anew and others no longer."""
        seen = self._seen.get(origin, set())
        return self.hear_all(origin, (seen | set(came)) - set(went), now)

    def hear_all(self, origin: str, people: Iterable[int], now: float) -> Change:
        """A process sees exactly these people."""
        before, after = self._seen.get(origin, set()), set(people)
        self._seen[origin], self._heard[origin] = after, now
        appeared = frozenset(id for id in after - before if id not in self._seers)
        self._seers.update(after - before)
        lost = before - after
        self._seers.subtract(lost)
        vanished = frozenset(id for id in lost if not self._seers[id])
        for user_id in vanished:
            del self._seers[user_id]
        return Change(appeared, vanished)

    def forget(self, now: float) -> Change:
        """Drop the processes that have been silent for too long, and whom only they saw."""
        gone = NOBODY
        for origin, heard in list(self._heard.items()):
            if origin != self._origin and heard + FORGOTTEN_AFTER < now:
                gone |= self.hear_all(origin, (), now).went
                del self._seen[origin], self._heard[origin]
        return Change(went=gone)


class Presence:
    """The people of the whole site, as this process knows them."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._sightings = Sightings(hub.origin)
        self._listeners: list[Callable[[Change], None]] = []
        hub.listen("presence", self._hear)

    def begin(self) -> None:
        """Follow the other processes from now on, if there may be any; in the event loop."""
        if self._hub.remote:
            self._hub.spawn(self._ask())
            self._hub.spawn(every(REPEAT_SECONDS, self._repeat))

    def came(self, user_id: int) -> None:
        """Somebody opened a page. Call it in the event loop, like `went`."""
        if self._sightings.came(user_id):
            self._note(came=[user_id])

    def went(self, user_id: int) -> None:
        """A page of somebody was closed."""
        now = time.monotonic()
        if self._sightings.went(user_id, now):
            # The time goes along, since a timer may be a little early by the other clock.
            asyncio.get_running_loop().call_later(SETTLE_SECONDS, self._settle, now + SETTLE_SECONDS)

    def online(self) -> frozenset[int]:
        """The ids of everyone who is here."""
        return self._sightings.everyone

    def is_online(self, user_id: int) -> bool:
        """Whether somebody has a page open."""
        return user_id in self._sightings

    def count(self) -> int:
        """How many people are here."""
        return len(self._sightings)

    def here(self) -> frozenset[int]:
        """The ids of those whose pages this very process serves."""
        return self._sightings.here

    def on_change(self, listener: Callable[[Change], None]) -> None:
        """Have `listener` called, in the event loop, whenever somebody comes to the site or leaves it."""
        self._listeners.append(listener)

    def _settle(self, now: float) -> None:
        left = self._sightings.left(now)
        if left:
            self._note(went=left)

    def _note(self, came: Iterable[int] = (), went: Iterable[int] = ()) -> None:
        """What this process sees has changed: remember it and tell the others."""
        came, went = list(came), list(went)
        self._tell(self._sightings.hear(self._hub.origin, came, went, time.monotonic()))
        message = {"origin": self._hub.origin, "came": came, "went": went}
        self._hub.tell_processes(EVERYWHERE, "presence", message)

    def _tell_all(self, ask: bool) -> None:
        """Tell the other processes whom this one sees, and ask for the same if `ask`."""
        message = {"origin": self._hub.origin, "all": list(self._sightings.here), "ask": ask}
        self._hub.tell_processes(EVERYWHERE, "presence", message)

    def _hear(self, _topic: str, payload: bytes) -> None:
        told, now = orjson.loads(payload), time.monotonic()
        if "all" in told:
            change = self._sightings.hear_all(told["origin"], told["all"], now)
            if told["ask"]:
                self._tell_all(ask=False)
        else:
            change = self._sightings.hear(told["origin"], told["came"], told["went"], now)
        self._tell(change)

    def _tell(self, change: Change) -> None:
        if change != Change():
            for listener in self._listeners:
                listener(change)

    async def _ask(self) -> None:
        """Have the other processes tell whom they see."""
        self._tell_all(ask=True)
        await asyncio.sleep(ASK_AGAIN)
        self._tell_all(ask=True)

    async def _repeat(self) -> None:
        """Say again who is seen here, and forget who has fallen silent."""
        self._tell_all(ask=False)
        self._tell(self._sightings.forget(time.monotonic()))


presence = Presence(process_hub)
"""Presence as this process knows it."""
