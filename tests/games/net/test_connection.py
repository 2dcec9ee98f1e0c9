"""Frames, and how they reach a connection."""

import asyncio
import json
import socket

import pytest

from games.net.connection import BACKLOG_FRAMES, DIRECT, connection_to
from games.net.hub import Frame
from tools.harness.patience import patience
from tools.harness.people import seat_two


@pytest.mark.parametrize(
    ("length", "head"),
    [
        (0, "8100"),
        (125, "817d"),
        (126, "817e007e"),
        (65535, "817effff"),
        (65536, "817f0000000000010000"),
    ],
)
def test_the_head_of_a_frame_says_its_length(length, head):
    frame = Frame(b"x" * length)
    assert frame.raw == bytes.fromhex(head) + frame.payload


def test_a_frame_is_json():
    assert json.loads(Frame.of({"type": "pong", "t": 1.5}).payload) == {"type": "pong", "t": 1.5}


class AsgiServer:
    """A server that offers ASGI alone."""

    def __init__(self):
        self.sent = []
        self.reading = asyncio.Event()
        self.reading.set()

    async def send(self, message):
        await self.reading.wait()
        self.sent.append(message)


async def test_a_stock_server_gets_frames_by_send_in_order():
    server = AsgiServer()
    connection = connection_to({}, server.send, print)
    for number in range(3):
        connection.write(Frame.of({"t": number}))
    await connection.flush()
    assert [message["text"] for message in server.sent] == ['{"t":0}', '{"t":1}', '{"t":2}']
    connection.end()


async def test_a_stock_server_is_asked_to_disconnect_a_reader_far_behind():
    server = AsgiServer()
    server.reading.clear()
    connection = connection_to({}, server.send, print)
    for _ in range(BACKLOG_FRAMES + 3):
        connection.write(Frame(b"{}"))
    server.reading.set()
    # Nobody waits for what will not be sent.
    await connection.flush()
    await connection._closing  # type: ignore[attr-defined]
    assert [message["type"] for message in server.sent] == ["websocket.close"]


def test_an_extension_of_the_server_is_used_in_place_of_send():
    scope = {"extensions": {DIRECT: lambda on_text: ("direct", on_text)}}
    assert connection_to(scope, None, print) == ("direct", print)  # type: ignore[comparison-overlap]


async def test_connection_after_flush_calls_back_without_writes():
    over = asyncio.Event()
    connection_to({}, AsgiServer().send, print).after_flush(over.set)
    await asyncio.wait_for(over.wait(), patience(5))


def open_without_reading(server, match_id):
    """A socket opened by hand, for a client that never reads again."""
    client = socket.create_connection(("127.0.0.1", server.port))
    lines = [
        f"GET /ws/match/{match_id} HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    client.sendall("\r\n".join([*lines, "", ""]).encode())
    assert b"101" in client.recv(32)
    return client


def ask_without_end(client):
    """Send what is refused at length, again and again."""
    message = json.dumps({"type": "move", "id": "x" * 64, "after": 0, "move": "1"}).encode()
    frame = bytes((0x81, 0x80 | 126)) + len(message).to_bytes(2, "big") + bytes(4) + message
    client.settimeout(60)
    for _ in range(100_000):
        client.sendall(frame)


def test_a_reader_far_behind_is_cut_off_and_hurts_nobody(launcher):
    """One client asks and asks and never reads; the others play on."""
    server = launcher.open(launcher.store("sqlite"), SOCKET_RATE="0")
    mover, _, match_id = seat_two(server)
    client = open_without_reading(server, match_id)
    with pytest.raises(ConnectionError):
        ask_without_end(client)
    client.close()
    with mover.watch(match_id) as playing:
        assert playing.move(0, "1")["type"] == "accepted"
