"""How a prepared frame reaches one socket, and what comes back.

The quickest way is the operating system's own: under daphne a finished WebSocket frame is handed to
the TCP socket directly, which costs a sixth of the way through Twisted and autobahn. That leans on
attributes no one promised, so it is tried only where all of them are as known, and everything else
(another server, a test, a proxy's TLS) goes through the public `send` of ASGI. What the other end says is
taken where it is read if the server offers that (`config.reading`); otherwise it comes as a message of ASGI.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import orjson

Send = Callable[[dict[str, Any]], Awaitable[None]]
Take = Callable[[str], None]

BACKLOG_BYTES = 512 * 1024
"""Unread bytes after which a reader is given up: about two thousand plies."""
BACKLOG_FRAMES = 512
UNREAD_SECONDS = 0.05
"""How often is looked whether a slow reader has read what was sent."""
CLOSE_TOO_MUCH = 4008
"""The close code of docs/protocol.md for who sends too much, or reads too little."""


class Frame:
    """A message encoded once for everyone who gets it: its JSON, and that JSON as a frame."""

    __slots__ = ("payload", "raw")

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.raw = _head(len(payload)) + payload

    @classmethod
    def of(cls, message: dict[str, Any]) -> Frame:
        return cls(orjson.dumps(message))

    def with_fields(self, fields: bytes) -> Frame:
        """The same message with more fields, which are an object as JSON and not empty."""
        return Frame(self.payload[:-1] + b"," + fields[1:])


# RFC 6455, section 5.2.
_TEXT = 0x81
_MASKED = 0x80
_SHORT = 125
_CLIENT_HEAD = 6


def short_text(data: bytes) -> str | None:
    """The text in `data` if that is exactly one frame with a short text from a client, else None."""
    length = len(data) - _CLIENT_HEAD
    if not 0 <= length <= _SHORT or data[0] != _TEXT or data[1] != _MASKED | length:
        return None
    mask = data[2:_CLIENT_HEAD] * (length // 4 + 1)
    bits = int.from_bytes(data[_CLIENT_HEAD:], "big") ^ int.from_bytes(mask[:length], "big")
    try:
        return bits.to_bytes(length, "big").decode()
    except UnicodeDecodeError:
        return None


def _head(length: int) -> bytes:
    """The head of an unmasked, final text frame."""
    if length <= _SHORT:
        return bytes((_TEXT, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


class Wire(Protocol):
    """One socket's way out. Frames arrive in the order in which they were written."""

    def write(self, frame: Frame) -> None:
        """Hand a frame over without waiting. A reader who is hopelessly behind is cut off."""

    async def flush(self) -> None:
        """Return when everything written has left this process's own queues."""

    async def taken(self) -> None:
        """Return when the operating system has taken all that was written, or the connection is gone."""

    def end(self) -> None:
        """The connection is gone: let go of what the wire holds."""


def wire_to(send: Send, take: Take | None = None) -> Wire:
    """The quickest wire that is safe for this connection.

    Args:
        send: the way that ASGI knows.
        take: is called with every text that comes by a quicker way than ASGI's.
    """
    protocol = _daphne_protocol(send)
    if protocol is None:
        return _PlainWire(send)
    if hasattr(protocol, "take"):
        protocol.take = take
    return _DirectWire(protocol)


def _daphne_protocol(send: Send) -> Any:
    """The autobahn protocol behind daphne's `send` if it is a plain TCP connection, else None."""
    protocol = send.args[0] if isinstance(send, functools.partial) and send.args else None
    transport = getattr(protocol, "transport", None)
    known = ("dataBuffer", "_tempDataBuffer", "_tempDataLen", "socket", "connected", "disconnecting")
    if type(transport).__module__ != "twisted.internet.tcp" or not all(hasattr(transport, a) for a in known):
        return None
    return protocol if hasattr(protocol, "STATE_OPEN") else None


class _DirectWire:
    """Writes to the TCP socket, and what it does not take at once to Twisted's transport."""

    __slots__ = ("_open", "_protocol", "_send", "_transport", "_written")

    def __init__(self, protocol: Any) -> None:
        self._protocol, self._open = protocol, protocol.STATE_OPEN
        self._transport = protocol.transport
        self._send = protocol.transport.socket.send
        self._written = b""

    def write(self, frame: Frame) -> None:
        if not self._written:
            outbox.add(self)
        self._written += frame.raw
        if len(self._written) > BACKLOG_BYTES:
            self.send()

    def send(self) -> None:
        """Send what was written."""
        raw, self._written = self._written, b""
        protocol, transport = self._protocol, self._transport
        if protocol.state != self._open or not transport.connected or transport.disconnecting:
            return  # it is being closed: nobody is there
        if not transport.dataBuffer and not transport._tempDataBuffer:
            try:
                sent = self._send(raw)
            except OSError:
                sent = 0  # it would block, or it is broken: the transport finds out which
            if sent == len(raw):
                return
            raw = raw[sent:]
        elif len(transport.dataBuffer) + transport._tempDataLen > BACKLOG_BYTES:
            transport.abortConnection()
            return
        transport.write(raw)

    async def flush(self) -> None:
        # Twisted sends what it holds before a close frame.
        self.send()

    async def taken(self) -> None:
        self.send()
        transport = self._transport
        # Twisted tells one producer alone, which a stream of daphne's may be.
        while transport.connected and (transport.dataBuffer or transport._tempDataBuffer):  # noqa: ASYNC110
            await asyncio.sleep(UNREAD_SECONDS)

    def end(self) -> None:
        if hasattr(self._protocol, "take"):
            self._protocol.take = None


class Outbox:
    """The direct wires that something was written to; it leaves at the end of what the loop is about.

    Then frames that one socket gets in a row are one call to the system, and the calls for all sockets follow
    each other, which costs less than when each comes between other work (docs/performance.md).
    """

    def __init__(self) -> None:
        self._wires: list[_DirectWire] = []
        self._calls: list[tuple[Callable[..., None], tuple[Any, ...]]] = []

    def add(self, wire: _DirectWire) -> None:
        """Something will have been written to a wire that had sent everything."""
        if not self._wires and not self._calls:
            self._send_soon()
        self._wires.append(wire)

    def when_sent(self, call: Callable[..., None], *arguments: Any) -> None:
        """Call something once all that was written until now has left."""
        if not self._wires and not self._calls:
            self._send_soon()
        self._calls.append((call, arguments))

    def clear(self) -> None:
        """Drop what waits for an event loop that was closed."""
        self._wires.clear()
        self._calls.clear()

    def _send_soon(self) -> None:
        loop = asyncio.get_running_loop()
        # Not in the next turn but in the one after: whoever waited for what is told now answers then.
        loop.call_soon(loop.call_soon, self._send)

    def _send(self) -> None:
        wires, self._wires = self._wires, []
        calls, self._calls = self._calls, []
        for wire in wires:
            wire.send()
        for call, arguments in calls:
            call(*arguments)


outbox = Outbox()
"""Of this process, which has one event loop."""

when_sent = outbox.when_sent
"""Call something once all has left that was written directly; what goes by ASGI leaves in its own time."""


class _PlainWire:
    """Writes through ASGI's `send`, one frame after the other, in a task of its own."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._frames: asyncio.Queue[Frame] = asyncio.Queue(BACKLOG_FRAMES)
        self._task = asyncio.create_task(self._pump())
        self._cutting: asyncio.Future[None] | None = None

    def write(self, frame: Frame) -> None:
        if self._cutting is not None or self._task.done():
            return  # it is being closed: nobody is there
        try:
            self._frames.put_nowait(frame)
        except asyncio.QueueFull:
            self._task.cancel()
            self._cutting = asyncio.ensure_future(
                self._send({"type": "websocket.close", "code": CLOSE_TOO_MUCH})
            )

    async def flush(self) -> None:
        written = asyncio.ensure_future(self._frames.join())
        # The pump ends before its time when the connection does.
        await asyncio.wait({written, self._task}, return_when=asyncio.FIRST_COMPLETED)
        written.cancel()

    async def taken(self) -> None:
        await self.flush()

    def end(self) -> None:
        self._task.cancel()

    async def _pump(self) -> None:
        while True:
            frame = await self._frames.get()
            await self._send({"type": "websocket.send", "text": frame.payload.decode()})
            self._frames.task_done()
