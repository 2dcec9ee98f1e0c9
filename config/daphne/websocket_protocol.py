"""WebSockets: data before the handshake's answer, the rate limit of what is not a message, and shutdown."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from autobahn.websocket.types import ConnectionDeny
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings

from games.net.connection import CLOSE_TOO_MUCH
from games.net.hub import hub
from games.net.limits import Bucket

START_OPCODES = (1, 2)
"""Frames that begin a text or a binary message. The limit of messages counts them."""
CLOSE_OPCODE = 8
SHUTTING_DOWN = (("Retry-After", "2"), ("Content-Length", "0"), ("Connection", "close"))


class LimitedWebSocketProtocol(WebSocketProtocol):  # type: ignore[misc]
    """One WebSocket whose control frames and fragments are limited.

    Attributes:
        on_text: called with every text message instead of ASGI's `receive`, if it is set.
    """

    on_text: Callable[[str], None] | None = None
    _has_handshake = False

    def __init__(self) -> None:
        super().__init__()
        rate = settings.SOCKET_RATE
        self._other_frames = Bucket.full(rate, rate * 5, time.monotonic())

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """Abort the connection if data arrives before the handshake is answered."""
        if self._has_handshake and self.state == self.STATE_CONNECTING:
            # Nothing may arrive before the response. autobahn would keep it, without bound, and take it for
            # another handshake, whose headers nobody has checked.
            self.transport.abortConnection()
            return
        self._has_handshake = True
        super().dataReceived(data)

    def onConnect(self, request: Any) -> Any:  # noqa: N802 - autobahn's names
        """Have the application accept or refuse the handshake.

        503 during shutdown, so that a proxy asks another server.
        """
        if hub.draining:
            raise ConnectionDeny(503)  # type: ignore[no-untyped-call]
        return super().onConnect(request)

    def sendHttpErrorResponse(self, code: int, reason: str, responseHeaders: Any = None) -> None:  # noqa: N802, N803
        """Respond to a refused handshake. daphne knows no other code than 403."""
        if hub.draining:
            code, reason, responseHeaders = 503, "Service Unavailable", SHUTTING_DOWN  # noqa: N806
        super().sendHttpErrorResponse(code, reason, responseHeaders)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        """Hand a text to the application directly, if it has asked for that."""
        if self.on_text is None or isBinary or self.state != self.STATE_OPEN:
            super().onMessage(payload, isBinary)
        else:
            self.on_text(payload.decode())

    def onFrameBegin(self) -> None:  # noqa: N802
        """Apply the rate limit to pings, pongs, fragments and late frames too."""
        super().onFrameBegin()
        opcode, is_open = self.current_frame.opcode, self.state == self.STATE_OPEN
        counted_elsewhere = opcode == CLOSE_OPCODE or (is_open and opcode in START_OPCODES)
        if not counted_elsewhere and not self._other_frames.take(time.monotonic()):
            # Stop reading at once: each frame would be answered, and the answers kept in memory.
            self.sendClose(CLOSE_TOO_MUCH)
            self.dropConnection()

    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:  # noqa: N802, N803
        """Tell the application, unless autobahn refused the handshake before daphne saw it."""
        if hasattr(self, "server"):
            super().onClose(wasClean, code, reason)

    def serverReject(self) -> None:  # noqa: N802 - daphne's name
        """Refuse the handshake, unless it was answered already and the client has left since."""
        if hasattr(self, "handshake_deferred"):
            super().serverReject()
