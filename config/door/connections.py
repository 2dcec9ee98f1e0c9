"""Connections until a request is complete: how many there may be, of an address and in all, and for how long.

Twisted waits a minute for the next byte, again and again, so that whoever sends one a minute keeps a
connection for ever, and enough of them keep everybody else out. Here a request has a time by which it is
complete.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from twisted.web import http

from games.net.limits import network

HTTPChannel: Any = http.HTTPChannel

HEAD_SECONDS = 15
"""How long a request may take from its first byte, or from the connection, until its headers are complete."""
BODY_SECONDS = 60
"""How long its body may take from then on: the largest one over a slow phone."""
IDLE_SECONDS = 30
"""How long a connection that has been answered is kept for the next request."""
LINGER_SECONDS = 3.0
"""How long one that has no place is read, for nobody: a reset would take the answer from its other end."""
LINGER_BYTES = 64 * 1024
"""How much of it is read: more than the longest headers."""
LINGERING = 32
"""How many may linger at once, out of the files that are left above all places; more are cut off at once."""


def refusal(status: bytes, sentence: bytes, *headers: bytes) -> bytes:
    """An answer to what is no request yet, or will not be read to its end."""
    return (
        b"HTTP/1.1 %s\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\n"
        b"Content-Length: %d\r\n"
        b"%s"
        b"Connection: close\r\n\r\n%s"
    ) % (status, len(sentence), b"".join(b"%s\r\n" % header for header in headers), sentence)


TOO_LATE = refusal(b"408 Request Timeout", b"This request took too long to come.\n")
TOO_MANY = refusal(
    b"429 Too Many Requests", b"This address has too many connections open.\n", b"Retry-After: 5"
)
FULL = refusal(
    b"503 Service Unavailable",
    b"There is no room for more connections just now. Please try again in a moment.\n",
    b"Retry-After: 5",
)
ALL = "all"
"""Whose places those of all are."""


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection, which becomes a socket when it is asked to."""

    _deadline: Any = None
    _lingers = False
    _discarded = 0

    def __init__(self) -> None:
        super().__init__()
        self.leave: Callable[[], None] = _nothing

    def connectionMade(self) -> None:  # noqa: N802 - Twisted's name
        super().connectionMade()
        refused = self._take_place(network(self.transport.getPeer().host))
        if refused:
            self._refuse(refused)
        else:
            self._expect(HEAD_SECONDS)

    def _refuse(self, answer: bytes) -> None:
        """Say why there is no place here, and let the other end read it before the connection ends."""
        self.transport.write(answer)
        lingering = self.factory.lingering
        if not lingering.take(ALL):
            self.loseConnection()
            return
        self.leave = partial(lingering.give_back, ALL)
        self._lingers = True
        self.setTimeout(None)
        self.transport.loseWriteConnection()
        self._deadline = self.callLater(LINGER_SECONDS, self._lingered)

    def _lingered(self) -> None:
        self._deadline = None
        self.loseConnection()
        # It waits for ever while the answer is not taken.
        self.transport.abortConnection()

    def _take_place(self, address: str) -> bytes:
        """Count this connection until `leave`; what is answered if there is no place for it."""
        places, places_of_all = self.factory.places, self.factory.places_of_all
        if not places.take(address):
            return TOO_MANY
        if not places_of_all.take(ALL):
            places.give_back(address)
            return FULL

        def leave() -> None:
            places.give_back(address)
            places_of_all.give_back(ALL)

        self.leave = leave
        return b""

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        if self._lingers:
            self._discarded += len(data)
            if self._discarded > LINGER_BYTES:
                self.transport.abortConnection()
            return
        if not self.requests and self._deadline is None:
            self._expect(HEAD_SECONDS)
        super().dataReceived(data)

    def headerReceived(self, line: bytes) -> bool:  # noqa: N802
        """Take a line of the headers up, unless a body is coded in a way that others may read differently.

        Twisted passes over `identity`, also beside a length or beside `chunked`.
        """
        name, _, value = line.partition(b":")
        if name.lower() == b"transfer-encoding" and value.strip(b" \t").lower() != b"chunked":
            self._respondToBadRequestAndDisconnect()
            return False
        return bool(super().headerReceived(line))

    def allHeadersReceived(self) -> None:  # noqa: N802
        self._expect(BODY_SECONDS)
        super().allHeadersReceived()

    def allContentReceived(self) -> None:  # noqa: N802
        self._expect_nothing()
        super().allContentReceived()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        self._expect_nothing()
        self.leave()
        super().connectionLost(reason)

    def _expect(self, seconds: float) -> None:
        self._expect_nothing()
        self._deadline = self.callLater(seconds, self._too_late)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_late(self) -> None:
        self._deadline = None
        self.transport.write(TOO_LATE)
        self.timeoutConnection()


def _nothing() -> None:
    """Nobody counted this connection."""
