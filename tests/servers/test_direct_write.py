"""The fast path of daphne: short frames parsed here, and frames written to the TCP socket."""

import asyncio
import json
import os
from types import SimpleNamespace

import pytest
from websockets.sync.client import connect

from config.daphne.fast_path import DirectConnection, short_text
from games.net.hub import Frame
from tools.harness.patience import patience
from tools.harness.servers import served_by


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
def test_short_text_of_other_frames_is_none(data):
    assert short_text(data) is None


def protocol(taken):
    """What a direct connection needs of daphne. Its socket takes everything at once."""

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


async def test_connection_after_flush_calls_back_after_last_write():
    happened, over = [], asyncio.Event()
    first, last = (DirectConnection(protocol(happened), print) for _ in range(2))
    frames = [Frame.of({"ply": number}) for number in range(3)]
    first.write(frames[0])
    first.after_flush(happened.append, "sent")
    last.write(frames[1])
    first.write(frames[2])
    last.after_flush(over.set)
    assert happened == []
    await asyncio.wait_for(over.wait(), patience(5))
    assert happened == [frames[0].raw + frames[2].raw, frames[1].raw, "sent"]


SITE = """
from config import server

def site():
    # Daphne and the reactor are in place now.
    import daphne.ws_protocol as ws
    from config.asgi import application
    from config.daphne import fast_path

    def told(name, function):
        def tell(*arguments):
            print(name, flush=True)
            return function(*arguments)
        return tell

    fast_path.DirectConnection.write = told("direct", fast_path.DirectConnection.write)
    ws.WebSocketProtocol.serverSend = told("daphne sends", ws.WebSocketProtocol.serverSend)
    ws.WebSocketProtocol.processData = told("autobahn parses", ws.WebSocketProtocol.processData)
    return application

server.build("127.0.0.1", 0, site).run()
"""


def test_a_socket_of_daphne_uses_the_fast_path(launcher, var_dir):
    store = launcher.store("sqlite")
    with served_by(SITE, DATABASE_URL=store.database_url, VAR_DIR=str(var_dir)) as (process, port):
        with connect(f"ws://127.0.0.1:{port}/ws/lobby", proxy=None) as socket:
            assert json.loads(socket.recv(patience(20)))["type"] == "lobby"
            socket.send('{"type": "ping", "t": 1}')
            while json.loads(socket.recv(patience(20)))["type"] != "pong":
                pass
            process.terminate()
        said = set(process.stdout.read().split("\n")) - {""}
    # The close handshake is parsed by autobahn in any case.
    assert said - {"autobahn parses"} == {"direct"}
