"""WebSockets that the server closes: the client gets the close frame, however late it reads.

A connection that is dropped while data lies unread, or arrives later, is reset. A reset discards what the
client has not read yet. So the server sends its close frame, stops writing, and discards what arrives until
the client has closed too: for a limited time and a limited number of bytes.

During graceful shutdown a handshake is refused with 503, so that a proxy tries another server.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autobahn.websocket.types import ConnectionDeny
from daphne.ws_protocol import WebSocketProtocol

from config.daphne.http_channel import plain_response
from games.net.hub import hub

LINGER_SECONDS = 3.0
"""How long the client may take to close, once nothing more is written."""
LINGER_BYTES = 1024 * 1024
"""How much is discarded meanwhile."""

SHUTTING_DOWN = plain_response(
    b"503 Service Unavailable",
    b"This server is about to end. Please try again in a moment.\n",
    b"Retry-After: 2",
)


class LingeringCloseProtocol(WebSocketProtocol):  # type: ignore[misc]
    """One WebSocket.

    Attributes:
        release: called when the connection is lost; frees the slot of this connection.
    """

    release: Callable[[], None] | None = None
    _handshake_sent = False
    _discarded = 0
    _deadline: Any = None

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        if self._handshake_sent and self.state == self.STATE_CONNECTING:
            # Nothing may arrive before the response. autobahn would keep it, without bound, and take it for
            # another handshake, whose headers nobody has checked.
            self.transport.abortConnection()
            return
        self._handshake_sent = True
        if self.state in (self.STATE_CLOSING, self.STATE_CLOSED):
            self._discarded += len(data)
            if self._discarded > LINGER_BYTES:
                self.transport.abortConnection()
                return
        # While it is closing, the client's close frame is still to come.
        if self.state != self.STATE_CLOSED:
            super().dataReceived(data)

    def onConnect(self, request: Any) -> Any:  # noqa: N802
        """Have the application accept or refuse the handshake, unless the server shuts down."""
        if hub.draining:
            raise ConnectionDeny(ConnectionDeny.SERVICE_UNAVAILABLE)  # type: ignore[no-untyped-call]
        return super().onConnect(request)

    def sendHttpErrorResponse(self, code: int, reason: str, responseHeaders: Any = None) -> None:  # noqa: N802, N803
        """Respond to a refused handshake. daphne knows no other code than 403."""
        if hub.draining:
            self.sendData(SHUTTING_DOWN)
        else:
            super().sendHttpErrorResponse(code, reason, responseHeaders)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        if self.state == self.STATE_OPEN:
            super().onMessage(payload, isBinary)

    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:  # noqa: N802, N803
        """Tell the application, unless autobahn refused the handshake before daphne saw it."""
        if hasattr(self, "server"):
            super().onClose(wasClean, code, reason)

    def serverReject(self) -> None:  # noqa: N802 - daphne's name
        """Refuse the handshake, unless it was answered already and the client has left since."""
        if hasattr(self, "handshake_deferred"):
            super().serverReject()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        if self.release is not None:
            self.release()
        super().connectionLost(reason)
        # The result of this deferred is the protocol itself: a reference cycle.
        self.is_closed = None

    def _closeConnection(self, abort: bool = False) -> None:  # noqa: N802 - autobahn's name
        if not self.closedByMe:
            super()._closeConnection(abort)
            return
        self.transport.loseWriteConnection()
        self._deadline = self.factory.reactor.callLater(LINGER_SECONDS, self._end_linger)

    def _end_linger(self) -> None:
        self.transport.loseConnection()
        # `loseConnection` waits for ever while the client does not take what was written.
        self.transport.abortConnection()
