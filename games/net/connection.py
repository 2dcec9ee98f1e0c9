"""Sending prepared frames to one WebSocket.

Every ASGI server has `send`, which `AsgiConnection` uses. A server may offer a faster way in the scope, as
an ASGI extension under the key `DIRECT`. `config.daphne` does; docs/explanation/performance.md has the
savings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from games.net.hub import Frame

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


class Connection(Protocol):
    """One WebSocket. Frames arrive in the order in which they were written."""

    def write(self, frame: Frame) -> None:
        """Send a frame without waiting. Disconnects a client that is too far behind."""

    async def flush(self) -> None:
        """Return when everything written has left the buffers of this process's own code."""

    async def drained(self) -> None:
        """Return when the operating system has taken everything written, or the connection is gone."""

    def after_flush(self, callback: Callable[..., None], *arguments: Any) -> None:
        """Call back once everything written so far, to any connection, has left the process's own buffers.

        Over ASGI nothing says when that is; then call back soon.
        """

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
        """Queue a frame; a connection whose peer falls behind is closed."""
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
        """Wait until the queue is written, or the connection ends."""
        written = asyncio.ensure_future(self._frames.join())
        # The task ends early when the connection does.
        await asyncio.wait({written, self._task}, return_when=asyncio.FIRST_COMPLETED)
        written.cancel()

    async def drained(self) -> None:
        """Wait until the queue is written: the server below says nothing of its own buffers."""
        await self.flush()

    def after_flush(self, callback: Callable[..., None], *arguments: Any) -> None:
        """Call back in the next iteration of the event loop."""
        asyncio.get_running_loop().call_soon(callback, *arguments)

    def end(self) -> None:
        """Stop writing."""
        self._task.cancel()

    async def _send_frames(self) -> None:
        while True:
            frame = await self._frames.get()
            await self._send({"type": "websocket.send", "text": frame.payload.decode()})
            self._frames.task_done()
