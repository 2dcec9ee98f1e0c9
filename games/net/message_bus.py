"""Messages between the processes of a site, through Channels' channel layer.

All processes are in one group. What a process publishes in one turn of the event loop is one `group_send`;
the others ignore topics that none of their sockets is on. docs/explanation/scaling.md says why there is no
group for each topic.

The layer may lose messages. Every batch has the number of its sender, and a beat every two seconds carries it
too, so a gap shows within two seconds. After a gap, a new connection, or a batch of our own that did not come
back, `resync` is called, and sockets read what they may have missed from the store.

A process that has heard no other sends its beat alone.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from asgiref.sync import async_to_sync
from redis.exceptions import RedisError

from games.net.measures import measures
from games.net.periodic import Wakeup, every
from games.rules.base import Seat

logger = logging.getLogger(__name__)

GROUP = "site"
"""The group of all processes."""
BROADCAST = "process.all"
"""The topic that every process listens to."""

BEAT_SECONDS = 2.0
"""Seconds between two beats."""
SILENT_AFTER = 6.0
"""Seconds without any message, our own beats included, after which we connect anew."""
FORGOTTEN_AFTER = 30.0
"""Seconds without a message after which a process counts as gone."""
ANSWER_SECONDS = 2.0
"""Seconds that the layer may take to subscribe, or to accept a batch."""
RETRY_SECONDS = 0.5
"""Seconds between two attempts to connect."""

LAYER_ERRORS = (OSError, RedisError)
"""What a channel layer raises while Redis is away; a timeout is an `OSError`."""


class BusMessage(NamedTuple):
    """Something published on a topic.

    Attributes:
        topic: which sockets it is for.
        payload: a JSON object, encoded.
        per_seat: by seat, further fields for its sockets alone: a JSON object, encoded.
        listener: the listener of each process that gets it instead of the sockets; None for the sockets.
    """

    topic: str
    payload: bytes
    per_seat: Sequence[tuple[Seat, bytes]] = ()
    listener: str | None = None


@dataclass(slots=True)
class _Peer:
    """Another process: the number of its last batch, and when that came."""

    number: int
    heard_at: float


class MessageBus:
    """This process's end of the bus. Everything runs in the event loop.

    Args:
        layer: a channel layer with groups and `flush`; no other object of this process uses it.
        name: of this process; unique within the site.
        receive: is given each message of another process.
        resync: is called when messages of other processes may be lost.
    """

    def __init__(
        self,
        layer: Any,
        name: str,
        receive: Callable[[BusMessage], None],
        resync: Callable[[], None],
    ) -> None:
        self._layer, self._name = layer, name
        self._receive, self._resync = receive, resync
        self._peers: dict[str, _Peer] = {}
        self._number = 0
        self._pending: list[BusMessage] = []
        self._wakeup = Wakeup()
        # The numbers of our batches that have not come back to us yet.
        self._in_flight: deque[int] = deque()
        # Whether one has come back over the present connection.
        self._connected = False
        self._failing = False
        self.heard_at = float("-inf")
        """When the layer last delivered anything, on `time.monotonic()`'s clock."""

    def tasks(self) -> list[Coroutine[Any, Any, None]]:
        """What has to run for as long as the process does."""
        return [
            every(RETRY_SECONDS, self._listen),
            every(BEAT_SECONDS, self._send_batch, self._wakeup),
        ]

    def publish(self, message: BusMessage) -> None:
        """Send a message to the other processes, together with all others of this turn of the loop."""
        if self._peers:
            if not self._pending:
                self._wakeup.wake()
            self._pending.append(message)
        else:
            # A process that is just starting sees the gap.
            self._number += 1

    # Sending

    async def _send_batch(self) -> None:
        """Send what is pending; nothing, as a beat, by which others notice if our last batch was lost."""
        messages, self._pending = self._pending, []
        self._number += 1
        self._in_flight.append(self._number)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._layer.group_send(GROUP, _batch(self._name, self._number, messages))
        except LAYER_ERRORS as error:
            # The others see the gap in our numbers.
            measures.layer_losses += len(messages)
            self._failed(error)
        self._forget_the_silent(time.monotonic())

    def _forget_the_silent(self, now: float) -> None:
        for name in [name for name, peer in self._peers.items() if peer.heard_at + FORGOTTEN_AFTER < now]:
            del self._peers[name]

    # Receiving

    async def _listen(self) -> None:
        """Join the group and receive until nothing comes any more."""
        self._connected = False
        self._in_flight.clear()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                # Drops connections that bring nothing any more.
                await self._layer.flush()
                channel = await self._layer.new_channel()
                await self._layer.group_add(GROUP, channel)
            self._wakeup.wake()
            while True:
                async with asyncio.timeout(SILENT_AFTER):
                    batch = await self._layer.receive(channel)
                self._received(**batch)
        except LAYER_ERRORS as error:
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        if not self._failing:
            logger.warning("the channel layer is down: %r", error)
        self._failing = True

    def _received(self, sender: str, number: int | None, messages: list[list[Any]], **_: Any) -> None:
        self.heard_at = time.monotonic()
        if sender == self._name:
            self._came_back(cast(int, number))
        elif number is None or self._follow(sender, number):
            for fields in messages:
                self._receive(BusMessage(*fields))

    def _came_back(self, number: int) -> None:
        """Resync after the first batch of our own over a connection, and if one before it is lost."""
        lost, self._connected = not self._connected, True
        while self._in_flight and self._in_flight[0] <= number:
            lost |= self._in_flight.popleft() < number
        if self._failing:
            logger.warning("the channel layer works again")
        self._failing = False
        if lost:
            self._resync()

    def _follow(self, sender: str, number: int) -> bool:
        """Note the number of a batch, and resync if one before it is lost; False if it came before."""
        peer = self._peers.get(sender)
        if peer is None:
            peer = self._peers[sender] = _Peer(0, self.heard_at)
            # It sends nothing but beats until it has heard of us.
            self._wakeup.wake()
        last, peer.number, peer.heard_at = peer.number, max(peer.number, number), self.heard_at
        # Until we are connected, a resync is still to come.
        if self._connected and number > last + 1:
            logger.info("batches %d to %d of %s did not come", last + 1, number - 1, sender)
            self._resync()
        return number > last


def publish_from_outside(layer: Any, message: BusMessage) -> None:
    """Send a message to every process of a site, from a thread of a process that is not on the bus.

    Raises an error of `LAYER_ERRORS` if the layer is away.
    """
    async_to_sync(_publish_once)(layer, message)


async def _publish_once(layer: Any, message: BusMessage) -> None:
    async with asyncio.timeout(ANSWER_SECONDS):
        await layer.group_send(GROUP, _batch("", None, [message]))


def _batch(sender: str, number: int | None, messages: list[BusMessage]) -> dict[str, Any]:
    return {"type": "bus.batch", "sender": sender, "number": number, "messages": messages}
