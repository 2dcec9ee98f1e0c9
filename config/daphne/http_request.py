"""HTTP requests: what is refused before its body is read, and the deadline of the answer.

daphne reads a body to its end before it tells the application of the request.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from http.client import responses
from typing import Any

from daphne.http_protocol import WebRequest
from daphne.ws_protocol import WebSocketProtocol
from twisted.web.http import HTTPChannel

from config.in_flight import MAX_BODY_BYTES, REFUSED, RETRY_AFTER, in_flight, places_for
from config.trusted_headers import client_address
from games.net.limits import address_key

LINGER_SECONDS = 5
"""How long a refused client may go on sending before its connection is cut."""


def _response(status: bytes, text: bytes, *headers: bytes) -> bytes:
    """A whole HTTP response that ends the connection."""
    lines = (b"Content-Type: text/plain; charset=utf-8", b"Content-Length: %d" % len(text), *headers)
    return b"HTTP/1.1 %s\r\n%s\r\nConnection: close\r\n\r\n%s" % (status, b"\r\n".join(lines), text)


BAD_BODY = _response(b"400 Bad Request", b"This request may not have such a body.\n")
TOO_LARGE = _response(
    b"413 Content Too Large", b"This request is too large: its body may have %d bytes.\n" % MAX_BODY_BYTES
)
TOO_MANY_REQUESTS = _response(b"429 Too Many Requests", REFUSED, b"Retry-After: %s" % RETRY_AFTER)


class Request(WebRequest):  # type: ignore[misc]
    """One request and its response."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._refused = False
        self._places = ExitStack()
        self._body_bytes = 0
        # Django parses forms. Twisted would parse them too, in the event loop.
        super().__init__(*arguments, parsePOSTFormSubmission=False, **options)

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        """The headers are complete: a body of this length follows, in chunks if it is None."""
        refusal = self._refusal(length)
        if refusal:
            self._refuse(refusal)
        else:
            super().gotLength(length)

    def _refusal(self, length: int | None) -> bytes:
        """The response to a request whose body is not read; b"" if it is."""
        codings = self.requestHeaders.getRawHeaders(b"Transfer-Encoding", [])
        if any(coding.strip().lower() != b"chunked" for coding in codings):
            # Twisted ignores `identity`, so a proxy could see another end of the body (request smuggling).
            return BAD_BODY
        upgrade = self.requestHeaders.getRawHeaders(b"Upgrade", [b""])[0]
        if length != 0 and upgrade.lower() == b"websocket":
            # autobahn would take the body for frames that arrived before the WebSocket is open.
            return BAD_BODY
        if length is not None and length > MAX_BODY_BYTES:
            return TOO_LARGE
        return b"" if length == 0 or self._take_places(length) else TOO_MANY_REQUESTS

    def _take_places(self, length: int | None) -> bool:
        """Count this request while its body arrives; then the application does."""
        forwarded_for = self.requestHeaders.getRawHeaders(b"X-Forwarded-For", [])
        peer = getattr(self.channel.transport.getPeer(), "host", "")
        address, places = address_key(client_address(forwarded_for, peer)), places_for(length)
        if not in_flight.take(address, places):
            return False
        self._places.callback(in_flight.give_back, address, places)
        return True

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        """Keep a part of the body, unless the body is refused."""
        self._body_bytes += len(data)
        if not self._refused and self._body_bytes > MAX_BODY_BYTES:
            self._refuse(TOO_LARGE)
        if not self._refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        """The body is complete."""
        self._places.close()
        if not self._refused:
            super().requestReceived(command, path, version)

    def process(self) -> Any:
        """Handle the request: as HTTP, or as the handshake of a WebSocket, which does not keep it."""
        channel = self.channel
        # daphne would take the site's root path from it, and fails at bytes that are no ASCII.
        self.requestHeaders.removeHeader(b"Daphne-Root-Path")
        result = super().process()
        transport = channel.transport
        if isinstance(transport.protocol, WebSocketProtocol):
            # The channel is the producer of the transport, and the two would keep each other.
            transport.unregisterProducer()
            channel.requests.clear()
        return result

    def _refuse(self, response: bytes) -> None:
        """Respond now, and discard what follows.

        If a connection is closed while the client still sends, the client never reads the response.
        """
        self._refused = True
        # Otherwise Twisted would answer 100 Continue.
        self.requestHeaders.removeHeader(b"Expect")
        transport = self.channel.transport
        transport.write(response)
        transport.loseWriteConnection()
        asyncio.get_event_loop().call_later(LINGER_SECONDS, transport.abortConnection)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        """Give the request's places back."""
        self._places.close()
        super().connectionLost(reason)

    def setResponseCode(self, code: int, message: bytes | None = None) -> None:  # noqa: N802
        """Set the status and its phrase. Twisted has none for 422 and 429."""
        super().setResponseCode(code, message or responses.get(code, "").encode() or None)

    def check_timeouts(self) -> None:
        """End a response that has not begun in time. daphne would also end one that is under way."""
        if not self.startedWriting:
            super().check_timeouts()


class Channel(HTTPChannel):
    """One HTTP connection."""

    def connectionMade(self) -> None:  # noqa: N802 - Twisted's name
        """Use our `Request`; called by Twisted for each new connection."""
        # daphne sets its own class once it has built the channel.
        self.requestFactory = Request
        super().connectionMade()  # type: ignore[no-untyped-call]
