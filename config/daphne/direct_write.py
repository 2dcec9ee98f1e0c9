"""Writes frames to the TCP socket directly, past Twisted and autobahn.

This takes a third of the processor time of a move otherwise. Applications are offered it as an ASGI extension
(`games.net.connection.DIRECT`), for plain TCP alone: TLS has to encrypt first.
"""

from __future__ import annotations

import asyncio
from typing import Any

from games.net.connection import BACKLOG_BYTES, Frame, OnText, flush_queue

UNREAD_SECONDS = 0.05
"""How often `drained` checks whether a slow client has read its data."""


class DirectConnection:
    """Writes to the TCP socket; what the kernel does not take goes to Twisted's transport."""

    __slots__ = ("_open", "_protocol", "_transport", "_written")

    def __init__(self, protocol: Any, on_text: OnText) -> None:
        self._protocol, self._open = protocol, protocol.STATE_OPEN
        self._transport = protocol.transport
        self._written = b""
        protocol.on_text = on_text

    def write(self, frame: Frame) -> None:
        if not self._written:
            flush_queue.add(self)
        self._written += frame.raw
        if len(self._written) > BACKLOG_BYTES:
            self.send_written()

    def send_written(self) -> None:
        raw, self._written = self._written, b""
        protocol, transport = self._protocol, self._transport
        if protocol.state != self._open or not transport.connected or transport.disconnecting:
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
        elif len(transport.dataBuffer) + transport._tempDataLen > BACKLOG_BYTES:
            transport.abortConnection()
            return
        transport.write(raw)

    async def flush(self) -> None:
        # Twisted sends what it holds before a close frame.
        self.send_written()

    async def drained(self) -> None:
        self.send_written()
        transport = self._transport
        # A transport has one producer, which may be a stream of daphne's.
        while transport.connected and (transport.dataBuffer or transport._tempDataBuffer):  # noqa: ASYNC110
            await asyncio.sleep(UNREAD_SECONDS)

    def end(self) -> None:
        self._protocol.on_text = None


def is_plain_tcp(protocol: Any) -> bool:
    """Whether bytes written to this protocol's socket reach the client unchanged."""
    return type(protocol.transport).__module__ == "twisted.internet.tcp"
