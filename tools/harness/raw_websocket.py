"""A WebSocket client without a library, to inspect bytes and connection states."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import secrets
import socket
import struct
import termios

from tools.harness.patience import patience


def frame(payload: bytes, opcode: int = 1) -> bytes:
    """A client's frame, with a zero mask."""
    length = len(payload)
    size = bytes((0x80 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
    return bytes((0x80 | opcode,)) + size + bytes(4) + payload


def parsed(data: bytes) -> list[tuple[int, bytes]]:
    """The frames that a server sent, as opcode and payload."""
    frames = []
    while data:
        length, start = data[1], 2
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 4
        frames.append((data[0] & 0x0F, data[start : start + length]))
        data = data[start + length :]
    return frames


def asked(port: int, path: str, address: str = "127.0.0.1", **headers: str) -> socket.socket:
    """A connection on which a WebSocket was asked for; arguments as of `Peer`."""
    connection = socket.create_connection(("127.0.0.1", port), patience(30), (address, 0))
    fields = {
        "Host": f"127.0.0.1:{port}",
        "Origin": f"http://127.0.0.1:{port}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": base64.b64encode(secrets.token_bytes(16)).decode(),
        "Sec-WebSocket-Version": "13",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    return connection


class Peer:
    """One end of a connection, fully visible.

    Args:
        port: of the server on 127.0.0.1.
        path: of the socket.
        address: the client's own; any of 127.0.0.0/8 on Linux.
        headers: further ones, with "_" for "-".
    """

    def __init__(self, port: int, path: str, address: str = "127.0.0.1", **headers: str) -> None:
        self._socket = asked(port, path, address, **headers)
        opened = b""
        while not opened.endswith(b"\r\n\r\n"):
            opened += self._socket.recv(1)
        assert opened.startswith(b"HTTP/1.1 101"), opened

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._socket.sendall(data)

    def reset(self) -> None:
        """End the connection with a reset."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    @property
    def state(self) -> int:
        """The TCP state as numbered by Linux."""
        return int(self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0])

    @property
    def unacknowledged(self) -> int:
        """Bytes sent but not acknowledged."""
        left: int = struct.unpack("i", fcntl.ioctl(self._socket, termios.TIOCOUTQ, bytes(4)))[0]
        return left

    @property
    def unread(self) -> bytes:
        """Received bytes, left in the buffer."""
        with contextlib.suppress(BlockingIOError):
            return self._socket.recv(1 << 20, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        return b""

    def rest(self, *, or_reset: bool = False) -> list[tuple[int, bytes]]:
        """Read to the end; the frames as opcode and payload. A reset raises.

        Args:
            or_reset: let a reset be the end too: a server resets who does not answer its close frame.
        """
        received = b""
        with self._socket, contextlib.suppress(*([ConnectionResetError] if or_reset else [])):
            while data := self._socket.recv(65536):
                received += data
        return parsed(received)
