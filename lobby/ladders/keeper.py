"""Ends challenges whose time is up or whose match is over, and lets idle people fall."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from games.net.process import process
from games.net.tasks import Periodic
from games.net.threads import in_thread
from lobby.ladders import challenges, ladders
from lobby.ratings.signals import Settled

EVERY = 30.0
"""Polling interval in seconds; matches that end in this process are looked at at once."""

logger = logging.getLogger(__name__)


async def keep_ladders() -> None:
    """Do what is due with ladders. What fails is logged, and keeps nothing else waiting.

    Every process does this; each step holds its ladder, and reads what is to be done.
    """
    now = timezone.now()
    for step, pk in await in_thread(_due)(now):
        try:
            await in_thread(step)(pk, now)
        except Exception:
            logger.exception("a step of a ladder failed, and is tried again")


def _due(now: datetime) -> list[tuple[Callable[[int, datetime], None], int]]:
    """The steps that are due, with the rows that they are for."""
    ended = challenges.pending(now).values_list("pk", flat=True)
    return [*((ladders.settle, pk) for pk in ended), *((ladders.fall, pk) for pk in ladders.idle(now))]


ladder_keeper = process.part(Periodic, EVERY, keep_ladders)


def settled(_ended: Sequence[Settled]) -> None:
    """Look soon whether these were matches of ladders. In the transaction that settles them."""
    transaction.on_commit(ladder_keeper.wake, robust=True)
