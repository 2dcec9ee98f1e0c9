"""HTTP requests: body limit and slow readers.

daphne reads a body to its end before it checks its length. It also ends every response that is not complete
in time, and buffers what a client does not read. Here the deadline is for the response to begin. From then on
the application waits while the client reads, and a client that reads nothing for `READ_SECONDS` is
disconnected.
"""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import ExitStack
from http.client import responses
from typing import Any

from daphne.http_protocol import WebRequest
from twisted.web.http import _MalformedChunkedDataError

from config.daphne.http_channel import plain_response
from config.daphne.websocket_protocol import LimitedWebSocketProtocol
from config.in_flight import MAX_BODY_BYTES, REFUSED, RETRY_AFTER, in_flight, places_for
from config.trusted_headers import client_address
from games.net.limits import address_key

READ_SECONDS = 30
"""How long a client may read nothing while data waits for it."""
MIN_CHUNK_BYTES = 256
"""The least average size of a body's chunks, since each costs processor time."""
FREE_CHUNKS = 1000
"""How many chunks may be smaller."""
LINGER_SECONDS = 5
"""How long a refused client may go on sending before its connection is cut."""

TOO_LARGE = plain_response(
    b"413 Content Too Large", b"This request is too large: its body may have %d bytes.\n" % MAX_BODY_BYTES
)
TOO_MANY_REQUESTS = plain_response(b"429 Too Many Requests", REFUSED, b"Retry-After: %s" % RETRY_AFTER)


class FlowControl:
    """Whether the client reads: a push producer, as Twisted's transports control them."""

    def __init__(self) -> None:
        self._paused_at: float | None = None
        self._resumed = asyncio.Event()
        self._resumed.set()

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        """The buffer is full."""
        self._paused_at = time.monotonic()
        self._resumed.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        """The buffer is empty."""
        self._paused_at = None
        self._resumed.set()

    stopProducing = resumeProducing  # noqa: N815 - what waits finds out that the connection is gone

    async def drain(self) -> None:
        """Return once there is room in the buffer, or the connection is gone."""
        await self._resumed.wait()

    def is_stalled(self) -> bool:
        """Whether the client has read nothing for too long."""
        return self._paused_at is not None and time.monotonic() - self._paused_at > READ_SECONDS


class Request(WebRequest):  # type: ignore[misc]
    """One request and its response."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.flow_control = FlowControl()
        self._refused = False
        self._is_chunked = False
        self._places = ExitStack()
        self._chunks = self._chunk_bytes = 0
        # Django parses forms. Twisted would parse them too, in the event loop.
        super().__init__(*arguments, parsePOSTFormSubmission=False, **options)

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        """The headers are complete: a body of this length follows, in chunks if it is None."""
        self._is_chunked = length is None
        if length is not None and length > MAX_BODY_BYTES:
            self._refuse_body(TOO_LARGE)
        elif length != 0 and not self._take_places(length):
            self._refuse_body(TOO_MANY_REQUESTS)
        else:
            super().gotLength(length)

    def _take_places(self, length: int | None) -> bool:
        """Count this request while its body arrives; then the application does."""
        forwarded_for = self.requestHeaders.getRawHeaders(b"X-Forwarded-For", [])
        peer = getattr(self.channel.transport.getPeer(), "host", "")
        address = address_key(client_address(forwarded_for, peer))
        places = places_for(length)
        if not in_flight.take(address, places):
            return False
        self._places.callback(in_flight.give_back, address, places)
        return True

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        """Keep a part of the body, unless it is too large or its chunks are too small."""
        if self._is_chunked:
            self._count_chunk(len(data))
        if not self._refused and self.content.tell() + len(data) > MAX_BODY_BYTES:
            self._refuse_body(TOO_LARGE)
        if not self._refused:
            super().handleContentChunk(data)

    def _count_chunk(self, size: int) -> None:
        self._chunks += 1
        self._chunk_bytes += size
        if self._chunks > FREE_CHUNKS + self._chunk_bytes / MIN_CHUNK_BYTES:
            # The only way to stop Twisted from parsing the rest of what has arrived.
            raise _MalformedChunkedDataError("too many chunks")

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        """The body is complete."""
        self._places.close()
        if not self._refused:
            super().requestReceived(command, path, version)

    def _refuse_body(self, response: bytes) -> None:
        """Respond now, and discard the rest of the body.

        If a connection is closed while the client still sends, the client never reads the response.
        """
        self._refused = True
        # Otherwise Twisted would answer 100 Continue.
        self.requestHeaders.removeHeader(b"Expect")
        transport = self.channel.transport
        transport.write(response)
        transport.loseWriteConnection()
        self.channel.callLater(LINGER_SECONDS, transport.abortConnection)

    def process(self) -> Any:
        """Handle the request: as HTTP, or as the handshake of a WebSocket."""
        channel = self.channel
        if self._is_handshake() and self.content.read(1):
            # autobahn would take the body for frames that arrived before the WebSocket is open.
            channel.persistent = False
            self.basic_error(400, b"Bad Request", "A socket begins without a body")
            return None
        result = super().process()
        protocol = channel.transport.protocol
        if isinstance(protocol, LimitedWebSocketProtocol):
            protocol.release = channel.release
        return result

    def _is_handshake(self) -> bool:
        upgrades = self.requestHeaders.getRawHeaders(b"Upgrade") or [b""]
        return bool(upgrades[0].lower() == b"websocket")

    def setResponseCode(self, code: int, message: bytes | None = None) -> None:  # noqa: N802
        """Set the status and its phrase. Twisted has none for 422 and 429."""
        super().setResponseCode(code, message or responses.get(code, "").encode() or None)

    def handle_reply(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start" and self.channel is not None and self.producer is None:
            self.registerProducer(self.flow_control, streaming=True)
            _set_user_timeout(self.channel.transport)
        super().handle_reply(message)

    def finish(self) -> None:
        if self.producer is not None:
            self.unregisterProducer()
        super().finish()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802 - Twisted's name
        self.flow_control.resumeProducing()
        self._places.close()
        super().connectionLost(reason)

    def check_timeouts(self) -> None:
        if not self._response_started:
            super().check_timeouts()
        elif self.flow_control.is_stalled() and self.channel is not None:
            self.channel.forceAbortClient()


def _set_user_timeout(transport: Any) -> None:
    """Have the kernel drop a peer that acknowledges nothing. Streams send something every ten seconds."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        handle = transport.getHandle()
        if handle.family in (socket.AF_INET, socket.AF_INET6):
            handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, READ_SECONDS * 1000)
