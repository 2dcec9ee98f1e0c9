"""Sockets that the server closes, connections that are reset, and peers that are gone."""

from __future__ import annotations

import json
import signal
import struct
from contextlib import closing, suppress

import pytest
from websockets.sync.client import connect

from tests.helpers.pinging_server import PINGING_SERVER
from tools.harness.patience import patience, wait_until, within
from tools.harness.people import Person, agree, guest, seat_two
from tools.harness.raw_websocket import Peer, frame, parsed
from tools.harness.servers import ParlourServer, served_by

PING = b'{"type": "ping", "t": 1}'


def close_code(peer: Peer) -> int | None:
    """The code of the close frame that has come, if any."""
    codes = [payload for opcode, payload in parsed(peer.unread) if opcode == 8]
    return int.from_bytes(codes[0][:2], "big") if codes else None


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


@pytest.mark.parametrize("error", REFUSALS)
def test_refused_socket_gets_the_reason(sqlite_server, match, watcher, error):
    code, path = REFUSALS[error]
    peer = refused(sqlite_server, watcher, path.format(match=match), error)
    if error == "too-fast":
        peer.send(frame(PING) * 60)
    wait_until(lambda: close_code(peer) == code, "the refusal")
    assert told(parsed(peer.unread)) == (error, code)


def test_message_that_is_too_long_is_refused_with_1009(sqlite_server):
    peer = Peer(sqlite_server.port, "/ws/lobby")
    peer.send(frame(bytes(20_000)))
    wait_until(lambda: close_code(peer) == 1009, "the close frame")


def test_peer_that_answers_no_ping_is_closed():
    with (
        served_by(PINGING_SERVER) as (_, port),
        connect(f"ws://127.0.0.1:{port}/", proxy=None) as living,
        closing(Peer(port, "/")._socket) as dead,
    ):
        with within(8), suppress(ConnectionResetError):
            while dead.recv(4096):
                pass
        assert living.ping().wait(patience(10))
        assert living.protocol.state.name == "OPEN"


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
