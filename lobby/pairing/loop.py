"""What keeps the queue of quick pairing moving: a task in every process that sees people."""

from __future__ import annotations

import asyncio
import logging

from django.utils import timezone

from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.threads import in_thread
from lobby.pairing import queue
from lobby.people.presence import Presence
from lobby.people.presence import presence as process_presence

TICK_SECONDS = 1.0
"""How often the queue is looked at when nothing calls for it sooner."""

logger = logging.getLogger(__name__)


class Matchmaker:
    """Looks at the queue every second, and at once when somebody enters it here."""

    def __init__(self, hub: Hub, presence: Presence) -> None:
        self._hub = hub
        self._presence = presence
        self._loop: asyncio.AbstractEventLoop | None = None
        self._due = asyncio.Event()

    def keep_pairing(self) -> None:
        """Begin, for as long as the process runs. Call it in the event loop."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._hub.spawn(self._run())

    def wake(self) -> None:
        """Somebody has entered the queue; from any thread. Other processes find out by themselves."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self._due.set)

    async def _run(self) -> None:
        while True:
            self._due.clear()
            try:
                await in_thread(queue.tick)(self._presence.here(), timezone.now())
            except Exception:
                # The database may be away for a while; this must still run when it is back.
                logger.exception("could not look at the queue")
            try:
                await asyncio.wait_for(self._due.wait(), TICK_SECONDS)
            except TimeoutError:
                continue


matchmaker = Matchmaker(process_hub, process_presence)
"""The matchmaker of this process."""
