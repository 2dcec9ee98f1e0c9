"""Requests as daphne takes them, but for what it believes too readily, and answers that take long.

daphne lets any client say below which address the site is (`Daphne-Root-Path`), takes the first of several
addresses for the visitor's, which is what the visitor said, and reads a body to its end before anybody asks
how long it is. None of this happens here: docs/security.md has what is believed.

As it comes, daphne ends every answer that is not complete after its timeout, and keeps in memory whatever a
client does not read. Here the timeout is for the answer to begin; from then on the application waits while
the client reads, and a client that reads nothing for as long is let go.

Importing this installs Twisted's reactor.
"""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import suppress
from functools import partial
from http.client import responses
from ipaddress import ip_address
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.server import Server
from django.conf import settings
from twisted.web.http import _MalformedChunkedDataError

from config.door.connections import IDLE_SECONDS, LINGERING, Channel, refusal
from config.reading import ReadingProtocol
from games.net.limits import Places

READ_SECONDS = 30
"""How long a client may read nothing of what waits for it."""
BODY_BYTES = 3 * 1024 * 1024
"""The largest body of a request; docs/hosting.md has a proxy refuse the same."""
PIECE_BYTES = 256
"""How much a piece of a body has at least, if it comes in many: each costs time of its own."""
FEW_PIECES = 1000
"""Of so many nobody asks how small they are."""
LINGER_SECONDS = 5
"""How long a client that was refused may go on sending, for nobody, before its connection is cut."""

TOO_LARGE = refusal(
    b"413 Content Too Large", b"This request is too large: its body may have %d bytes.\n" % BODY_BYTES
)

VISITOR = b"X-Forwarded-For"
OF_PROXIES = (VISITOR, b"X-Forwarded-Port", b"X-Forwarded-Proto")
"""What a proxy says of a visitor, if the settings say that there is one."""


class Reader:
    """Whether the other end takes what it is sent: a producer, as Twisted's transports tell them."""

    def __init__(self) -> None:
        self.waiting_since: float | None = None
        self._reads = asyncio.Event()
        self._reads.set()

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        """The buffer is full."""
        self.waiting_since = time.monotonic()
        self._reads.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        """The buffer is empty."""
        self.waiting_since = None
        self._reads.set()

    stopProducing = resumeProducing  # noqa: N815 - whoever waits finds out by themselves

    async def reads(self) -> None:
        """Return once there is room again, or nobody left to read."""
        await self._reads.wait()

    def is_gone(self) -> bool:
        """Whether nothing was read for too long."""
        return self.waiting_since is not None and time.monotonic() - self.waiting_since > READ_SECONDS


class Request(WebRequest):  # type: ignore[misc]
    """One request and its answer."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.reader = Reader()
        self._refused = False
        self._comes_in_pieces = False
        self._pieces = self._in_pieces = 0
        # Forms are Django's to read; Twisted would do it too, for nobody, while everybody waits.
        super().__init__(*arguments, parsePOSTFormSubmission=False, **options)

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        """The headers are complete: a body of this length follows, of any length if it is None."""
        self._comes_in_pieces = length is None
        if length is not None and length > BODY_BYTES:
            self._refuse_body()
        else:
            super().gotLength(length)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        """Keep a part of the body, unless there is too much of it, or too little in each."""
        if self._comes_in_pieces:
            self._count_piece(len(data))
        if not self._refused and self.content.tell() + len(data) > BODY_BYTES:
            self._refuse_body()
        if not self._refused:
            super().handleContentChunk(data)

    def _count_piece(self, size: int) -> None:
        self._pieces += 1
        self._in_pieces += size
        if self._pieces > FEW_PIECES + self._in_pieces / PIECE_BYTES:
            # Twisted's own way to end it; all that has come already would be cut into pieces otherwise.
            raise _MalformedChunkedDataError("too many pieces")

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        """The body is complete."""
        if not self._refused:
            super().requestReceived(command, path, version)

    def _refuse_body(self) -> None:
        """Answer now, and read on without keeping anything.

        A connection that is closed while the client still sends takes the answer from it.
        """
        self._refused = True
        # Otherwise the client would be told to go on.
        self.requestHeaders.removeHeader(b"Expect")
        transport = self.channel.transport
        transport.write(TOO_LARGE)
        transport.loseWriteConnection()
        self.channel.callLater(LINGER_SECONDS, transport.abortConnection)

    def process(self) -> Any:
        """Take the request up, as a page or as a socket."""
        self.requestHeaders.removeHeader(b"Daphne-Root-Path")
        self._believe_the_proxy_alone()
        channel = self.channel
        if self._asks_for_socket() and self.content.read(1):
            # autobahn would take it for what came over the socket, all at once and before it is open.
            channel.persistent = False
            self.basic_error(400, b"Bad Request", "A socket begins without a body")
            return None
        answer = super().process()
        became = channel.transport.protocol
        if isinstance(became, ReadingProtocol):
            became.leave = channel.leave
            # Otherwise the transport would keep what asked for the socket for as long as that is open, and a
            # request and its connection, which know each other, would wait for the search for garbage.
            became.transport.unregisterProducer()
            channel.requests.clear()
        return answer

    def _asks_for_socket(self) -> bool:
        upgrades = self.requestHeaders.getRawHeaders(b"Upgrade") or [b""]
        return bool(upgrades[0].lower() == b"websocket")

    def _believe_the_proxy_alone(self) -> None:
        """Keep what the proxy in front of us says, which is the last of what several have said."""
        for name in OF_PROXIES:
            values = self.requestHeaders.getRawHeaders(name)
            self.requestHeaders.removeHeader(name)
            last = values[-1].rpartition(b",")[2].strip() if values else b""
            if settings.BEHIND_PROXY and (name != VISITOR or _is_address(last)):
                self.requestHeaders.setRawHeaders(name, [last])

    def setResponseCode(self, code: int, message: bytes | None = None) -> None:  # noqa: N802
        """The status with its phrase: Twisted has none for 422 or 429 and calls them unknown."""
        super().setResponseCode(code, message or responses.get(code, "").encode() or None)

    def handle_reply(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start" and self.channel is not None and self.producer is None:
            self.registerProducer(self.reader, streaming=True)
            _notice_the_dead(self.channel.transport)
        super().handle_reply(message)

    def finish(self) -> None:
        if self.producer is not None:
            self.unregisterProducer()
        super().finish()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802 - Twisted's name
        self.reader.resumeProducing()
        super().connectionLost(reason)

    def check_timeouts(self) -> None:
        if not self._response_started:
            super().check_timeouts()
        elif self.reader.is_gone() and self.channel is not None:
            self.channel.forceAbortClient()


class Factory(HTTPFactory):  # type: ignore[misc]
    """Makes connections and counts them: all, and those of each address, which behind a proxy is its task."""

    protocol = Channel

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.timeOut = IDLE_SECONDS
        self.places = Places(0 if settings.BEHIND_PROXY else settings.CONNECTIONS_PER_ADDRESS)
        self.places_of_all = Places(settings.CONNECTIONS)
        self.lingering = Places(LINGERING)

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802 - Twisted's name
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol


class Told:
    """What the application of a socket is told next. asyncio's own queue takes three kilobytes when empty."""

    __slots__ = ("_messages", "_waiter")

    def __init__(self) -> None:
        self._messages: list[dict[str, Any]] = []
        self._waiter: asyncio.Future[None] | None = None

    def put_nowait(self, message: dict[str, Any]) -> None:
        """Tell it."""
        self._messages.append(message)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def get(self) -> dict[str, Any]:
        """Wait for it; one at a time."""
        while not self._messages:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._messages.pop(0)


class PatientServer(Server):  # type: ignore[misc]
    """daphne's server with the requests above, and with sockets that linger."""

    @property
    def http_factory(self) -> Factory:
        """What makes requests."""
        return self._http_factory

    @http_factory.setter
    def http_factory(self, _made_by_daphne: HTTPFactory) -> None:
        self._http_factory = Factory(self)

    @property
    def ws_factory(self) -> Any:
        """What makes sockets."""
        return self._ws_factory

    @ws_factory.setter
    def ws_factory(self, made_by_daphne: Any) -> None:
        made_by_daphne.protocol = ReadingProtocol
        self._ws_factory = made_by_daphne

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Begin the application of a request or, with less memory, of a socket."""
        if scope["type"] != "websocket":
            return super().create_application(protocol, scope)
        told = Told()
        scope["asgi"] = {"version": "3.0"}
        working = self.application(scope=scope, receive=told.get, send=partial(self.handle_reply, protocol))
        self.connections[protocol]["application_instance"] = asyncio.ensure_future(working)
        return told

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        await super().handle_reply(protocol, message)
        if isinstance(protocol, Request):
            await protocol.reader.reads()


def _is_address(said: bytes) -> bool:
    with suppress(ValueError):
        return bool(ip_address(said.decode("latin-1")))
    return False


def _notice_the_dead(transport: Any) -> None:
    """Have the kernel give up a peer that acknowledges nothing; streams say something every ten seconds."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        handle = transport.getHandle()
        if handle.family in (socket.AF_INET, socket.AF_INET6):
            handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, READ_SECONDS * 1000)
