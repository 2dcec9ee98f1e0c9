"""HTTP connections: limits for each address and in all, and deadlines for requests.

Twisted waits a minute for the next byte, again and again, so a client that sends one byte a minute keeps its
connection for ever. Here a request has a deadline (slowloris protection).

Importing this module does not install Twisted's reactor.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from twisted.web import http

from games.net.limits import Places, address_key

HTTPChannel: Any = http.HTTPChannel

HEAD_SECONDS = 15
"""Time for the headers, from the first byte or from the start of the connection."""
BODY_SECONDS = 60
"""Time for the body, from the end of the headers: the largest one over a slow phone."""
IDLE_SECONDS = 30
"""How long a connection is kept alive for the next request."""
LINGER_SECONDS = 3.0
"""How long a refused connection is read and discarded. A reset would discard the response."""
LINGER_BYTES = 64 * 1024
"""How much of it is discarded: more than the longest headers."""
MAX_LINGERING = 32
"""How many refused connections may linger at once; more are closed at once."""


def plain_response(status: bytes, text: bytes, *headers: bytes) -> bytes:
    """A whole HTTP response, for connections refused before there is a request. It ends the connection.

    Args:
        status: code and phrase, as in `b"408 Request Timeout"`.
        text: the body.
        headers: more header lines, without line ends.
    """
    return (
        b"HTTP/1.1 %s\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\n"
        b"Content-Length: %d\r\n"
        b"%s"
        b"Connection: close\r\n\r\n%s"
    ) % (status, len(text), b"".join(b"%s\r\n" % header for header in headers), text)


REQUEST_TIMEOUT = plain_response(b"408 Request Timeout", b"This request took too long to come.\n")
TOO_MANY_CONNECTIONS = plain_response(
    b"429 Too Many Requests", b"This address has too many connections open.\n", b"Retry-After: 5"
)
SERVER_FULL = plain_response(
    b"503 Service Unavailable",
    b"There is no room for more connections just now. Please try again in a moment.\n",
    b"Retry-After: 5",
)
ALL = "all"
"""The key under which connections of all addresses are counted."""


class ConnectionLimits:
    """Counts of connections: for each address, in all, and refused ones that linger.

    Behind a proxy all connections come from its address, so the proxy has to limit each visitor's.
    """

    def __init__(self) -> None:
        self.per_address = Places(0 if settings.BEHIND_PROXY else settings.CONNECTIONS_PER_ADDRESS)
        self.total = Places(settings.CONNECTIONS)
        self.lingering = Places(MAX_LINGERING)


class LimitedHttpChannel(HTTPChannel):  # type: ignore[misc]
    """One connection, until it becomes a WebSocket.

    Its factory has `limits` (`ConnectionLimits`) and `request_class`.

    Attributes:
        release: frees the slot of this connection.
    """

    _deadline: Any = None
    _lingers = False
    _discarded = 0

    def __init__(self) -> None:
        super().__init__()
        self.release: Callable[[], None] = _nothing

    def connectionMade(self) -> None:  # noqa: N802 - Twisted's name
        # daphne sets its own class once it has built the channel.
        self.requestFactory = self.factory.request_class
        super().connectionMade()
        refusal = self._acquire_slot(address_key(self.transport.getPeer().host))
        if refusal:
            self._refuse(refusal)
        else:
            self._set_deadline(HEAD_SECONDS)

    def _acquire_slot(self, address: str) -> bytes:
        """Count this connection until `release`. Returns the response if there is no free slot."""
        limits = self.factory.limits
        if not limits.per_address.take(address):
            return TOO_MANY_CONNECTIONS
        if not limits.total.take(ALL):
            limits.per_address.give_back(address)
            return SERVER_FULL

        def release() -> None:
            limits.per_address.give_back(address)
            limits.total.give_back(ALL)

        self.release = release
        return b""

    def _refuse(self, response: bytes) -> None:
        """Send the response, and let the client read it before the connection ends."""
        self.transport.write(response)
        lingering = self.factory.limits.lingering
        if not lingering.take(ALL):
            self.loseConnection()
            return
        self.release = partial(lingering.give_back, ALL)
        self._lingers = True
        self.setTimeout(None)
        self.transport.loseWriteConnection()
        self._deadline = self.callLater(LINGER_SECONDS, self._end_linger)

    def _end_linger(self) -> None:
        self._deadline = None
        self.loseConnection()
        # `loseConnection` waits for ever while the client does not take the response.
        self.transport.abortConnection()

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        if self._lingers:
            self._discarded += len(data)
            if self._discarded > LINGER_BYTES:
                self.transport.abortConnection()
            return
        if not self.requests and self._deadline is None:
            self._set_deadline(HEAD_SECONDS)
        super().dataReceived(data)

    def headerReceived(self, line: bytes) -> bool:  # noqa: N802
        """Take a header line, unless a proxy could see another end of the body (request smuggling).

        Twisted ignores the coding `identity`, even beside a length or `chunked`.
        """
        name, _, value = line.partition(b":")
        if name.lower() == b"transfer-encoding" and value.strip(b" \t").lower() != b"chunked":
            self._respondToBadRequestAndDisconnect()
            return False
        return bool(super().headerReceived(line))

    def allHeadersReceived(self) -> None:  # noqa: N802
        self._set_deadline(BODY_SECONDS)
        super().allHeadersReceived()

    def allContentReceived(self) -> None:  # noqa: N802
        self._cancel_deadline()
        super().allContentReceived()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        self._cancel_deadline()
        self.release()
        super().connectionLost(reason)

    def _set_deadline(self, seconds: float) -> None:
        self._cancel_deadline()
        self._deadline = self.callLater(seconds, self._time_out)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _time_out(self) -> None:
        self._deadline = None
        self.transport.write(REQUEST_TIMEOUT)
        self.timeoutConnection()


def _nothing() -> None:
    """This connection has no slot."""
