"""Messages between the processes of a site, through Channels' channel layer.

All processes are in one group. Everything a process publishes in one event loop turn is one `group_send`.
The others ignore topics without local sockets. docs/explanation/scaling.md explains why there is no group
for each topic.

The layer may lose messages. Batches are numbered by sender, and a beat every two seconds carries the last
number, so a gap shows within two seconds. After a gap, a reconnection or the loss of one of our own batches,
`resync` is called, and sockets read from the store what they may have missed.

A process that knows no other sends only beats.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from asgiref.sync import async_to_sync

from games.net.measures import measures
from games.net.tasks import Wakeup, every
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


def layer_errors() -> tuple[type[Exception], ...]:
    """What a channel layer raises while Redis is down; a timeout is an `OSError`."""
    # Only the layer of a site with Redis loads its client, which takes a tenth of a second.
    redis = sys.modules.get("redis.exceptions")
    return (OSError, redis.RedisError) if redis else (OSError,)


class BusMessage(NamedTuple):
    """Something published on a topic.

    Attributes:
        topic: the topic whose sockets get it.
        payload: a JSON object, encoded.
        per_seat: by seat, extra fields for its sockets: a JSON object, encoded.
        listener: name of the listener that gets it instead of the sockets; None for the sockets.
    """

    topic: str
    payload: bytes
    per_seat: Sequence[tuple[Seat, bytes]] = ()
    listener: str | None = None


@dataclass(slots=True)
class _Peer:
    """Another process: the number and the arrival time of its last batch."""

    number: int
    heard_at: float


class MessageBus:
    """This process's end of the bus. Everything runs in the event loop.

    Args:
        layer: a channel layer with groups and `flush`, used by nothing else in this process.
        name: of this process; unique within the site.
        receive: called with each message of another process.
        resync: called when messages of other processes may have been lost.
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
        # Numbers of our own batches that have not come back yet.
        self._in_flight: deque[int] = deque()
        # Whether one has come back since we connected.
        self._connected = False
        self._failing = False
        self.heard_at = float("-inf")
        """When the layer last delivered anything, on `time.monotonic()`'s clock."""

    def tasks(self) -> list[Coroutine[Any, Any, None]]:
        """The coroutines to run for the life of the process."""
        return [
            every(RETRY_SECONDS, self._listen, rests=False),
            every(BEAT_SECONDS, self._send_batch, self._wakeup, rests=False),
        ]

    def publish(self, message: BusMessage) -> None:
        """Send a message to the other processes, in one batch with all others of this event loop turn."""
        if self._peers:
            if not self._pending:
                self._wakeup.wake()
            self._pending.append(message)
        else:
            # A process that is just starting sees the gap.
            self._number += 1

    # Sending

    async def _send_batch(self) -> None:
        """Send what is pending. An empty batch is a beat, which shows the others if our last one was lost."""
        messages, self._pending = self._pending, []
        self._number += 1
        self._in_flight.append(self._number)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._layer.group_send(GROUP, _batch(self._name, self._number, messages))
        except layer_errors() as error:
            # The others see the gap in our numbers.
            measures.layer_losses += len(messages)
            self._failed(error)
        self._forget_the_silent(time.monotonic())

    def _forget_the_silent(self, now: float) -> None:
        for name in [name for name, peer in self._peers.items() if peer.heard_at + FORGOTTEN_AFTER < now]:
            del self._peers[name]

    # Receiving

    async def _listen(self) -> None:
        """Join the group and receive until nothing arrives any more."""
        self._connected = False
        self._in_flight.clear()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                # Drop dead connections.
                await self._layer.flush()
                channel = await self._layer.new_channel()
                await self._layer.group_add(GROUP, channel)
            self._wakeup.wake()
            while True:
                async with asyncio.timeout(SILENT_AFTER):
                    batch = await self._layer.receive(channel)
                self._received(**batch)
        except layer_errors() as error:
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        if not self._failing:
            logger.warning("the channel layer is down: %r", error)
        self._failing = True

    def _received(self, sender: str, number: int | None, messages: list[list[Any]], **_: Any) -> None:
        self.heard_at = time.monotonic()
        if sender == self._name:
            self._own_batch_received(cast(int, number))
        elif number is None or self._follow(sender, number):
            for fields in messages:
                self._receive(BusMessage(*fields))

    def _own_batch_received(self, number: int) -> None:
        """Our own batch came back. Resync if it is the first since we connected or one before it is lost."""
        lost, self._connected = not self._connected, True
        while self._in_flight and self._in_flight[0] <= number:
            lost |= self._in_flight.popleft() < number
        if self._failing:
            logger.warning("the channel layer works again")
        self._failing = False
        if lost:
            self._resync()

    def _follow(self, sender: str, number: int) -> bool:
        """Record the number of a batch, and resync if one before it is lost. False: it is a duplicate."""
        peer = self._peers.get(sender)
        if peer is None:
            peer = self._peers[sender] = _Peer(0, self.heard_at)
            # It sends only beats until it knows of us.
            self._wakeup.wake()
        last, peer.number, peer.heard_at = peer.number, max(peer.number, number), self.heard_at
        # Before we are connected, a resync is still to come.
        if self._connected and number > last + 1:
            logger.info("batches %d to %d of %s did not come", last + 1, number - 1, sender)
            self._resync()
        return number > last


def publish_from_outside(layer: Any, message: BusMessage) -> None:
    """Send a message to every process of the site, from a process that is not on the bus; from any thread.

    Raises one of `layer_errors()` if the layer is down.
    """
    async_to_sync(_publish_once)(layer, message)


async def _publish_once(layer: Any, message: BusMessage) -> None:
    async with asyncio.timeout(ANSWER_SECONDS):
        await layer.group_send(GROUP, _batch("", None, [message]))


def _batch(sender: str, number: int | None, messages: list[BusMessage]) -> dict[str, Any]:
    return {"type": "bus.batch", "sender": sender, "number": number, "messages": messages}
