"""Background task that pairs the players in the queue; runs in every process."""

from __future__ import annotations

from django.utils import timezone

from games.net.process import process
from games.net.tasks import Wakeup, every, spawn
from games.net.threads import in_thread
from lobby.pairing import queue
from lobby.people.presence import Presence
from lobby.people.presence import presence as process_presence

TICK_SECONDS = 1.0
"""Maximum time between two runs."""


class Matchmaker:
    """Runs `queue.tick` every second, and at once when a player enters the queue in this process."""

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self._wakeup = Wakeup()

    def begin(self) -> None:
        """Start, in the event loop."""
        spawn(every(TICK_SECONDS, self._look, self._wakeup))

    def wake(self) -> None:
        """Run now; from any thread. Other processes notice at their next run."""
        self._wakeup.wake()

    async def _look(self) -> None:
        await in_thread(queue.tick)(self._presence.here(), timezone.now())


matchmaker = process.part(Matchmaker, process_presence)
"""The matchmaker of this process."""
