"""Incoming WebSocket frames: the rate limit of what is not a message, and where messages go."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings

from config.daphne.websocket_close import LingeringCloseProtocol
from games.net.connection import CLOSE_TOO_MUCH
from games.net.limits import Bucket

START_OPCODES = (1, 2)
"""Frames that begin a text or a binary message. The limit of messages counts them."""
CLOSE_OPCODE = 8


class LimitedWebSocketProtocol(LingeringCloseProtocol):
    """One WebSocket whose control frames and fragments are limited.

    Attributes:
        on_text: called with every text message instead of ASGI's `receive`, if it is set.
    """

    on_text: Callable[[str], None] | None = None

    def __init__(self) -> None:
        super().__init__()
        rate = settings.SOCKET_RATE
        self._other_frames = Bucket.full(rate, rate * 5, time.monotonic())

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803 - autobahn's names
        if self.on_text is None or isBinary or self.state != self.STATE_OPEN:
            super().onMessage(payload, isBinary)
        else:
            self.last_ping = time.monotonic()
            self.on_text(payload.decode())

    def onFrameBegin(self) -> None:  # noqa: N802
        """Apply the rate limit to pings, pongs, fragments and late frames too."""
        super().onFrameBegin()
        opcode = self.current_frame.opcode
        counted_as_message = opcode in START_OPCODES and self.state == self.STATE_OPEN
        if counted_as_message or opcode == CLOSE_OPCODE:
            return
        if not self._other_frames.take(time.monotonic()):
            # Stop reading at once: each frame would be answered, and the answers kept in memory.
            self.sendClose(CLOSE_TOO_MUCH)
            self.dropConnection()
