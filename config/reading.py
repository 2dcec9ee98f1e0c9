"""Sockets that are read by the shortest way: a short text is a message as soon as its bytes are there.

autobahn reads every frame piece by piece, in thirty calls. Nearly all that people send is one short text in
one frame, which is read here in one go. Whatever looks otherwise, be it longer, in pieces, a ping or against
the rules, is left to autobahn.

Importing this installs Twisted's reactor.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings

from config.closing import LingeringProtocol
from games.net.limits import Bucket
from games.net.wire import CLOSE_TOO_MUCH, short_text

WHOLE, LAST = (1, 2), 8
"""Opcodes of frames that begin a message, which are counted as messages, and of the last one of all."""


class ReadingProtocol(LingeringProtocol):
    """One socket. Its application may `take` what is said, instead of waiting for daphne to tell it."""

    take: Callable[[str], None] | None = None

    def __init__(self) -> None:
        super().__init__()
        rate = settings.SOCKET_RATE
        self._beside = Bucket.full(rate, rate * 5, time.monotonic())

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        between = self.state == self.STATE_OPEN and not (
            self.data or self.current_frame or self.inside_message
        )
        text = short_text(data) if between else None
        if text is None or self.take is None:
            super().dataReceived(data)
            return
        self.last_ping = time.monotonic()
        if self.autoPingTimeoutCall is not None:
            # Whoever says something is there.
            self._cancelAutoPingTimeoutCall()
        self.take(text)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        if self.take is None or isBinary or self.state != self.STATE_OPEN:
            super().onMessage(payload, isBinary)
        else:
            self.last_ping = time.monotonic()
            self.take(payload.decode())

    def onFrameBegin(self) -> None:  # noqa: N802
        """A frame has begun: pings, pongs, pieces and what comes too late are no quicker than messages."""
        super().onFrameBegin()
        opcode = self.current_frame.opcode
        counted_as_message = opcode in WHOLE and self.state == self.STATE_OPEN
        if counted_as_message or opcode == LAST:
            return
        if not self._beside.take(time.monotonic()):
            # Not one frame more is looked at: each would be answered, and the answers kept for nobody.
            self.sendClose(CLOSE_TOO_MUCH)
            self.dropConnection()
