"""Fan-out: one message per topic and process, encoded once, to every socket that listens.

A topic is a match ("match.<id>"), its delayed broadcast ("delayed.<id>"), the lobby in one language
("lobby.<code>") or a user ("person.<id>"). A process receives each published message once, however many
sockets it serves (`games.net.message_bus`). Without Redis there is only one process.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import orjson
from channels.layers import get_channel_layer
from django.conf import settings

from games.net.message_bus import BROADCAST, BusMessage, MessageBus, publish_from_outside
from games.net.process import process
from games.net.tasks import spawn
from games.rules.base import Seat

logger = logging.getLogger(__name__)

DEAF_AFTER = 12.0
"""Seconds without any message, our own beats included, after which the channel layer counts as down."""

Extras = Mapping[Seat, dict[str, Any]]
"""By seat, the extra fields that only the sockets of this seat get."""
NOTHING: Extras = MappingProxyType({})

PerSeat = Sequence[tuple[Seat, bytes]]
"""`Extras` as JSON."""

Listener = Callable[[str, bytes], None]


_TEXT = 0x81
_SHORT = 125


class Frame:
    """A message encoded once for all recipients: its JSON, and that JSON as a WebSocket frame."""

    __slots__ = ("_named", "payload", "raw")

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.raw = _head(len(payload)) + payload
        self._named: dict[bytes, Frame] | None = None

    @classmethod
    def of(cls, message: dict[str, Any]) -> Frame:
        """The frame of a message, encoded as JSON."""
        return cls(orjson.dumps(message))

    def with_fields(self, fields: bytes) -> Frame:
        """The same message with more fields, given as a JSON object that is not empty."""
        return Frame(self.payload[:-1] + b"," + fields[1:])

    def named(self, prefix: bytes) -> Frame:
        """The same message after the name of its feed, for sockets that carry several."""
        if self._named is None:
            self._named = {}
        if prefix not in self._named:
            self._named[prefix] = Frame(prefix + self.payload)
        return self._named[prefix]


def _head(length: int) -> bytes:
    """The head of an unmasked, final text frame (RFC 6455, section 5.2)."""
    if length <= _SHORT:
        return bytes((_TEXT, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


class Subscriber(Protocol):
    """The interface of a socket that the hub uses."""

    seat: Seat | None

    def write(self, frame: Frame) -> None:
        """Send a frame. Must not block."""

    async def close(self, code: int) -> None:
        """Close the connection with a WebSocket close code."""

    async def resync(self) -> None:
        """Resync: messages on its topics may have been lost."""


class TopicListener:
    """A subscriber without a client: keeps the process on a topic, or forwards its messages."""

    seat: Seat | None = None

    def write(self, frame: Frame) -> None:
        """Receive a frame of the topic. Must not block."""

    async def close(self, code: int) -> None:
        """The process shuts down, or the listener is too slow."""

    async def resync(self) -> None:
        """Messages may have been lost: read the state anew."""


class Hub:
    """The sockets of this process by topic, and its link to the other processes."""

    def __init__(self) -> None:
        self.draining = False
        self.origin = secrets.token_hex(8)
        self._topics: dict[str, set[Any]] = {}
        self._listeners: dict[str, Listener] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bus: MessageBus | None = None
        self._ill = False
        self._healing: asyncio.Task[None] | None = None

    @property
    def remote(self) -> bool:
        """Whether there may be other processes."""
        return bool(settings.REDIS_URL)

    @property
    def bus_down(self) -> bool:
        """Whether the channel layer delivers nothing, not even our own beats."""
        heard_at = float("-inf") if self._bus is None else self._bus.heard_at
        return self.remote and time.monotonic() - heard_at > DEAF_AFTER

    def listen(self, name: str, listener: Listener) -> None:
        """Call `listener(topic, payload)` for messages from other processes.

        Args:
            name: either the kind of a topic (the part before the dot), for every message to its sockets, or a
                name used with `tell_processes`.
            listener: called in the event loop.
        """
        self._listeners[name] = listener

    def begin(self) -> None:
        """Connect to the other processes. Call it in the event loop; a second call does nothing."""
        self._loop = asyncio.get_running_loop()
        if self.remote and self._bus is None:
            self._bus = MessageBus(get_channel_layer(), self.origin, self.hear, self._heal)
            for task in self._bus.tasks():
                spawn(task)

    def join(self, topic: str, socket: Subscriber) -> None:
        """Add a socket to a topic."""
        self.begin()
        self._topics.setdefault(topic, set()).add(socket)

    def leave(self, topic: str, socket: Subscriber) -> None:
        """Remove a socket from a topic."""
        sockets = self._topics.get(topic, set())
        sockets.discard(socket)
        if not sockets:
            self._topics.pop(topic, None)

    def sockets(self, topic: str) -> Iterable[Any]:
        """The sockets of this process on a topic."""
        return self._topics.get(topic, ())

    def topics(self, kind: str) -> list[str]:
        """The topics of a kind that have subscribers here."""
        return [topic for topic in self._topics if topic.startswith(kind + ".")]

    def publish(self, topic: str, message: dict[str, Any], extras: Extras = NOTHING) -> None:
        """Send a message to every socket on a topic, in all processes, with the `extras` of its seat.

        Call it in the event loop; see `announce` for any other thread.
        """
        frame, own = Frame.of(message), _encoded(extras)
        self._deliver(topic, frame, own)
        if self._bus is not None:
            self._bus.publish(BusMessage(topic, frame.payload, own))

    def tell_here(self, topic: str, message: dict[str, Any], extras: Extras = NOTHING) -> None:
        """`publish` in this process only."""
        self._deliver(topic, Frame.of(message), _encoded(extras))

    def pass_on(self, topic: str, frame: Frame) -> None:
        """Send a prepared frame to the sockets of this process on a topic."""
        self._deliver(topic, frame)

    def tell_processes(self, topic: str, listener: str, message: dict[str, Any]) -> None:
        """Call the named listener in every other process on a topic. No socket gets the message."""
        if self._bus is not None:
            self._bus.publish(BusMessage(topic, orjson.dumps(message), listener=listener))

    def announce(self, topic: str, message: dict[str, Any]) -> None:
        """`publish` from any thread, and from processes that serve no sockets."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self.publish, topic, message)
        elif self.remote:
            publish_from_outside(get_channel_layer(), BusMessage(topic, orjson.dumps(message)))

    def tell_everyone(self, listener: str, message: dict[str, Any]) -> None:
        """Call the named listener in this and every other process. Safe from any thread.

        `listener` is a name given to `listen`; it is called with the topic `BROADCAST`. Processes that do not
        listen, such as workers, can call this too.
        """
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self._tell_everyone, listener, message)
        elif self.remote:
            outside = BusMessage(BROADCAST, orjson.dumps(message), listener=listener)
            publish_from_outside(get_channel_layer(), outside)

    def _tell_everyone(self, listener: str, message: dict[str, Any]) -> None:
        if listener in self._listeners:
            self._listeners[listener](BROADCAST, orjson.dumps(message))
        self.tell_processes(BROADCAST, listener, message)

    async def drain(self, code: int) -> None:
        """Close every socket of this process and refuse new ones."""
        self.draining = True
        await asyncio.gather(*(socket.close(code) for socket in self._sockets()), return_exceptions=True)

    def _deliver(self, topic: str, frame: Frame, own: PerSeat = ()) -> None:
        """Write a message to the sockets of this process. Seats with equal extras share a frame."""
        extras: dict[Seat | None, bytes] = dict(own)
        with_extra: dict[bytes, Frame] = {}
        for socket in tuple(self._topics.get(topic, ())):
            extra = extras.get(socket.seat)
            if extra is None:
                socket.write(frame)
                continue
            if extra not in with_extra:
                with_extra[extra] = frame.with_fields(extra)
            socket.write(with_extra[extra])

    # What other processes publish

    def hear(self, message: BusMessage) -> None:
        """Handle a message of another process."""
        if message.topic not in self._topics and message.topic != BROADCAST:
            return
        listener = self._listeners.get(message.listener or message.topic.partition(".")[0])
        try:
            if listener is not None:
                listener(message.topic, message.payload)
            if message.listener is None:
                self._deliver(message.topic, Frame(message.payload), message.per_seat)
        except Exception:
            # Another version of the code may send messages that we cannot parse; skip only those.
            logger.exception("a message of %s could not be followed", message.topic)

    def _heal(self) -> None:
        """Resync every socket, one after the other to spread the load."""
        self._ill = True
        if self._healing is None or self._healing.done():
            self._healing = spawn(self._heal_sockets())

    async def _heal_sockets(self) -> None:
        while self._ill:
            self._ill = False
            for socket in self._sockets():
                await asyncio.wait({spawn(socket.resync())})

    def _sockets(self) -> set[Any]:
        return {socket for sockets in self._topics.values() for socket in sockets}


def _encoded(extras: Extras) -> PerSeat:
    """The extras as JSON, without the seats whose extras are empty."""
    return [(seat, orjson.dumps(extra)) for seat, extra in extras.items() if extra]


hub = process.part(Hub)
"""The hub of this process."""
