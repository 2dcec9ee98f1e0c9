"""Background task that delivers webhooks and push notifications; runs in every process."""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.utils import parseaddr
from hashlib import sha256
from random import SystemRandom

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import DatabaseError

from games.domain import instants
from games.net.measures import measures
from games.net.process import process
from games.net.tasks import Wakeup, every, spawn
from games.net.threads import in_thread
from lobby.notices.models import Device
from lobby.webhooks import deliveries, outgoing, vapid, webpush_encryption
from lobby.webhooks.deliveries import QUICK, Answer, ClaimedDelivery, Lane
from lobby.webhooks.outgoing import Unsent

EVERY = 1.0
"""Polling interval in seconds."""
MAX_CONCURRENT = 16
"""Maximum concurrent deliveries of one process in each lane; it mostly waits for responses."""
TRIM_EVERY = timedelta(minutes=10)
KEPT_FOR = timedelta(days=1)
"""TTL of a notification at the push service, for a phone that is off."""
TOPIC_LENGTH = 32

system_random = SystemRandom()
logger = logging.getLogger(__name__)


class DeliveryWorker:
    """Delivers due webhooks and notifications.

    Args:
        now: returns milliseconds of Unix time.
        chance: returns a random number from 0 to 1, for the jitter of retries.
    """

    def __init__(
        self,
        now: Callable[[], int] = instants.now,
        chance: Callable[[], float] = system_random.random,
    ) -> None:
        self._now, self._chance = now, chance
        self._work: dict[int, asyncio.Task[None]] = {}
        """Running deliveries by webhook."""
        self._under_way: list[ClaimedDelivery] = []
        self._wakeup = Wakeup()
        self._trim_at = 0

    def begin(self) -> None:
        """Start, in the event loop."""
        spawn(self._run())

    async def _run(self) -> None:
        await asyncio.to_thread(outgoing.trust)
        # The first process that starts creates the key.
        await in_thread(vapid.key)()
        await every(EVERY, self._tidy_and_take_up, self._wakeup)

    async def _tidy_and_take_up(self) -> None:
        await self._tidy()
        await self._take_up()

    async def once(self) -> bool:
        """Deliver what is due, one per webhook, and wait for the results; returns whether any was due."""
        work = {*await self._take_up(), *self._work.values()}
        await asyncio.gather(*work)
        return bool(work)

    async def _tidy(self) -> None:
        if self._now() >= self._trim_at:
            self._trim_at = self._now() + TRIM_EVERY // timedelta(milliseconds=1)
            await in_thread(deliveries.trim)(instants.moment(self._now()))

    async def _take_up(self) -> list[asyncio.Task[None]]:
        # Mostly nothing is due, and the queries of the lanes cost thirty times as much as this one.
        if not await in_thread(deliveries.overdue)(instants.moment(self._now())):
            return []
        return [task for lane in Lane for task in await self._take_up_of(lane)]

    async def _take_up_of(self, lane: Lane) -> list[asyncio.Task[None]]:
        begun = []
        moment = instants.moment(self._now())
        # Repeat: rows of a user who has reached the limit may have hidden other users' rows from the query.
        while claims := await in_thread(deliveries.take)(
            moment, MAX_CONCURRENT - self._count(lane), list(self._under_way), lane
        ):
            for claimed in claims:
                self._under_way.append(claimed)
                self._work[claimed.hook] = spawn(self._deliver(claimed))
                begun.append(self._work[claimed.hook])
        return begun

    def _count(self, lane: Lane) -> int:
        return sum(each.lane is lane for each in self._under_way)

    async def _deliver(self, claimed: ClaimedDelivery) -> None:
        loop = asyncio.get_running_loop()
        began, timer = loop.time(), loop.call_later(QUICK, self._slow_down, claimed)
        try:
            answer = replace(await self._send(claimed), seconds=loop.time() - began)
            measures.deliveries["webhook" if claimed.device is None else "push", _result(answer)] += 1
            moment = instants.moment(self._now())
            await in_thread(deliveries.note)(claimed, answer, moment, self._chance())
        except DatabaseError:
            # The lease will expire, and the delivery is due again.
            logger.warning("could not note what came of delivery %s", claimed.delivery, exc_info=True)
        finally:
            timer.cancel()
            del self._work[claimed.hook]
            self._under_way.remove(claimed)
            # A slot is free: look for more.
            self._wakeup.wake()

    def _slow_down(self, claimed: ClaimedDelivery) -> None:
        """Leave the place of a delivery that takes long to others."""
        claimed.lane = Lane.SLOW
        self._wakeup.wake()

    async def _send(self, claimed: ClaimedDelivery) -> Answer:
        at = self._now() // 1000
        if claimed.device is None:
            headers, body = _for_program(claimed, at), claimed.body
        else:
            key = await in_thread(vapid.key)()
            headers, body = _for_device(claimed, key, at), _encrypted(claimed.body, claimed.device)
        try:
            return Answer(await outgoing.post(claimed.url, headers, body))
        except Unsent as error:
            return Answer(None, error.code)


def _result(answer: Answer) -> str:
    """The result of a try, as a metrics label."""
    if answer.status is None:
        return "unsent"
    return "arrived" if answer.arrived else "refused"


def _for_program(claimed: ClaimedDelivery, at: int) -> dict[str, str]:
    return {
        "Parlour-Event": claimed.event,
        "Parlour-Event-Id": claimed.event_id,
        "Parlour-Signature": sign(claimed.secret, at, claimed.body),
    }


def _for_device(claimed: ClaimedDelivery, key: ec.EllipticCurvePrivateKey, at: int) -> dict[str, str]:
    """Headers for a push service (RFC 8030): the sender and the lifetime; the content is encrypted."""
    return {
        "Authorization": webpush_encryption.authorization(key, claimed.url, _contact(claimed.site), at),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(KEPT_FOR // timedelta(seconds=1)),
        "Urgency": "high",
        # A newer message replaces an undelivered one of the same topic.
        "Topic": sha256(claimed.event_id.rpartition(".")[0].encode()).hexdigest()[:TOPIC_LENGTH],
    }


def _contact(site: str) -> str:
    """The contact for the push service, which does not accept http URLs."""
    return site if site.startswith("https:") else f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


def sign(secret: str, at: int, body: bytes) -> str:
    """The value of `Parlour-Signature`: the time of sending, and an HMAC-SHA256 of time and body.

    docs/reference/webhooks.md shows how receivers check it.

    Args:
        secret: the webhook's signing key.
        at: seconds of Unix time, against replays.
        body: the exact bytes sent.
    """
    code = hmac.new(secret.encode(), b"%d." % at + body, "sha256").hexdigest()
    return f"t={at},v1={code}"


def _encrypted(body: bytes, device: Device) -> bytes:
    own = ec.generate_private_key(webpush_encryption.CURVE)
    return webpush_encryption.seal(
        body, device.p256dh, device.auth, own, secrets.token_bytes(webpush_encryption.SALT_BYTES)
    )


postman = process.part(DeliveryWorker)
"""The worker of this process."""
