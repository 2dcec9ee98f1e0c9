"""A WebSocket client that costs little, so that the server is what is measured."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable, Collection
from typing import Any


class Client(asyncio.Protocol):
    """One connection. `on_message` gets the payload of every text and binary frame."""

    def __init__(self, path: str, headers: dict[str, str], on_message: Callable[[bytes], None]) -> None:
        self._path, self._headers, self.on_message = path, headers, on_message
        self._buffer = b""
        self._open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        lines = [
            f"GET {self._path} HTTP/1.1",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            *(f"{name}: {value}" for name, value in self._headers.items()),
        ]
        transport.write("\r\n".join([*lines, "", ""]).encode())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self.opened.set_exception(ConnectionError(head.decode("latin-1")))
                return
            self._open, self._buffer = True, rest
            self.opened.set_result(None)
        while (frame := self._next_frame()) is not None:
            opcode, payload = frame
            if opcode in (1, 2):
                self.on_message(payload)
            elif opcode == 9:
                self._send(10, payload)
            elif opcode == 8:
                self._transport.close()

    def _next_frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        length, start = buffer[1] & 127, 2
        if length >= 126:
            start = 4 if length == 126 else 10
            length = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + length or len(buffer) < start:
            return None
        self._buffer = buffer[start + length :]
        return buffer[0] & 15, buffer[start : start + length]

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the connection was lost before it was open"))
        if not self.lost.done():
            self.lost.set_result(None)

    def send(self, text: bytes) -> None:
        """Send a text frame."""
        self._send(1, text)

    def send_bytes(self, payload: bytes) -> None:
        """Send a binary frame."""
        self._send(2, payload)

    def _send(self, opcode: int, payload: bytes) -> None:
        length = len(payload)
        head = bytes((0x80 | opcode, 0x80 | length)) if length < 126 else None
        if head is None:
            head = bytes((0x80 | opcode, 0x80 | 126)) + length.to_bytes(2, "big")
        # A mask of zeros is a valid one and leaves the payload as it is.
        self._transport.write(head + b"\0\0\0\0" + payload)

    def close(self) -> None:
        """Drop the connection."""
        self._transport.close()


async def connect(
    port: int, path: str, headers: dict[str, str], on_message: Callable[[bytes], None]
) -> Client:
    """An open connection to a server on this machine."""
    loop = asyncio.get_running_loop()
    _, client = await loop.create_connection(
        lambda: Client(path, {"Host": f"127.0.0.1:{port}", **headers}, on_message), "127.0.0.1", port
    )
    await client.opened
    return client


async def hang_up(clients: Collection[Client]) -> None:
    """Drop connections, and return once all of them are gone."""
    for client in clients:
        client.close()
    await asyncio.gather(*(client.lost for client in clients))
