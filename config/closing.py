"""Sockets that are closed here: the other end reads why, whatever it has sent and however late it reads.

A connection that is dropped while something lies unread, or arrives later, is reset, and a reset takes along
what the other end has not read. So whoever closes says so, stops writing, and reads on for a while and throws
it away: until the other end has closed too, but neither long nor much.

While the server takes leave of everyone, no socket is let in: its handshake is refused with 503, which has a
proxy ask another server.

Importing this installs Twisted's reactor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autobahn.websocket.types import ConnectionDeny
from daphne.ws_protocol import WebSocketProtocol

from config.door.connections import refusal
from games.net.hub import hub

LINGER_SECONDS = 3.0
"""How long the other end may take to close, once nothing more is written."""
LINGER_BYTES = 1024 * 1024
"""How much of what is not looked at any more is taken in."""

LEAVING = refusal(
    b"503 Service Unavailable",
    b"This server is about to end. Please try again in a moment.\n",
    b"Retry-After: 2",
)


class LingeringProtocol(WebSocketProtocol):  # type: ignore[misc]
    """One socket.

    Attributes:
        leave: to be called when the connection is lost: its address may have another one.
    """

    leave: Callable[[], None] | None = None
    _asked = False
    _discarded = 0
    _deadline: Any = None

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        if self._asked and self.state == self.STATE_CONNECTING:
            # Nobody speaks before the answer. autobahn would keep it, without bound, and take it for another
            # handshake, whose headers nobody has looked at.
            self.transport.abortConnection()
            return
        self._asked = True
        if self.state in (self.STATE_CLOSING, self.STATE_CLOSED):
            self._discarded += len(data)
            if self._discarded > LINGER_BYTES:
                self.transport.abortConnection()
                return
        # While it is closing, the answer to our close frame is still to come.
        if self.state != self.STATE_CLOSED:
            super().dataReceived(data)

    def onConnect(self, request: Any) -> Any:  # noqa: N802
        """Have the application say whether the handshake is accepted, unless the server takes leave."""
        if hub.draining:
            raise ConnectionDeny(ConnectionDeny.SERVICE_UNAVAILABLE)  # type: ignore[no-untyped-call]
        return super().onConnect(request)

    def sendHttpErrorResponse(self, code: int, reason: str, responseHeaders: Any = None) -> None:  # noqa: N802, N803
        """Answer a handshake that is refused, whoever refused it; daphne knows 403 alone."""
        if hub.draining:
            self.sendData(LEAVING)
        else:
            super().sendHttpErrorResponse(code, reason, responseHeaders)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        if self.state == self.STATE_OPEN:
            super().onMessage(payload, isBinary)

    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:  # noqa: N802, N803
        """Tell the application, unless autobahn refused the handshake, before daphne had taken it up."""
        if hasattr(self, "server"):
            super().onClose(wasClean, code, reason)

    def serverReject(self) -> None:  # noqa: N802 - daphne's name
        """Refuse the handshake, unless it was answered already and the other end has gone since."""
        if hasattr(self, "handshake_deferred"):
            super().serverReject()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        if self.leave is not None:
            self.leave()
        super().connectionLost(reason)
        # Its result is this socket: each would hold the other until circles are looked for.
        self.is_closed = None

    def _closeConnection(self, abort: bool = False) -> None:  # noqa: N802 - autobahn's name
        if not self.closedByMe:
            super()._closeConnection(abort)
            return
        self.transport.loseWriteConnection()
        self._deadline = self.factory.reactor.callLater(LINGER_SECONDS, self._end)

    def _end(self) -> None:
        self.transport.loseConnection()
        # It waits for ever while there is something that the other end does not take.
        self.transport.abortConnection()
