"""The counters of the lobby: players online, live matches, and players waiting, by tile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from games.net.hub import hub
from games.net.process import process
from games.net.tasks import every, spawn
from games.net.threads import in_thread
from games.net.ttl_cache import TtlCache
from games.watch.visibility import known_in_play
from lobby.feed.watched_matches import live_among
from lobby.pairing import queue
from lobby.people.presence import Change, presence

TOPIC = "counts.all"
"""Hub topic of the sockets that have their first counters and get updates."""
EVERY_SECONDS = 1.0
"""Minimum time between updates, and lifetime of the cached counters."""


def counts(seeks: Sequence[Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """The counters for a page. Waiting players are read anew, so that a player's own change shows at once.

    Args:
        seeks: who waits (`queue.waiting`), if the caller has just read it.
    """
    waiting = _waiting() if seeks is None else _counted(seeks)
    return {"online": presence.count(), "playing": count_broadcaster.playing(), **waiting}


def _stored() -> dict[str, Any]:
    """The counters from the store, which are the same in every process."""
    return {"playing": _playing(), **_waiting()}


def _playing() -> int:
    return len(live_among(known_in_play(timezone.now())))


def _waiting() -> dict[str, Any]:
    return _counted(queue.waiting())


def _counted(seeks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"waiting": sum(each["people"] for each in seeks), "seeks": seeks}


class CountBroadcaster:
    """Sends changed counters to the lobbies of this process."""

    def __init__(self) -> None:
        self._stored: dict[str, Any] = {}
        self._told: dict[str, Any] = {}
        self._told_at = float("-inf")
        self._due = False
        self._playing = TtlCache(_playing, lambda: EVERY_SECONDS)
        self._waiting = TtlCache(_waiting, lambda: EVERY_SECONDS)

    def begin(self) -> None:
        """Start, in the event loop."""
        presence.on_change(self._changed)
        spawn(every(EVERY_SECONDS, self._count))

    def counts(self) -> dict[str, Any]:
        """The counters, cached for `EVERY_SECONDS` and shared by all callers; call in a thread."""
        return {"online": presence.count(), "playing": self.playing(), **self._waiting.get()}

    def playing(self) -> int:
        """The number of live matches, cached likewise."""
        return self._playing.get()

    def compare(self, told: dict[str, Any]) -> None:
        """A lobby was opened with these counters. If the other lobbies got different ones, resend them."""
        if {"type": "counts", **told} != self._told:
            self._told = {}

    def _changed(self, _change: Change = Change()) -> None:  # noqa: B008 - immutable
        """Send soon, at most once per `EVERY_SECONDS`."""
        if not self._due:
            self._due = True
            pause = max(0.0, self._told_at + EVERY_SECONDS - time.monotonic())
            asyncio.get_running_loop().call_later(pause, self._tell)

    def _tell(self) -> None:
        self._due = False
        now = {"type": "counts", "online": presence.count(), **self._stored}
        if self._stored and now != self._told:
            self._told, self._told_at = now, time.monotonic()
            hub.tell_here(TOPIC, now)

    async def _count(self) -> None:
        if hub.sockets(TOPIC):
            self._stored = await in_thread(_stored)()
            self._changed()


count_broadcaster = process.part(CountBroadcaster)
"""The broadcaster of this process."""
