"""What sends webhooks: a task in every server, which takes up what is due and waits for the answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from random import SystemRandom

from django.db import DatabaseError

from games.law import instants
from games.net.every import Bell, every
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.threads import in_thread
from lobby.webhooks import deliveries, outgoing, signing
from lobby.webhooks.deliveries import Answer, Parcel
from lobby.webhooks.outgoing import Unsent

EVERY = 1.0
"""Seconds after which the store is asked again what is due."""
AT_ONCE = 16
"""Webhooks that one process sends to at the same time: mostly it waits for their answers."""
TRIM_EVERY = timedelta(minutes=10)

system_random = SystemRandom()
logger = logging.getLogger(__name__)


class Postman:
    """The deliveries of the site, as far as this process attends to them.

    Args:
        hub: runs what is to run beside.
        now: the time in milliseconds.
        chance: a number from 0 to 1, which spreads the times at which is tried again.
    """

    def __init__(
        self,
        hub: Hub,
        now: Callable[[], int] = instants.now,
        chance: Callable[[], float] = system_random.random,
    ) -> None:
        self._hub, self._now, self._chance = hub, now, chance
        self._work: dict[int, asyncio.Task[None]] = {}
        """What is on its way, by webhook."""
        self._bell = Bell()
        self._trim_at = 0

    def begin(self) -> None:
        """Send whatever is due from now on, in the event loop."""
        self._hub.spawn(self._run())

    async def _run(self) -> None:
        await asyncio.to_thread(outgoing.trust)
        await every(EVERY, self._tidy_and_take_up, self._bell)

    async def _tidy_and_take_up(self) -> None:
        await self._tidy()
        await self._take_up()

    async def once(self) -> bool:
        """Send what is due, one for each webhook, and return once there are answers; whether any was due."""
        await self._take_up()
        work = tuple(self._work.values())
        await asyncio.gather(*work)
        return bool(work)

    async def _tidy(self) -> None:
        if self._now() >= self._trim_at:
            self._trim_at = self._now() + TRIM_EVERY // timedelta(milliseconds=1)
            await in_thread(deliveries.trim)(instants.moment(self._now()))

    async def _take_up(self) -> None:
        room = AT_ONCE - len(self._work)
        moment = instants.moment(self._now())
        for parcel in await in_thread(deliveries.take)(moment, room, list(self._work)):
            self._work[parcel.hook] = self._hub.spawn(self._deliver(parcel))

    async def _deliver(self, parcel: Parcel) -> None:
        try:
            answer = await self._send(parcel)
            moment = instants.moment(self._now())
            await in_thread(deliveries.note)(parcel, answer, moment, self._chance())
        except DatabaseError:
            # It is due again once the lease has ended.
            logger.warning("could not note what came of delivery %s", parcel.delivery, exc_info=True)
        finally:
            del self._work[parcel.hook]
            # There is room again.
            self._bell.ring()

    async def _send(self, parcel: Parcel) -> Answer:
        headers = {
            "Parlour-Event": parcel.event,
            "Parlour-Event-Id": parcel.event_id,
            "Parlour-Signature": signing.sign(parcel.secret, self._now() // 1000, parcel.body),
        }
        try:
            return Answer(await outgoing.post(parcel.url, headers, parcel.body))
        except Unsent as error:
            return Answer(None, error.code)


postman = Postman(process_hub)
"""The postman of this process."""
