"""The base class of all WebSocket consumers: open, queue messages, limit, write, close with a reason."""

from __future__ import annotations

import contextlib
import logging
import time
from asyncio import Lock
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, cast
from urllib.parse import parse_qs
from weakref import WeakValueDictionary

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
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


class Socket(AsyncWebsocketConsumer):
    """A socket that gets messages through the hub and may send requests.

    Subclasses implement `opened`, `received` and, if they hold state, `closed`.
    """

    seat: Seat | None = None
    user_id: int | None = None
    """The user of the session; None for anonymous users."""
    write: Callable[[Frame], None]
    """Writes a frame of a topic to the client."""

    def __init__(self) -> None:
        super().__init__()
        self._topics: list[str] = []
        # True once the close reason was sent; messages that still arrive are ignored.
        self._over = False
        self._messages = MessageQueue(self._act, spawn, self._fail)
        # The concurrency limits that count this socket.
        self._places: list[tuple[Places, str]] = []
        # Frames held back while the store is read; see `news_held`.
        self._readings = 0
        self._held: list[Frame] = []
        # The key of the session, and the session auth hash at the time.
        self.session: str | None = None
        self.credentials = ""

    async def opened(self) -> None:
        """Called when the socket is open: join topics, send the first message."""

    def received(self, text: str) -> Work | None:
        """Handle a text message within the limits. Returns the work left to do, None if there is none."""

    def closed(self) -> None:
        """Called when the socket is gone, if it had joined a topic."""

    async def resync(self) -> None:
        """Resync: messages of other processes may have been lost (`games.net.message_bus`).

        Matches and lists are numbered and notice gaps anyway. Subclasses send again what has no number.
        """

    # What subclasses call

    @property
    def name(self) -> str:
        """The name of the signed-in user when the socket was opened."""
        name: str = cast(Any, self.scope)["user"].get_username()
        return name

    def join(self, topic: str) -> None:
        """Subscribe to a topic until the socket closes. Joining twice has no effect."""
        if topic not in self._topics and not self._over:
            self._topics.append(topic)
            hub.join(topic, self)

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to this socket alone."""
        frame = Frame.of(message)
        sent(len(frame.payload))
        self._connection.write(frame)

    async def tell_costly(self, answer: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        """Send a long answer to this socket, once the client has read everything before.

        An address gets one long answer at a time, so that few of them are in memory.
        """
        await self._connection.drained()
        async with _answer_locks.setdefault(self.network, Lock()):
            if not self._over:
                self.tell(await answer())

    async def tell_answer(self, answer: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        """Send an answer to this socket alone."""
        self.tell(await answer())

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
                self.write = self._connection.write
                for frame in held:
                    self.write(frame)

    async def close_with(self, code: int, error: str, sentence: str) -> None:
        """Send the reason as a last message, since browsers do not show close reasons, and close."""
        self.tell({"type": "error", "code": error, "detail": self.in_words(sentence)})
        await self.close(code)

    async def close(self, code: int | bool | None = None, reason: str | None = None) -> None:
        """Close, once everything written was sent."""
        await self._connection.flush()
        await super().close(code, reason)

    def in_words(self, sentence: str, **params: object) -> str:
        """Translate a sentence into the client's language."""
        with translation.override(self._language):
            return gettext(sentence) % params

    def sign_out(self, error: str = "signed-out") -> None:
        """The session has ended: send why, close, and ignore messages that still arrive.

        Args:
            error: a key of `SESSION_ENDED`.
        """
        if not self._over:
            self._over = True
            self._leave_topics()
            spawn(self.close_with(CLOSE_SIGNED_OUT, error, SESSION_ENDED[error]))

    # Channels

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection, in the task that the server started for it.

        Channels would start another task for each socket to listen to the channel layer (3 kB). Here the
        process listens once for all of them (`games.net.message_bus`).
        """
        self.scope, self.base_send = scope, send
        self._connection = connection_to(scope, send, self._take)
        self.write = self._connection.write
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                if message["type"] == "websocket.connect":
                    await self.websocket_connect(message)
                else:
                    await self.websocket_receive(message)
        finally:
            # Also after a cancellation or an exception, the hub must not keep the socket.
            self._leave()
            # The queue refers to methods of this socket: a reference cycle.
            del self._messages

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
        self._language = _language(cast(dict[str, Any], self.scope))
        client = cast(Any, self.scope).get("client")
        self.network = address_key(client[0] if client else "")
        now = time.monotonic()
        self._buckets = self._find_buckets(now)
        self._account = Account.of_socket(self.user_id, self.network)
        if hub.draining:
            # Before `accept`: the proxy gets a 503 and asks another server.
            await self.close(CLOSE_RESTART)
            return
        offered: list[str] = cast(Any, self.scope).get("subprotocols", [])
        spoken = not offered or PROTOCOL in offered
        # Browsers fail without a reason if the server selects none of the subprotocols they offered.
        await self.accept(PROTOCOL if PROTOCOL in offered else next(iter(offered), None))
        if not spoken:
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
        if self._account.wait():
            self._release_slot()
        await self._account.run(self._opened)
        self._messages.start()

    async def _opened(self) -> None:
        if not self._over:
            await self.opened()

    def _take(self, text: str) -> None:
        """Count a text message against the limits and queue it."""
        if self._over:
            return
        activity.note()
        try:
            if self._within_limits(time.monotonic()):
                self._messages.put(text)
                return
        except Overflow:
            pass
        self._over = True
        self._messages.clear()
        sentence = gettext_noop("Too many messages at once.")
        spawn(self.close_with(CLOSE_TOO_MUCH, "too-fast", sentence))

    def _act(self, text: str) -> Work | None:
        """Handle a message of the queue and charge what it costs, unless the socket is closing."""
        # Read now, not when the work runs: a client may send a move and leave.
        work = None if self._over else self.received(text)
        return None if work is None else self._account.run(lambda: work)

    def spawn(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run work that takes long beside the queue of messages, and charge what it costs."""
        spawn(self._account.run_beside(work))

    def _fail(self, error: Exception) -> None:
        """Log an unexpected exception of a handler, and close."""
        about = {"person": self.user_id, "match": getattr(self, "match_id", None)}
        logger.error("a socket failed", exc_info=error, extra=about)
        self._over = True
        self._leave_topics()
        spawn(
            self.close_with(CLOSE_FAULT, "internal-error", gettext_noop("Something went wrong on our side."))
        )

    def _leave(self) -> None:
        self._over = True
        sessions.closed(self)
        places, self._places = self._places, []
        for counted, key in places:
            counted.give_back(key)
        self._leave_topics()
        self._connection.end()

    def _leave_topics(self) -> None:
        topics, self._topics = self._topics, []
        for topic in topics:
            hub.leave(topic, self)
        if topics:
            self.closed()

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


def _no_slot() -> None:
    """The default callback, where no admission slot is held."""


def _language(scope: dict[str, Any]) -> str:
    """The language given in the URL by the page, or the one that a page would be rendered in."""
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    return language_of(
        query.get(PARAMETER, [""])[0],
        scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME, ""),
        getattr(scope["user"], "language", ""),
        dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"),
    )
