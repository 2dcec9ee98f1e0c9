"""Sending prepared frames to one WebSocket.

Every ASGI server has `send`, which `AsgiConnection` uses. A server may offer a faster way in the scope, as
an ASGI extension under the key `DIRECT`. `config.daphne` does; docs/explanation/performance.md has the
savings.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

import orjson

from games.net.process import process

logger = logging.getLogger(__name__)

Send = Callable[[dict[str, Any]], Awaitable[None]]
OnText = Callable[[str], None]

DIRECT = "parlour.direct"
"""Key in `scope["extensions"]` of a function that takes an `OnText` and returns a `Connection`."""
BACKLOG_BYTES = 512 * 1024
"""Unread bytes after which a slow reader is disconnected: about two thousand plies."""
BACKLOG_FRAMES = 512
"""The same in frames, for servers that do not report how many bytes wait."""
CLOSE_TOO_MUCH = 4008
"""The close code of docs/reference/protocol.md for clients that send too much or read too little."""

_TEXT = 0x81
_SHORT = 125


class Frame:
    """A message encoded once for all recipients: its JSON, and that JSON as a WebSocket frame."""

    __slots__ = ("payload", "raw")

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.raw = _head(len(payload)) + payload

    @classmethod
    def of(cls, message: dict[str, Any]) -> Frame:
        return cls(orjson.dumps(message))

    def with_fields(self, fields: bytes) -> Frame:
        """The same message with more fields, given as a JSON object that is not empty."""
        return Frame(self.payload[:-1] + b"," + fields[1:])


def _head(length: int) -> bytes:
    """The head of an unmasked, final text frame (RFC 6455, section 5.2)."""
    if length <= _SHORT:
        return bytes((_TEXT, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


class Connection(Protocol):
    """One WebSocket. Frames arrive in the order in which they were written."""

    def write(self, frame: Frame) -> None:
        """Send a frame without waiting. Disconnects a client that is too far behind."""

    async def flush(self) -> None:
        """Return when everything written has left the buffers of this process's own code."""

    async def drained(self) -> None:
        """Return when the operating system has taken everything written, or the connection is gone."""

    def end(self) -> None:
        """Release resources. Call it when the connection is gone."""


def connection_to(scope: Mapping[str, Any], send: Send, on_text: OnText) -> Connection:
    """The fastest connection that the server offers.

    Args:
        scope: the ASGI scope of the WebSocket.
        send: the ASGI `send`.
        on_text: called with every text message that does not arrive through ASGI's `receive`.
    """
    direct = (scope.get("extensions") or {}).get(DIRECT)
    if direct is None:
        return AsgiConnection(send)
    connection: Connection = direct(on_text)
    return connection


class AsgiConnection:
    """Sends through ASGI's `send`, one frame at a time, in its own task."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._frames: asyncio.Queue[Frame] = asyncio.Queue(BACKLOG_FRAMES)
        self._task = asyncio.create_task(self._send_frames())
        self._closing: asyncio.Future[None] | None = None

    def write(self, frame: Frame) -> None:
        if self._closing is not None or self._task.done():
            return  # already closing
        try:
            self._frames.put_nowait(frame)
        except asyncio.QueueFull:
            self._task.cancel()
            self._closing = asyncio.ensure_future(
                self._send({"type": "websocket.close", "code": CLOSE_TOO_MUCH})
            )

    async def flush(self) -> None:
        written = asyncio.ensure_future(self._frames.join())
        # The task ends early when the connection does.
        await asyncio.wait({written, self._task}, return_when=asyncio.FIRST_COMPLETED)
        written.cancel()

    async def drained(self) -> None:
        await self.flush()

    def end(self) -> None:
        self._task.cancel()

    async def _send_frames(self) -> None:
        while True:
            frame = await self._frames.get()
            await self._send({"type": "websocket.send", "text": frame.payload.decode()})
            self._frames.task_done()


class Flushable(Protocol):
    """A connection that collects what is written to it until it is flushed."""

    def send_written(self) -> None:
        """Send what was written."""


class FlushQueue:
    """Connections with unsent frames, all flushed at the end of the current event loop work.

    Consecutive frames to one connection become one system call. Making the calls back to back costs less
    than interleaving them with other work (docs/explanation/performance.md).
    """

    def __init__(self) -> None:
        self._connections: list[Flushable] = []
        self._callbacks: list[tuple[Callable[..., None], tuple[Any, ...]]] = []

    def add(self, connection: Flushable) -> None:
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

after_flush = flush_queue.after_flush
"""Call back once all direct writes have been sent. Does not wait for writes that go through ASGI."""
