"""Background task that pairs the players in the queue; runs in every process."""

from __future__ import annotations

from django.utils import timezone

from games.net.process import process
from games.net.tasks import Periodic
from games.net.threads import in_thread
from lobby.pairing import queue
from lobby.people.presence import presence

TICK_SECONDS = 1.0
"""Maximum time between two runs."""


async def pair_queue() -> None:
    """Pair the players who are in the queue."""
    await in_thread(queue.tick)(presence.here(), timezone.now())


matchmaker = process.part(Periodic, TICK_SECONDS, pair_queue)
"""Pairs every second, and at once when a player enters the queue in this process."""
