"""What sends webhooks, to programs and to devices: a task in every server, which takes up what is due."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from datetime import timedelta
from email.utils import parseaddr
from hashlib import sha256
from random import SystemRandom

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import DatabaseError

from games.domain import instants
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.measures import measures
from games.net.periodic import Wakeup, every
from games.net.threads import in_thread
from lobby.models import Device
from lobby.webhooks import deliveries, outgoing, signing, vapid, webpush_encryption
from lobby.webhooks.deliveries import Answer, ClaimedDelivery
from lobby.webhooks.outgoing import Unsent

EVERY = 1.0
"""Seconds after which the store is asked again what is due."""
AT_ONCE = 16
"""Webhooks that one process sends to at the same time: mostly it waits for their answers."""
TRIM_EVERY = timedelta(minutes=10)
KEPT_FOR = timedelta(days=1)
"""For how long a push service keeps a message for a phone that is switched off."""
TOPIC_LENGTH = 32

system_random = SystemRandom()
logger = logging.getLogger(__name__)


class DeliveryWorker:
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
        self._under_way: list[ClaimedDelivery] = []
        self._wakeup = Wakeup()
        self._trim_at = 0

    def begin(self) -> None:
        """Send whatever is due from now on, in the event loop."""
        self._hub.spawn(self._run())

    async def _run(self) -> None:
        await asyncio.to_thread(outgoing.trust)
        # Made by the first server that ever starts.
        await in_thread(vapid.key)()
        await every(EVERY, self._tidy_and_take_up, self._wakeup)

    async def _tidy_and_take_up(self) -> None:
        await self._tidy()
        await self._take_up()

    async def once(self) -> bool:
        """Send what is due, one for each webhook, and return once there are answers; whether any was due."""
        work = {*await self._take_up(), *self._work.values()}
        await asyncio.gather(*work)
        return bool(work)

    async def _tidy(self) -> None:
        if self._now() >= self._trim_at:
            self._trim_at = self._now() + TRIM_EVERY // timedelta(milliseconds=1)
            await in_thread(deliveries.trim)(instants.moment(self._now()))

    async def _take_up(self) -> list[asyncio.Task[None]]:
        begun = []
        moment = instants.moment(self._now())
        # Again for those whom the first ones in line, of somebody who has their share now, had covered.
        while claims := await in_thread(deliveries.take)(
            moment, AT_ONCE - len(self._work), list(self._under_way)
        ):
            for claimed in claims:
                self._under_way.append(claimed)
                self._work[claimed.hook] = self._hub.spawn(self._deliver(claimed))
                begun.append(self._work[claimed.hook])
        return begun

    async def _deliver(self, claimed: ClaimedDelivery) -> None:
        try:
            answer = await self._send(claimed)
            measures.deliveries["webhook" if claimed.device is None else "push", _result(answer)] += 1
            moment = instants.moment(self._now())
            await in_thread(deliveries.note)(claimed, answer, moment, self._chance())
        except DatabaseError:
            # It is due again once the lease has ended.
            logger.warning("could not note what came of delivery %s", claimed.delivery, exc_info=True)
        finally:
            del self._work[claimed.hook]
            self._under_way.remove(claimed)
            # There is room again.
            self._wakeup.wake()

    async def _send(self, claimed: ClaimedDelivery) -> Answer:
        at = self._now() // 1000
        if claimed.device is None:
            headers, body = _for_program(claimed, at), claimed.body
        else:
            key = await in_thread(vapid.key)()
            headers, body = _for_device(claimed, key, at), _sealed(claimed.body, claimed.device)
        try:
            return Answer(await outgoing.post(claimed.url, headers, body))
        except Unsent as error:
            return Answer(None, error.code)


def _result(answer: Answer) -> str:
    """What came of a try, as it is counted."""
    if answer.status is None:
        return "unsent"
    return "arrived" if answer.arrived else "refused"


def _for_program(claimed: ClaimedDelivery, at: int) -> dict[str, str]:
    return {
        "Parlour-Event": claimed.event,
        "Parlour-Event-Id": claimed.event_id,
        "Parlour-Signature": signing.sign(claimed.secret, at, claimed.body),
    }


def _for_device(claimed: ClaimedDelivery, key: ec.EllipticCurvePrivateKey, at: int) -> dict[str, str]:
    """What a push service is to know (RFC 8030): nothing of what is told, but who tells it and until when."""
    return {
        "Authorization": webpush_encryption.authorization(key, claimed.url, _contact(claimed.site), at),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(KEPT_FOR // timedelta(seconds=1)),
        "Urgency": "high",
        # Of two messages of one topic that wait for a phone to wake up, it gets the second.
        "Topic": sha256(claimed.event_id.rpartition(".")[0].encode()).hexdigest()[:TOPIC_LENGTH],
    }


def _contact(site: str) -> str:
    """Where a push service finds the host of the site; it takes no address by http."""
    return site if site.startswith("https:") else f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


def _sealed(body: bytes, device: Device) -> bytes:
    own = ec.generate_private_key(webpush_encryption.CURVE)
    return webpush_encryption.seal(
        body, device.p256dh, device.auth, own, secrets.token_bytes(webpush_encryption.SALT_BYTES)
    )


postman = DeliveryWorker(process_hub)
"""The postman of this process."""
