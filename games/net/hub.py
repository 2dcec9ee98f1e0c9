"""Fan-out: one message per topic and process, encoded once, to every socket that listens.

A topic is a match ("match.<id>"), the same some seconds later ("delayed.<id>"), the lobby in a language
("lobby.<code>") or a person ("person.<id>"). A process hears of what others publish once, however many
sockets it serves (`games.net.message_bus`). Without Redis there is no other process.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import orjson
from channels.layers import get_channel_layer
from django.conf import settings

from games.net.connection import Frame
from games.net.message_bus import BROADCAST, BusMessage, MessageBus, publish_from_outside
from games.rules.base import Seat

logger = logging.getLogger(__name__)

DEAF_AFTER = 12.0
"""Seconds without any message, our own beats included, after which the channel layer counts as down."""

Extras = Mapping[Seat, dict[str, Any]]
"""What a message holds for the sockets of some seats beside what everybody is told."""
NOTHING: Extras = MappingProxyType({})

PerSeat = Sequence[tuple[Seat, bytes]]
"""`Extras` as JSON."""

Listener = Callable[[str, bytes], None]


class Subscriber(Protocol):
    """What the hub needs of a socket."""

    seat: Seat | None

    def write(self, frame: Frame) -> None: ...

    async def close(self, code: int) -> None: ...

    async def missed(self) -> None:
        """Messages on its topics may be lost."""


class TopicListener:
    """A subscriber that is nobody: it keeps a process on a topic, or passes on what it hears there."""

    seat: Seat | None = None

    def write(self, frame: Frame) -> None: ...

    async def close(self, code: int) -> None: ...

    async def missed(self) -> None: ...


class Hub:
    """The sockets of this process by topic, and this process's place among the others."""

    def __init__(self) -> None:
        self.draining = False
        self.origin = secrets.token_hex(8)
        self._topics: dict[str, set[Any]] = {}
        self._listeners: dict[str, Listener] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bus: MessageBus | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._ill = False
        self._healing: asyncio.Task[None] | None = None

    @property
    def remote(self) -> bool:
        """Whether there may be other processes to tell."""
        return bool(settings.REDIS_URL)

    @property
    def deaf(self) -> bool:
        """Whether the channel layer delivers nothing, not even our own beats."""
        heard_at = float("-inf") if self._bus is None else self._bus.heard_at
        return self.remote and time.monotonic() - heard_at > DEAF_AFTER

    def listen(self, name: str, listener: Listener) -> None:
        """Have `listener(topic, payload)` called for what other processes say.

        `name` is either the kind of a topic, the part before its point, for all that is said to
        sockets, or the name that is used with `tell_processes`.
        """
        self._listeners[name] = listener

    def begin(self) -> None:
        """Connect to the other processes, in the event loop. A second call changes nothing."""
        self._loop = asyncio.get_running_loop()
        if self.remote and self._bus is None:
            self._bus = MessageBus(get_channel_layer(), self.origin, self._hear, self._heal)
            for task in self._bus.tasks():
                self.spawn(task)

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
        """The topics of a kind that somebody here listens to."""
        return [topic for topic in self._topics if topic.startswith(kind + ".")]

    def publish(self, topic: str, message: dict[str, Any], extras: Extras = NOTHING) -> None:
        """Tell everyone on a topic, here and elsewhere, and the sockets of a seat its `extras` as well.

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
        """Tell the named listener of every other process on a topic; no socket hears of it."""
        if self._bus is not None:
            self._bus.publish(BusMessage(topic, orjson.dumps(message), listener=listener))

    def announce(self, topic: str, message: dict[str, Any]) -> None:
        """`publish` from any thread, and from processes that serve no sockets."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self.publish, topic, message)
        elif self.remote:
            publish_from_outside(get_channel_layer(), BusMessage(topic, orjson.dumps(message)))

    def tell_everyone(self, listener: str, message: dict[str, Any]) -> None:
        """Tell the named listener of this process and of every other; from any thread.

        `listener` is a name given to `listen`; it is called with the topic `BROADCAST`. A process that
        does not listen, such as a worker, tells the others all the same.
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
        """Close every socket of this process; no new ones are welcome."""
        self.draining = True
        await asyncio.gather(*(socket.close(code) for socket in self._sockets()), return_exceptions=True)

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something beside, keep it from being collected half-way, and log how it failed."""
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def forget_closed_loops(self) -> None:
        """Let go of tasks whose event loop was closed: they never end, and cannot be cancelled."""
        self._tasks = {task for task in self._tasks if not task.get_loop().is_closed()}

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.error("a task of the hub failed", exc_info=task.exception())

    def _deliver(self, topic: str, frame: Frame, own: PerSeat = ()) -> None:
        """Hand a message to the sockets of this process; seats that are told the same share a frame."""
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

    def _hear(self, message: BusMessage) -> None:
        if message.topic not in self._topics and message.topic != BROADCAST:
            return
        listener = self._listeners.get(message.listener or message.topic.partition(".")[0])
        try:
            if listener is not None:
                listener(message.topic, message.payload)
            if message.listener is None:
                self._deliver(message.topic, Frame(message.payload), message.per_seat)
        except Exception:
            # Another version of the code may send what this one cannot read; the rest it can.
            logger.exception("a message of %s could not be followed", message.topic)

    def _heal(self) -> None:
        """Have every socket see to what it may have missed, one after the other, for the others' sake."""
        self._ill = True
        if self._healing is None or self._healing.done():
            self._healing = self.spawn(self._heal_sockets())

    async def _heal_sockets(self) -> None:
        while self._ill:
            self._ill = False
            for socket in self._sockets():
                await asyncio.wait({self.spawn(socket.missed())})

    def _sockets(self) -> set[Any]:
        return {socket for sockets in self._topics.values() for socket in sockets}


def _encoded(extras: Extras) -> PerSeat:
    """The extras of seats as JSON; a seat without any is told what everybody is."""
    return [(seat, orjson.dumps(extra)) for seat, extra in extras.items() if extra]


hub = Hub()
"""The hub of this process."""
