"""Whoever is refused reads why, whatever they have sent and however late they read; nobody stays for ever."""

from __future__ import annotations

import contextlib
import json
import signal
import struct
import subprocess

import pytest

from tests.helpers.pinging_server import PINGING_SERVER
from tests.helpers.samples import sample
from tools.harness.patience import wait_until
from tools.harness.people import Person, agree, guest, seat_two
from tools.harness.raw_websocket import Peer, frame
from tools.harness.servers import ParlourServer, served_by

AT_ONCE = sample(30, 8)
PING = b'{"type": "ping", "t": 1}'
ESTABLISHED, CLOSED, CLOSED_BY_PEER = 1, 7, 8
"""States of a connection as Linux counts them: CLOSED is what a reset leaves."""

SERVER = """
from config import server
from config.daphne import websocket_close

websocket_close.LINGER_SECONDS = {seconds}

async def application(scope, receive, send):
    await receive()
    await send({{"type": "websocket.accept"}})
    await send({{"type": "websocket.close", "code": 4404}})
    while (await receive())["type"] != "websocket.disconnect":
        pass
    print("gone", flush=True)

server.build("127.0.0.1", 0, lambda: application).run()
"""


def close_frame(code: int) -> bytes:
    """A close frame as servers send it."""
    return b"\x88\x02" + struct.pack("!H", code)


CLOSE = frame(struct.pack("!H", 1000), 8)


@pytest.fixture(scope="module")
def match(sqlite_server: ParlourServer) -> str:
    """A match that only its players see."""
    *_, match_id = seat_two(sqlite_server)
    agree(sqlite_server, match_id, watchable=False)
    return match_id


@pytest.fixture(scope="module")
def watcher(sqlite_server: ParlourServer) -> Person:
    return guest(sqlite_server)


REFUSALS = {
    "signed-out": (4401, "/ws/me"),
    "players-only": (4403, "/ws/match/{match}"),
    "unknown-match": (4404, "/ws/chat/nowhere"),
    "unknown-address": (4404, "/ws/nowhere"),
    "unknown-version": (4406, "/ws/lobby"),
    "too-fast": (4008, "/ws/lobby"),
}


def refused(server: ParlourServer, watcher: Person, path: str, error: str) -> Peer:
    headers = {} if error == "signed-out" else watcher.headers()
    if error == "unknown-version":
        headers["Sec_WebSocket_Protocol"] = "parlour.v999"
    return Peer(server.port, path, **headers)


def told(frames: list[tuple[int, bytes]]) -> tuple[str, int]:
    """The code of the error, and that of the close, which are the last two frames."""
    (_, message), (opcode, payload) = frames[-2:]
    assert opcode == 8
    return json.loads(message)["code"], struct.unpack("!H", payload[:2])[0]


@pytest.mark.parametrize("leaves", [False, True], ids=["stays", "leaves"])
@pytest.mark.parametrize("error", REFUSALS)
def test_a_refused_socket_that_reads_late_gets_the_reason(sqlite_server, match, watcher, error, leaves):
    code, path = REFUSALS[error]
    much = frame(PING) * (60 if error == "too-fast" else 20)
    peers = [refused(sqlite_server, watcher, path.format(match=match), error) for _ in range(AT_ONCE)]
    for peer in peers:
        peer.send(much)
    for peer in peers:
        if leaves:
            wait_until(lambda peer=peer: peer.unread.endswith(close_frame(code)), "the refusal")
            peer.send(CLOSE)
        wait_until(lambda peer=peer: peer.state != ESTABLISHED, "the close")
        # It may be on its way while the server closes, too.
        peer.send(frame(PING))
    for peer in peers:
        wait_until(lambda peer=peer: peer.state == CLOSED or not peer.unacknowledged, "the arrival")
    assert [peer.state for peer in peers] == [CLOSED_BY_PEER] * AT_ONCE
    assert [told(peer.rest()) for peer in peers] == [(error, code)] * AT_ONCE


def test_a_message_that_is_too_long_is_told_so(sqlite_server):
    peer = Peer(sqlite_server.port, "/ws/lobby")
    peer.send(frame(bytes(20_000)) * 20)
    wait_until(lambda: peer.state != ESTABLISHED, "the close")
    opcode, payload = peer.rest()[-1]
    assert (opcode, struct.unpack("!H", payload[:2])) == (8, (1009,))


def lingering(seconds: float) -> contextlib.AbstractContextManager[tuple[subprocess.Popen[str], int]]:
    """A server that refuses everybody and then lingers for so long, and its port."""
    return served_by(SERVER.format(seconds=seconds))


def test_who_does_not_leave_is_let_go_in_time():
    with lingering(0.5) as (process, port):
        peer = Peer(port, "/")
        assert process.stdout.readline() == "gone\n"
        assert peer.rest() == [(8, struct.pack("!H", 4404))]


def test_who_leaves_is_not_waited_for():
    with lingering(3600) as (process, port):
        peer = Peer(port, "/")
        peer.send(CLOSE)
        assert peer.rest() == [(8, struct.pack("!H", 4404))]
        assert process.stdout.readline() == "gone\n"


@pytest.mark.parametrize("leave", [b"", CLOSE], ids=["while it closes", "while it lingers"])
def test_who_goes_on_and_on_is_let_go_at_once(leave):
    with lingering(3600) as (process, port):
        peer = Peer(port, "/")
        peer.send(leave)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            peer.send(frame(bytes(10_000)) * 10_000)
        assert process.stdout.readline() == "gone\n"


def test_connections_that_are_reset_while_data_lies_unread_are_ended():
    with served_by(PINGING_SERVER) as (process, port):
        # The ping of the first used to raise, which ended the timer of all pings.
        for _ in range(2):
            peer = Peer(port, "/")
            # It finds data and the reset at once.
            process.send_signal(signal.SIGSTOP)
            peer.send(frame(bytes(10_000)) * 20)
            peer.reset()
            process.send_signal(signal.SIGCONT)
            assert process.stdout.readline() == "gone\n"
