"""Who is online: users with an open page in any process. Nothing is stored.

Each process knows its own pages and sends changes to the others (`games.net.shared_state`).
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from typing import NamedTuple

from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.shared_state import SharedState, Update, Value

SETTLE_SECONDS = 1.0
"""A user who is back within this time was not away, so a reload causes no messages."""

NOBODY: frozenset[int] = frozenset()


class Change(NamedTuple):
    """Users who came online and who went offline, by id."""

    came: frozenset[int] = NOBODY
    went: frozenset[int] = NOBODY


class Sightings:
    """Which users this process sees, and how many processes see each. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._pages: Counter[int] = Counter()
        self._leaving: dict[int, float] = {}
        self._here: set[int] = set()
        self._seers: Counter[int] = Counter()
        """Number of processes that see each user."""

    @property
    def here(self) -> frozenset[int]:
        """Users whom this process sees."""
        return frozenset(self._here)

    @property
    def everyone(self) -> frozenset[int]:
        """Users whom any process sees."""
        return frozenset(self._seers)

    def __len__(self) -> int:
        return len(self._seers)

    def __contains__(self, user_id: int) -> bool:
        return user_id in self._seers

    def came(self, user_id: int) -> bool:
        """A page was opened here. Returns whether the other processes must be told."""
        self._pages[user_id] += 1
        self._leaving.pop(user_id, None)
        return user_id not in self._here

    def went(self, user_id: int, now: float) -> bool:
        """A page was closed here. Returns whether it was the user's last."""
        self._pages[user_id] -= 1
        if self._pages[user_id] > 0:
            return False
        del self._pages[user_id]
        self._leaving[user_id] = now
        return True

    def left(self, now: float) -> frozenset[int]:
        """Remove and return users whose last page here was closed `SETTLE_SECONDS` ago."""
        gone = frozenset(id for id, since in self._leaving.items() if since + SETTLE_SECONDS <= now)
        for user_id in gone:
            del self._leaving[user_id]
        return gone

    def note(self, came: Iterable[int] = (), went: Iterable[int] = ()) -> Change:
        """Users came to and left this process."""
        before = self.here
        self._here = (self._here | set(came)) - set(went)
        return self.follow(before, self._here)

    def follow(self, before: Set[int], after: Set[int]) -> Change:
        """A process, this or another, saw the users `before` and now sees those in `after`."""
        appeared = frozenset(id for id in after - before if id not in self._seers)
        self._seers.update(after - before)
        lost = before - after
        self._seers.subtract(lost)
        vanished = frozenset(id for id in lost if not self._seers[id])
        for user_id in vanished:
            del self._seers[user_id]
        return Change(appeared, vanished)


class Presence:
    """Presence of all users of the site, as this process knows it."""

    def __init__(self, hub: Hub) -> None:
        self._sightings = Sightings()
        self._listeners: list[Callable[[Change], None]] = []
        self._shared = SharedState(hub, "presence", lambda _topic: _value(self._sightings.here), self._heard)
        self._shared.follow()

    def begin(self) -> None:
        """Start to exchange changes with the other processes, if there may be any; call in the event loop."""
        self._shared.begin()

    def came(self, user_id: int) -> None:
        """A user opened a page. Call in the event loop, like `went`."""
        if self._sightings.came(user_id):
            self._note(came=[user_id])

    def went(self, user_id: int) -> None:
        """A page of a user was closed."""
        now = time.monotonic()
        if self._sightings.went(user_id, now):
            # Pass the deadline: the timer may fire slightly early by the other clock.
            asyncio.get_running_loop().call_later(SETTLE_SECONDS, self._settle, now + SETTLE_SECONDS)

    def online(self) -> frozenset[int]:
        """The ids of all users online."""
        return self._sightings.everyone

    def is_online(self, user_id: int) -> bool:
        """Whether a user has a page open."""
        return user_id in self._sightings

    def count(self) -> int:
        """The number of users online."""
        return len(self._sightings)

    def here(self) -> frozenset[int]:
        """The ids of users with a page open in this process."""
        return self._sightings.here

    def on_change(self, listener: Callable[[Change], None]) -> None:
        """Have `listener` called, in the event loop, when users come online or go offline."""
        self._listeners.append(listener)

    def _settle(self, now: float) -> None:
        left = self._sightings.left(now)
        if left:
            self._note(went=left)

    def _note(self, came: Iterable[int] = (), went: Iterable[int] = ()) -> None:
        """Record changes of this process and send them to the others."""
        came, went = list(came), list(went)
        self._tell(self._sightings.note(came, went))
        self._shared.tell(_value(came) | dict.fromkeys(map(str, went)))

    def _heard(self, _topic: str, updates: Sequence[Update]) -> None:
        for before, after in updates:
            self._tell(self._sightings.follow(_people(before), _people(after)))

    def _tell(self, change: Change) -> None:
        if change != Change():
            for listener in self._listeners:
                listener(change)


def _value(people: Iterable[int]) -> dict[str, bool | None]:
    """Users in the form in which processes exchange them."""
    return dict.fromkeys(map(str, people), True)


def _people(value: Value) -> frozenset[int]:
    return frozenset(map(int, value))


presence = process.part(Presence, process_hub)
"""Presence as this process knows it."""
