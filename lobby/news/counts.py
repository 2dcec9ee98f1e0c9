"""The counters of the lobby: who is here, how many matches are in play, how many wait to be paired."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from django.db import DatabaseError

from games.models import Match
from games.net.hub import hub
from games.net.threads import in_thread
from games.registry import GAMES
from lobby.models import Seek
from lobby.people.presence import Change, presence

TOPIC = "counts.all"
"""The hub's topic for sockets that have their first counters and are to be told of others."""
EVERY_SECONDS = 1.0
"""How often lobbies are told at most, and how old a number from the store may be."""

logger = logging.getLogger(__name__)


def counts() -> dict[str, int]:
    """The counters as they are now."""
    return {"online": presence.count(), **_stored()}


def _stored() -> dict[str, int]:
    """Those that every process reads from the store, and so has in common with the others."""
    return {
        "playing": Match.objects.filter(status=Match.Status.PLAYING, game__in=GAMES).count(),
        "waiting": Seek.objects.filter(match=None).count(),
    }


class Teller:
    """Tells the lobbies of this process when a counter has changed."""

    def __init__(self) -> None:
        self._stored: dict[str, int] = {}
        self._told: dict[str, Any] = {}
        self._told_at = float("-inf")
        self._due = False
        self._telling = False

    def keep_telling(self) -> None:
        """Begin, for as long as the process runs."""
        presence.keep_up()
        if not self._telling:
            self._telling = True
            presence.on_change(self._changed)
            hub.spawn(self._watch_store())

    def compare(self, told: dict[str, int]) -> None:
        """A lobby that was just opened was told these. Make up for it if the others know something else."""
        if {"type": "counts", **told} != self._told:
            self._told = {}

    def _changed(self, _change: Change = Change()) -> None:  # noqa: B008 - immutable
        """Tell at once, or as soon as a second has passed since the last time."""
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

    async def _watch_store(self) -> None:
        while True:
            if hub.sockets(TOPIC):
                try:
                    self._stored = await in_thread(_stored)()
                except DatabaseError:
                    # It may be away for a while; this must still run when it is back.
                    logger.exception("could not count what is in the store")
                else:
                    self._changed()
            await asyncio.sleep(EVERY_SECONDS)


teller = Teller()
"""What this process tells its lobbies."""
