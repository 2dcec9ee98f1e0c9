"""Every WebSocket, and the feeds that it carries: open, queue messages, limit, write, close with a reason."""

from __future__ import annotations

import contextlib
import logging
import time
from asyncio import Lock
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import Any, cast
from urllib.parse import parse_qs
from weakref import WeakValueDictionary

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, get_user_model
from django.utils import translation
from django.utils.translation import gettext

from games.net.connection import CLOSE_TOO_MUCH, connection_to
from games.net.costs import Account, sent
from games.net.hub import Frame, hub
from games.net.languages import PARAMETER, language_of
from games.net.limits import Bucket, Places, address_key, limiter
from games.net.process import process
from games.net.sessions import sessions
from games.net.tasks import activity, spawn
from games.rules.base import Seat, gettext_noop

logger = logging.getLogger(__name__)

RELEASE_SLOT_KEY = "parlour.release_slot"
"""Scope key of the callback that frees this connection's admission slot."""

HANDSHAKE_KEYS = ("headers", "cookies")
"""Scope keys that are needed only until the socket is open; emptying them saves 1.3 kB a socket."""

PROTOCOL = "parlour.v1"
"""The supported version of docs/reference/protocol.md, as a WebSocket subprotocol."""

# Close codes of the protocol (docs/reference/protocol.md). autobahn can send only 1000 and 3000-4999.
CLOSE_MALFORMED = 4400
CLOSE_UNKNOWN_VERSION = 4406
CLOSE_PLAYERS_ONLY = 4403
CLOSE_RESTART = 4012
CLOSE_SIGNED_OUT = 4401
CLOSE_UNKNOWN = 4404
CLOSE_FAULT = 4500

FEEDS = "feeds"
"""The parameter of an address with the names of the feeds that a page begins with."""
OPEN = "open"
"""The first word of a message that asks for one more feed."""

SESSION_ENDED = {
    "signed-out": gettext_noop("You were logged out."),
    "evening-over": gettext_noop("The evening is over. Thanks for playing!"),
}
"""What is told when the session of a socket ends, by the code of the error."""

_per_user = limiter(settings.SOCKET_PERSON_LIMIT)
_per_address = limiter(settings.SOCKET_ADDRESS_LIMIT)

_answer_locks: WeakValueDictionary[str, Lock] = process.part(WeakValueDictionary)
"""Locks by address: one long answer at a time."""

_open_of_person = process.part(Places, settings.SOCKETS_PER_PERSON)
_open_of_address = process.part(Places, settings.CONNECTIONS_PER_ADDRESS)


def open_sockets() -> int:
    """How many sockets this process has open."""
    return _open_of_address.taken


Work = Coroutine[Any, Any, None]

MAX_WAITING = 100
MAX_WAITING_CHARACTERS = 64 * 1024
"""Limit of the messages that wait while an earlier one is handled."""


class Overflow(Exception):
    """The queue is full."""


class MessageQueue:
    """Handles each message once the one before it is done.

    Args:
        handle: handles a message. Returns a coroutine to run, or None if it is done.
        spawn: runs a coroutine as a task.
        on_error: called with the exception of `handle` or its coroutine. Nothing is handled afterwards.

    Attributes:
        received_at: when the current message arrived, by `time.perf_counter`.
    """

    __slots__ = ("_busy", "_characters", "_handle", "_on_error", "_spawn", "_waiting", "received_at")

    def __init__(
        self,
        handle: Callable[[str], Work | None],
        spawn: Callable[[Work], object],
        on_error: Callable[[Exception], None],
    ) -> None:
        self._handle, self._spawn, self._on_error = handle, spawn, on_error
        # A list, since it hardly ever has two entries, and an empty deque takes ten times the memory.
        self._waiting: list[tuple[str, float]] = []
        self._characters = 0
        self._busy = True
        self.received_at = 0.0

    def start(self) -> None:
        """Handle the messages that have arrived, and from now on every new one."""
        self._busy = False
        self._handle_waiting()

    def put(self, text: str) -> None:
        """Add a message. Raises `Overflow` if the queue is full."""
        if self._busy and (
            len(self._waiting) >= MAX_WAITING or self._characters + len(text) > MAX_WAITING_CHARACTERS
        ):
            raise Overflow
        self._waiting.append((text, time.perf_counter()))
        self._characters += len(text)
        self._handle_waiting()

    def clear(self) -> None:
        """Drop the waiting messages."""
        self._waiting.clear()
        self._characters = 0

    def _handle_waiting(self) -> None:
        while self._waiting and not self._busy:
            text, self.received_at = self._waiting.pop(0)
            self._characters -= len(text)
            self._busy = True
            try:
                work = self._handle(text)
            except Exception as error:  # noqa: BLE001 - the owner logs it and closes the socket
                self._on_error(error)
                return
            if work is None:
                self._busy = False
            else:
                self._spawn(self._finish(work))

    async def _finish(self, work: Work) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 - as above
            self._on_error(error)
        else:
            self.start()


class Feed:
    """What a socket tells of one subject, such as a match, and what it does upon its messages.

    Subclasses implement `opened`, `received` and, if they hold state, `closed`.

    Args:
        socket: the socket that carries this feed.
        name: its name on a socket that carries several; "" on a socket that carries it alone.

    Attributes:
        seat: the seat of the user, if the subject has seats.
        user_id: the user of the session; None for anonymous users.
        write: writes a frame of a topic to the client.
    """

    seat: Seat | None = None
    write: Callable[[Frame], None]

    def __init__(self, socket: Socket, name: str = "") -> None:
        self.socket, self.user_id = socket, socket.user_id
        self._prefix = f"{name} ".encode() if name else b""
        self._topics: list[str] = []
        # True once the feed has ended; messages that still arrive are ignored.
        self._over = False
        self._messages = MessageQueue(self._act, spawn, self._fail)
        # Frames held back while the store is read; see `news_held`.
        self._readings = 0
        self._held: list[Frame] = []
        self._send: Callable[[Frame], None] = self._send_named if name else socket.connection.write
        self.write = self._send

    async def opened(self) -> None:
        """Called when the feed begins: join topics, send the first message."""

    def received(self, text: str) -> Work | None:
        """Handle a text message within the limits. Returns the work left to do, None if there is none."""

    def closed(self) -> None:
        """Called when the feed is gone, if it had joined a topic."""

    async def resync(self) -> None:
        """Resync: messages of other processes may have been lost (`games.net.message_bus`).

        Matches and lists are numbered and notice gaps anyway. Subclasses send again what has no number.
        """

    async def look_again(self) -> None:
        """End the feed if its user has lost the right to it (`games.net.rights`)."""

    # What subclasses call

    @property
    def name(self) -> str:
        """The name of the signed-in user when the socket was opened; "" if not everybody may see them."""
        user = self.socket.user
        name: str = user.get_username() if getattr(user, "is_public", True) else ""
        return name

    @property
    def network(self) -> str:
        """The key to limit the client's address by."""
        return self.socket.network

    @property
    def language(self) -> str:
        """The language of the page."""
        return self.socket.language

    @property
    def about(self) -> dict[str, str]:
        """The arguments in the address of the socket."""
        return self.socket.about

    def join(self, topic: str) -> None:
        """Subscribe to a topic until the feed ends. Joining twice has no effect."""
        if topic not in self._topics and not self._over:
            self._topics.append(topic)
            hub.join(topic, self)

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to this client alone."""
        frame = Frame.of(message)
        sent(len(frame.payload))
        self._send(frame)

    async def tell_costly(self, answer: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        """Send a long answer to this client, once it has read everything before.

        An address gets one long answer at a time, so that few of them are in memory.
        """
        await self.socket.connection.drained()
        async with _answer_locks.setdefault(self.network, Lock()):
            if not self._over:
                self.tell(await answer())

    async def tell_answer(self, answer: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        """Send an answer to this client alone."""
        self.tell(await answer())

    def spawn(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run work that takes long beside the queue of messages, and charge what it costs."""
        spawn(self.socket.account.run_beside(work))

    @contextlib.asynccontextmanager
    async def news_held(self) -> AsyncIterator[None]:
        """Hold frames of topics back while the block reads the store and sends what it holds.

        Otherwise a list that was read before a change but sent after it would undo the change in the client.
        """
        self._readings += 1
        self.write = self._held.append
        try:
            yield
        finally:
            self._readings -= 1
            if not self._readings:
                held, self._held = self._held, []
                self.write = self._send
                for frame in held:
                    self.write(frame)

    async def close_with(self, code: int, error: str, sentence: str) -> None:
        """Send the reason and end the feed. A socket that carries it alone closes."""
        self.tell({"type": "error", "code": error, "detail": self.in_words(sentence)})
        if self._prefix:
            self.tell({"type": "closed", "code": code})
        self.end()
        if not self._prefix:
            await self.socket.close(code)

    async def close(self, code: int) -> None:
        """Close the socket."""
        await self.socket.close(code)

    def in_words(self, sentence: str, **params: object) -> str:
        """Translate a sentence into the client's language."""
        return self.socket.in_words(sentence, **params)

    # What the socket calls

    @property
    def over(self) -> bool:
        """Whether the feed has ended."""
        return self._over

    async def begin(self) -> None:
        """Open the feed, and handle the messages that have arrived meanwhile."""
        try:
            if not self._over:
                await self.opened()
        except Exception as error:  # noqa: BLE001 - logged, and the feed ends
            # What a feed reads may be gone once it has ended.
            if not self._over:
                self._fail(error)
        else:
            if not self._over:
                self._messages.start()

    def put(self, text: str) -> None:
        """Handle a message once those before it are done. Raises `Overflow` if too many wait."""
        if not self._over:
            self._messages.put(text)

    def end(self) -> None:
        """Leave the topics, send nothing more, and ignore messages that still arrive."""
        if self._over:
            return
        self._over = True
        self._send = self.write = _dropped
        self._messages.clear()
        # The queue refers to methods of this feed: a reference cycle.
        del self._messages
        for topic in self._topics:
            hub.leave(topic, self)
        if self._topics:
            self.closed()
        self._topics = []

    def _send_named(self, frame: Frame) -> None:
        self.socket.connection.write(frame.named(self._prefix))

    def _act(self, text: str) -> Work | None:
        """Handle a message of the queue and charge what it costs, unless the feed has ended."""
        # Read now, not when the work runs: a client may send a move and leave.
        work = None if self._over else self.received(text)
        return None if work is None else self.socket.account.run(lambda: work)

    def _fail(self, error: Exception) -> None:
        """End the feed after an exception of a handler; log it unless the user was deleted meanwhile."""
        if isinstance(error, get_user_model().DoesNotExist):
            self.socket.sign_out()
            return
        about = {"person": self.user_id, "match": getattr(self, "match_id", None)}
        logger.error("a socket failed", exc_info=error, extra=about)
        sentence = gettext_noop("Something went wrong on our side.")
        spawn(self.close_with(CLOSE_FAULT, "internal-error", sentence))


class Socket(AsyncWebsocketConsumer):
    """A WebSocket that carries feeds: one, or those that the page asks for.

    On a socket with several feeds, each message begins with the name of its feed and a space.

    Args:
        feeds: by name, what it may carry, in the order in which they begin; by "" the only one.
    """

    user_id: int | None = None
    """The user of the session; None for anonymous users."""

    def __init__(self, feeds: Mapping[str, type[Feed]]) -> None:
        super().__init__()
        self._kinds = feeds
        self._feeds: dict[str, Feed] = {}
        # True once the close reason was sent; messages that still arrive are ignored.
        self._over = False
        self._closing = False
        # The concurrency limits that count this socket.
        self._places: list[tuple[Places, str]] = []
        # The key of the session, and the session auth hash at the time.
        self.session: str | None = None
        self.credentials = ""

    # What feeds call

    @property
    def user(self) -> Any:
        """The user when the socket was opened."""
        return cast(Any, self.scope)["user"]

    @property
    def about(self) -> dict[str, str]:
        """The arguments in the address."""
        about: dict[str, str] = cast(Any, self.scope)["url_route"]["kwargs"]
        return about

    async def close(self, code: int | bool | None = None, reason: str | None = None) -> None:
        """Close, once everything written was sent."""
        if not self._closing:
            self._closing = True
            await self.connection.flush()
            await super().close(code, reason)

    def end_with(self, code: int, error: str, sentence: str) -> None:
        """End all feeds, and close with a reason."""
        if not self._over:
            self._end_feeds()
            spawn(self.close_with(code, error, sentence))

    def in_words(self, sentence: str, **params: object) -> str:
        """Translate a sentence into the client's language."""
        with translation.override(self.language):
            return gettext(sentence) % params

    def sign_out(self, error: str = "signed-out") -> None:
        """The session has ended: send why, close, and ignore messages that still arrive.

        Args:
            error: a key of `SESSION_ENDED`.
        """
        self.end_with(CLOSE_SIGNED_OUT, error, SESSION_ENDED[error])

    # Channels

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection, in the task that the server started for it.

        Channels would start another task for each socket to listen to the channel layer (3 kB). Here the
        process listens once for all of them (`games.net.message_bus`).
        """
        self.scope, self.base_send = scope, send
        self.connection = connection_to(scope, send, self._take)
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                if message["type"] == "websocket.connect":
                    await self.websocket_connect(message)
                else:
                    await self.websocket_receive(message)
        finally:
            # Also after a cancellation or an exception, the hub must not keep the feeds.
            self._leave()

    async def connect(self) -> None:
        """Open the socket; called by Channels for each handshake."""
        try:
            await self._open()
        finally:
            self._release_slot()
            scope = cast(Any, self.scope)
            for key in HANDSHAKE_KEYS:
                # In place: each router has copied the scope, and the copies share these objects.
                scope.get(key, []).clear()

    def _release_slot(self) -> None:
        """Let the next socket open."""
        cast(Any, self.scope).get(RELEASE_SLOT_KEY, _no_slot)()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take a message, as text or as UTF-8; called by Channels."""
        self._take((bytes_data or b"").decode("utf-8", "replace") if text_data is None else text_data)

    async def _open(self) -> None:
        """Accept the connection, or refuse it with a reason."""
        self.user_id = cast(Any, self.scope)["user"].pk
        self.language = _language(cast(dict[str, Any], self.scope))
        client = cast(Any, self.scope).get("client")
        self.network = address_key(client[0] if client else "")
        now = time.monotonic()
        self._buckets = self._find_buckets(now)
        self.account = Account.of_socket(self.user_id, self.network)
        if hub.draining:
            # Before `accept`: the proxy gets a 503 and asks another server.
            await self.close(CLOSE_RESTART)
            return
        offered: list[str] = cast(Any, self.scope).get("subprotocols", [])
        # Browsers fail without a reason if the server selects none of the subprotocols they offered.
        await self.accept(PROTOCOL if PROTOCOL in offered else next(iter(offered), None))
        if offered and PROTOCOL not in offered:
            self._over = True
            sentence = gettext_noop("This server speaks another version of the protocol.")
            await self.close_with(CLOSE_UNKNOWN_VERSION, "unknown-version", sentence)
            return
        if not self._find_places():
            self._over = True
            sentence = gettext_noop("You have too many pages open. Close some first.")
            await self.close_with(CLOSE_TOO_MUCH, "too-many-sockets", sentence)
            return
        session = cast(Any, self.scope).get("session")
        if self.user_id is not None and session is not None:
            self.session, self.credentials = session.session_key, session.get(HASH_SESSION_KEY, "")
            sessions.opened(self)
        # Now, since messages for each may arrive before it has begun.
        feeds = [self._add(name) for name in self._asked()]
        if self.account.wait():
            self._release_slot()
        await self.account.run(partial(_begin, feeds))

    def _asked(self) -> list[str]:
        """The feeds that the address asks for, in the order in which they begin."""
        asked = _query(self.scope).get(FEEDS, [""])[0].split()
        return [name for name in self._kinds if name in ("", *asked)]

    def _add(self, name: str) -> Feed:
        feed = self._feeds[name] = self._kinds[name](self, name)
        return feed

    def _take(self, text: str) -> None:
        """Count a text message against the limits and give it to its feed."""
        if self._over:
            return
        activity.note()
        try:
            if self._within_limits(time.monotonic()):
                self._pass_on(text)
                return
        except Overflow:
            pass
        self.end_with(CLOSE_TOO_MUCH, "too-fast", gettext_noop("Too many messages at once."))

    def _pass_on(self, text: str) -> None:
        name, _, rest = ("", "", text) if "" in self._kinds else text.partition(" ")
        if name in self._feeds:
            self._feeds[name].put(rest)
        elif name == OPEN and rest in self._kinds:
            if rest not in self._feeds or self._feeds[rest].over:
                spawn(self.account.run(self._add(rest).begin))
        else:
            sentence = gettext_noop("The server does not understand this request.")
            self.end_with(CLOSE_MALFORMED, "malformed", sentence)

    async def close_with(self, code: int, error: str, sentence: str) -> None:
        """Send the reason, since browsers do not show close reasons, and close."""
        self.connection.write(Frame.of({"type": "error", "code": error, "detail": self.in_words(sentence)}))
        await self.close(code)

    def _end_feeds(self) -> None:
        self._over = True
        for feed in self._feeds.values():
            feed.end()

    def _leave(self) -> None:
        sessions.closed(self)
        places, self._places = self._places, []
        for counted, key in places:
            counted.give_back(key)
        self._end_feeds()
        # Each feed refers to this socket: a reference cycle.
        self._feeds.clear()
        self.connection.end()

    def _find_places(self) -> bool:
        """Count this socket for its user and its address. False if one of them has too many."""
        wanted = [(_open_of_address, self.network)]
        if self.user_id is not None:
            wanted.append((_open_of_person, str(self.user_id)))
        for counted, key in wanted:
            if not counted.take(key):
                return False
            self._places.append((counted, key))
        return True

    def _find_buckets(self, now: float) -> list[Bucket]:
        """The buckets that count every message: of the socket, the user and the address."""
        buckets = [
            Bucket.full(settings.SOCKET_RATE, settings.SOCKET_RATE * 5, now),
            _per_address.of(self.network, now),
        ]
        if self.user_id is not None:
            buckets.insert(1, _per_user.of(str(self.user_id), now))
        return buckets

    def _within_limits(self, now: float) -> bool:
        for bucket in self._buckets:  # noqa: SIM110 - `all` costs as much as the buckets
            if not bucket.take(now):
                return False
        return True


def carrying(feed: type[Feed] | None = None, **feeds: type[Feed]) -> Any:
    """The ASGI application of sockets that carry one feed, or those of several that a page asks for."""
    return Socket.as_asgi(feeds=feeds if feed is None else {"": feed})


async def _begin(feeds: list[Feed]) -> None:
    for feed in feeds:
        await feed.begin()


def _dropped(_frame: Frame) -> None:
    """Writes nothing: the feed has ended."""


def _no_slot() -> None:
    """The default callback, where no admission slot is held."""


def _language(scope: dict[str, Any]) -> str:
    """The language given in the URL by the page, or the one that a page would be rendered in."""
    return language_of(
        _query(scope).get(PARAMETER, [""])[0],
        scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME, ""),
        getattr(scope["user"], "language", ""),
        dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"),
    )


def _query(scope: Any) -> dict[str, list[str]]:
    return parse_qs(scope.get("query_string", b"").decode("latin-1"))
