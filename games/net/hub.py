"""Fan-out: one message per topic and process, encoded once, to every socket that listens.

A topic is a match ("match.<id>"), the same some seconds later ("delayed.<id>"), the lobby in a language
("lobby.<code>") or a person ("person.<id>"). A process joins the channel layer once per topic, however
many sockets it serves; with the in-memory layer there is no other process, and the layer is not used at
all.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import orjson
from asgiref.sync import async_to_sync
from channels.exceptions import ChannelFull
from channels.layers import InMemoryChannelLayer, get_channel_layer
from redis.exceptions import RedisError

from games.net.measures import measures
from games.net.periodic import every
from games.net.wire import Frame
from games.rules.base import Seat

logger = logging.getLogger(__name__)

LAYER_RETRY = 1.0
"""Seconds before a lost channel layer is tried again."""
JOIN_SECONDS = 2.0
"""How long somebody waits at most until the layer knows that this process is on a topic."""
DEAF_AFTER = 12.0
"""Seconds without a word after which a process hears nothing: its own, which come back, are ten apart."""
RENEW_SECONDS = 3600.0
"""A layer forgets who joined a group a day ago, so a process joins again long before."""

EVERYWHERE = "process.all"
"""The topic that every process of the site is on, for what processes tell each other."""

Extras = Mapping[Seat, dict[str, Any]]
"""What a message holds for the sockets of some seats beside what everybody is told."""
NOTHING: Extras = MappingProxyType({})

LAYER_ERRORS = (OSError, asyncio.TimeoutError, ChannelFull, RedisError)

Listener = Callable[[str, bytes], None]
Own = Sequence[tuple[Seat, bytes]]
"""Seats with what they alone are told, as JSON."""


class Subscriber(Protocol):
    """What the hub needs of a socket."""

    seat: Seat | None

    def write(self, frame: Frame) -> None: ...

    async def close(self, code: int) -> None: ...


class TopicListener:
    """A subscriber that is nobody: it keeps a process on a topic, or passes on what it hears there."""

    seat: Seat | None = None

    def write(self, frame: Frame) -> None: ...

    async def close(self, code: int) -> None: ...


class Hub:
    """The sockets of this process by topic, and this process's place in the channel layer."""

    def __init__(self) -> None:
        self.draining = False
        self.origin = secrets.token_hex(8)
        self._topics: dict[str, set[Any]] = {}
        self._listeners: dict[str, Listener] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._channel: str | None = None
        self._heard_at = float("-inf")
        self._outbox: asyncio.Queue[tuple[str, dict[str, Any]]] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscribing: set[asyncio.Task[None]] = set()
        # Leaving and joining again at once must reach the layer in that order.
        self._membership = asyncio.Lock()

    @property
    def remote(self) -> bool:
        """Whether there may be other processes to tell."""
        return not isinstance(_layer(), InMemoryChannelLayer)

    @property
    def deaf(self) -> bool:
        """Whether the channel layer brings nothing, not even what this process said itself."""
        return self.remote and time.monotonic() - self._heard_at > DEAF_AFTER

    def listen(self, name: str, listener: Listener) -> None:
        """Have `listener(topic, payload)` called for what other processes say.

        `name` is either the kind of a topic, the part before its point, for all that is said to
        sockets, or the name that is used with `tell_processes`.
        """
        self._listeners[name] = listener

    def begin(self) -> None:
        """Hear what processes tell each other, from now on, in the event loop. Again, it changes nothing."""
        self._loop = asyncio.get_running_loop()
        if self.remote and EVERYWHERE not in self._topics:
            self._topics[EVERYWHERE] = {TopicListener()}
            self._begin_subscription(EVERYWHERE)

    def join(self, topic: str, socket: Subscriber) -> None:
        """Add a socket to a topic, and this process if it is the first; see `joined`."""
        self.begin()
        sockets = self._topics.setdefault(topic, set())
        sockets.add(socket)
        if len(sockets) == 1 and self.remote:
            self._begin_subscription(topic)

    async def joined(self) -> None:
        """Wait until other processes are heard on every topic that was joined before.

        Who reads the store afterwards misses nothing. A layer that is away is not waited for: it brings
        nothing anyway, and loses no more.
        """
        if self._subscribing:
            await asyncio.wait(self._subscribing, timeout=JOIN_SECONDS)

    def leave(self, topic: str, socket: Subscriber) -> None:
        """Remove a socket from a topic, and this process if it was the last."""
        sockets = self._topics.get(topic, set())
        sockets.discard(socket)
        if not sockets and self._topics.pop(topic, None) is not None and self.remote:
            self.spawn(self._unsubscribe(topic))

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
        if self.remote:
            self._tell_others(topic, frame.payload, own)

    def tell_here(self, topic: str, message: dict[str, Any], extras: Extras = NOTHING) -> None:
        """`publish` in this process only."""
        self._deliver(topic, Frame.of(message), _encoded(extras))

    def pass_on(self, topic: str, frame: Frame) -> None:
        """Send a prepared frame to the sockets of this process on a topic."""
        self._deliver(topic, frame)

    def tell_processes(self, topic: str, listener: str, message: dict[str, Any]) -> None:
        """Tell the named listener of every other process on a topic; no socket hears of it."""
        if self.remote:
            self._tell_others(topic, orjson.dumps(message), listener=listener)

    def announce(self, topic: str, message: dict[str, Any]) -> None:
        """`publish` from any thread, and from processes that serve no sockets."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self.publish, topic, message)
        elif self.remote:
            async_to_sync(_send)(topic, self._parcel(topic, orjson.dumps(message)))

    def tell_everyone(self, listener: str, message: dict[str, Any]) -> None:
        """Tell the named listener of this process and of every other; from any thread.

        `listener` is a name given to `listen`; it is called with the topic `EVERYWHERE`. A process that
        does not listen, such as a worker, tells the others all the same.
        """
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self._tell_everyone, listener, message)
        elif self.remote:
            parcel = self._parcel(EVERYWHERE, orjson.dumps(message), listener=listener)
            async_to_sync(_send)(EVERYWHERE, parcel)

    def _tell_everyone(self, listener: str, message: dict[str, Any]) -> None:
        if listener in self._listeners:
            self._listeners[listener](EVERYWHERE, orjson.dumps(message))
        self.tell_processes(EVERYWHERE, listener, message)

    async def drain(self, code: int) -> None:
        """Close every socket of this process; no new ones are welcome."""
        self.draining = True
        sockets = {socket for sockets in self._topics.values() for socket in sockets}
        await asyncio.gather(*(socket.close(code) for socket in sockets), return_exceptions=True)

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something beside, keep it from being collected half-way, and log how it failed."""
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.error("a task of the hub failed", exc_info=task.exception())

    def _deliver(self, topic: str, frame: Frame, own: Own = ()) -> None:
        """Hand a message to the sockets of this process; seats that are told the same share a frame."""
        extra_of, frames = dict(own), {b"": frame}
        for socket in tuple(self._topics.get(topic, ())):
            extra = extra_of.get(socket.seat, b"")
            if extra not in frames:
                frames[extra] = frame.with_fields(extra)
            socket.write(frames[extra])

    # The channel layer

    def _parcel(
        self, topic: str, payload: bytes, own: Own = (), listener: str | None = None
    ) -> dict[str, Any]:
        return {
            "type": "hub",
            "origin": self.origin,
            "topic": topic,
            "payload": payload,
            "own": own,
            "listener": listener,
        }

    def _tell_others(self, topic: str, payload: bytes, own: Own = (), listener: str | None = None) -> None:
        """Queue a message for the layer: one sender keeps the messages of a match in order."""
        if self._outbox is None:
            self._outbox = asyncio.Queue()
            self.spawn(self._send_all(self._outbox))
        self._outbox.put_nowait((topic, self._parcel(topic, payload, own, listener)))

    async def _send_all(self, outbox: asyncio.Queue[tuple[str, dict[str, Any]]]) -> None:
        while True:
            topic, parcel = await outbox.get()
            try:
                await _send(topic, parcel)
            except LAYER_ERRORS as error:
                # Whoever misses it sees the gap, or is told the number of the last ply (memory.py).
                measures.layer_losses += 1
                logger.warning("the channel layer lost a message of %s: %s", topic, error)
            except Exception:
                # One message must not end the task that sends all of them.
                logger.exception("a message of %s could not be sent", topic)

    def _begin_subscription(self, topic: str) -> None:
        task = self.spawn(self._subscribe(topic))
        self._subscribing.add(task)
        task.add_done_callback(self._subscribing.discard)

    async def _subscribe(self, topic: str) -> None:
        async with self._membership:
            if self._channel is None:
                self._channel = await _layer().new_channel("hub")
                self.spawn(self._receive())
                self.spawn(every(RENEW_SECONDS, self._rejoin))
            if topic not in self._topics:
                return
            try:
                await _layer().group_add(topic, self._channel)
            except LAYER_ERRORS as error:
                logger.warning("the channel layer is away: %s", error)

    async def _unsubscribe(self, topic: str) -> None:
        async with self._membership:
            if self._channel is not None and topic not in self._topics:
                with contextlib.suppress(*LAYER_ERRORS):
                    await _layer().group_discard(topic, self._channel)

    async def _rejoin(self) -> None:
        for topic in tuple(self._topics):
            await self._subscribe(topic)

    async def _receive(self) -> None:
        """Hear what other processes say, for ever, also across a restart of the layer."""
        while True:
            try:
                heard = await _layer().receive(self._channel)
            except LAYER_ERRORS as error:
                logger.warning("the channel layer is away: %s", error)
                await asyncio.sleep(LAYER_RETRY)
                # A layer that restarted has forgotten who was in which group.
                await self._rejoin()
                continue
            self._heard_at = time.monotonic()
            if heard["origin"] == self.origin:
                continue
            try:
                self._hear(heard)
            except Exception:
                # Another version of the code may say what this one cannot read; the rest it can.
                logger.exception("a message of %s could not be followed", heard.get("topic"))

    def _hear(self, parcel: dict[str, Any]) -> None:
        topic, payload = parcel["topic"], parcel["payload"]
        listener = self._listeners.get(parcel["listener"] or topic.partition(".")[0])
        if listener is not None:
            listener(topic, payload)
        if parcel["listener"] is None:
            self._deliver(topic, Frame(payload), parcel["own"])


def _encoded(extras: Extras) -> Own:
    """The extras of seats as JSON; a seat without any is told what everybody is."""
    return [(seat, orjson.dumps(extra)) for seat, extra in extras.items() if extra]


def _layer() -> Any:
    # The type stubs know neither the prefix of new_channel nor that a layer is always configured.
    return get_channel_layer()


async def _send(topic: str, parcel: dict[str, Any]) -> None:
    await _layer().group_send(topic, parcel)


hub = Hub()
"""The hub of this process."""
