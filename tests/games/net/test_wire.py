"""Frames, and readers who do not read."""

import asyncio
import json
import os
import socket
from types import SimpleNamespace

import pytest

from games.net.wire import BACKLOG_FRAMES, Frame, _DirectWire, short_text, when_sent, wire_to
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


def client_frame(payload, head=0x81, mask=b"\x01\x02\x03\x04"):
    """A frame as clients send it."""
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return bytes((head, 0x80 | len(payload))) + mask + masked


@pytest.mark.parametrize("length", [0, 1, 3, 4, 5, 124, 125])
def test_a_short_text_is_unmasked(length):
    text = "seeds and stones"[:length].ljust(length, "x")
    assert short_text(client_frame(text.encode(), mask=os.urandom(4))) == text


def test_a_text_may_have_any_letters():
    assert short_text(client_frame("Mühle: ✓".encode())) == "Mühle: ✓"


WHOLE = client_frame(b"ping")


@pytest.mark.parametrize(
    "data",
    [
        WHOLE[:-1],
        WHOLE + WHOLE,
        WHOLE[:3],
        b"",
        client_frame(b"ping", head=0x01),
        client_frame(b"ping", head=0x82),
        client_frame(b"ping", head=0x89),
        client_frame(b"ping", head=0xC1),
        client_frame(b"\xff\xfe"),
        bytes((0x81, 4)) + b"ping",
        bytes((0x81, 0x80 | 126, 0, 4)) + b"1234" + b"ping",
    ],
    ids=[
        "cut off",
        "two frames",
        "half a head",
        "nothing",
        "not the last part",
        "binary",
        "ping",
        "compressed",
        "no UTF-8",
        "not masked",
        "long form",
    ],
)
def test_what_is_anything_else_is_left_to_autobahn(data):
    assert short_text(data) is None


class Connection:
    """A server other than daphne: `send` is all one knows of it."""

    def __init__(self):
        self.sent = []
        self.reading = asyncio.Event()
        self.reading.set()

    async def send(self, message):
        await self.reading.wait()
        self.sent.append(message)


async def test_without_daphne_frames_go_through_the_public_send_in_order():
    connection = Connection()
    wire = wire_to(connection.send)
    for number in range(3):
        wire.write(Frame.of({"t": number}))
    await wire.flush()
    assert [message["text"] for message in connection.sent] == ['{"t":0}', '{"t":1}', '{"t":2}']
    wire.end()


async def test_a_reader_far_behind_is_cut_off_without_daphne_too():
    connection = Connection()
    connection.reading.clear()
    wire = wire_to(connection.send)
    for _ in range(BACKLOG_FRAMES + 3):
        wire.write(Frame(b"{}"))
    connection.reading.set()
    # Nobody waits for what will not be sent.
    await wire.flush()
    await wire._cutting
    assert [message["type"] for message in connection.sent] == ["websocket.close"]


def daphnes(taken):
    """What a direct wire needs of daphne; its socket takes everything at once."""

    def send(raw):
        taken.append(raw)
        return len(raw)

    transport = SimpleNamespace(
        connected=True,
        disconnecting=False,
        dataBuffer=b"",
        _tempDataBuffer=[],
        socket=SimpleNamespace(send=send),
    )
    return SimpleNamespace(state=3, STATE_OPEN=3, transport=transport)


async def test_what_was_to_be_called_when_all_is_sent_is_called_after_the_last_write():
    happened, over = [], asyncio.Event()
    first, last = (_DirectWire(daphnes(happened)) for _ in range(2))
    frames = [Frame.of({"ply": number}) for number in range(3)]
    first.write(frames[0])
    when_sent(happened.append, "sent")
    last.write(frames[1])
    first.write(frames[2])
    when_sent(over.set)
    assert happened == []
    await asyncio.wait_for(over.wait(), 5)
    assert happened == [frames[0].raw + frames[2].raw, frames[1].raw, "sent"]


async def test_where_nothing_is_to_be_sent_it_is_called_too():
    over = asyncio.Event()
    when_sent(over.set)
    await asyncio.wait_for(over.wait(), 5)


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


def test_a_reader_far_behind_is_cut_off_and_hurts_nobody(house):
    """One client asks and asks and never reads; the others play on."""
    server = house.open(house.store("sqlite"), SOCKET_RATE="0")
    mover, _, match_id = seat_two(server)
    client = open_without_reading(server, match_id)
    with pytest.raises(ConnectionError):
        ask_without_end(client)
    client.close()
    with mover.watch(match_id) as playing:
        assert playing.move(0, "1")["type"] == "accepted"
