"""The fast path: short texts are parsed in one go, and frames are written to the TCP socket directly.

autobahn parses every frame piece by piece, in thirty calls, and takes as many to send one. Nearly all that
clients send is one short text in one frame. Everything else is left to autobahn: long frames, fragments,
pings, and protocol errors. Applications are offered direct writes as an ASGI extension
(`games.net.connection.DIRECT`), for plain TCP alone: TLS has to encrypt first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from config.daphne.websocket_protocol import LimitedWebSocketProtocol
from games.net.connection import BACKLOG_BYTES, OnText
from games.net.hub import Frame
from games.net.process import process

logger = logging.getLogger(__name__)

_TEXT = 0x81
_MASKED = 0x80
_SHORT = 125
_CLIENT_HEAD_BYTES = 6


def short_text(data: bytes) -> str | None:
    """The text in `data` if that is exactly one frame with a short text from a client, else None."""
    length = len(data) - _CLIENT_HEAD_BYTES
    if not 0 <= length <= _SHORT or data[0] != _TEXT or data[1] != _MASKED | length:
        return None
    mask = data[2:_CLIENT_HEAD_BYTES] * (length // 4 + 1)
    bits = int.from_bytes(data[_CLIENT_HEAD_BYTES:], "big") ^ int.from_bytes(mask[:length], "big")
    try:
        return bits.to_bytes(length, "big").decode()
    except UnicodeDecodeError:
        return None


class FastPathWebSocketProtocol(LimitedWebSocketProtocol):
    """The same, with short texts parsed here, in one go."""

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """Parse a single short text frame at once; autobahn handles everything else."""
        between_frames = self.state == self.STATE_OPEN and not (self.data or self.current_frame)
        text = short_text(data) if between_frames and not self.inside_message else None
        if text is None or self.on_text is None:
            super().dataReceived(data)
            return
        self.on_text(text)


UNREAD_SECONDS = 0.05
"""How often `drained` checks whether a slow client has read its data."""


class FlushQueue:
    """Connections with unsent frames, all flushed at the end of the current event loop work.

    Consecutive frames to one connection become one system call. Making the calls back to back costs less
    than interleaving them with other work (docs/explanation/performance.md).
    """

    def __init__(self) -> None:
        self._connections: list[DirectConnection] = []
        self._callbacks: list[tuple[Callable[..., None], tuple[Any, ...]]] = []

    def add(self, connection: DirectConnection) -> None:
        """Flush a connection soon. Call it at the first write after a flush."""
        self._schedule()
        self._connections.append(connection)

    def after_flush(self, callback: Callable[..., None], *arguments: Any) -> None:
        """Call back once everything written so far has been sent."""
        self._schedule()
        self._callbacks.append((callback, arguments))

    def _schedule(self) -> None:
        if not self._connections and not self._callbacks:
            loop = asyncio.get_running_loop()
            # Wait two iterations of the loop, so that replies to this message are flushed with it.
            loop.call_soon(loop.call_soon, self._flush)

    def _flush(self) -> None:
        connections, self._connections = self._connections, []
        callbacks, self._callbacks = self._callbacks, []
        for connection in connections:
            try:
                connection.send_written()
            except Exception:
                # The others must get their frames.
                logger.exception("a connection failed")
        for callback, arguments in callbacks:
            callback(*arguments)


flush_queue = process.part(FlushQueue)
"""One per process, as a process has one event loop."""


class DirectConnection:
    """Writes to the TCP socket; what the kernel does not take goes to Twisted's transport."""

    __slots__ = ("_open", "_protocol", "_transport", "_written")

    def __init__(self, protocol: Any, on_text: OnText) -> None:
        self._protocol, self._open = protocol, protocol.STATE_OPEN
        self._transport = protocol.transport
        self._written = b""
        protocol.on_text = on_text

    def write(self, frame: Frame) -> None:
        """Queue a frame for the end of this iteration of the event loop."""
        if not self._written:
            flush_queue.add(self)
        self._written += frame.raw
        if len(self._written) > BACKLOG_BYTES:
            self.send_written()

    def send_written(self) -> None:
        """Write all queued frames to the socket; Twisted takes what the socket does not."""
        raw, self._written = self._written, b""
        protocol, transport = self._protocol, self._transport
        if protocol.state != self._open:
            return  # closing: nobody reads any more
        if not transport.dataBuffer and not transport._tempDataBuffer:
            try:
                sent = transport.socket.send(raw)
            except BlockingIOError:
                sent = 0
            except OSError:
                transport.abortConnection()
                return
            if sent == len(raw):
                return
            raw = raw[sent:]
        elif len(transport.dataBuffer) + sum(map(len, transport._tempDataBuffer)) > BACKLOG_BYTES:
            transport.abortConnection()
            return
        transport.write(raw)

    async def flush(self) -> None:
        """Send what is queued, before a close frame."""
        # Twisted sends what it holds before a close frame.
        self.send_written()

    async def drained(self) -> None:
        """Wait until the peer has read all that was sent, or is gone."""
        self.send_written()
        transport = self._transport
        # A transport has one producer, which may be a stream of daphne's.
        while self._protocol.state == self._open and (  # noqa: ASYNC110
            transport.dataBuffer or transport._tempDataBuffer
        ):
            await asyncio.sleep(UNREAD_SECONDS)

    def after_flush(self, callback: Callable[..., None], *arguments: Any) -> None:
        """Call back once the frames of this iteration are written."""
        flush_queue.after_flush(callback, *arguments)

    def end(self) -> None:
        """Stop handing texts to the application."""
        self._protocol.on_text = None
