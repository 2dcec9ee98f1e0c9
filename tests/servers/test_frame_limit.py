"""Pings, pongs and fragments are limited as messages are."""

from __future__ import annotations

import struct

import pytest

from games.net.connection import CLOSE_TOO_MUCH
from tools.harness.raw_websocket import Peer, frame
from tools.harness.servers import ParlourServer

BURST = 50
"""What the default `SOCKET_RATE` lets a socket send at once."""
PING, PONG, CONTINUATION = 9, 10, 0


def fragment(opcode: int) -> bytes:
    """A frame after which the message goes on."""
    whole = frame(b"x", opcode)
    return bytes((whole[0] & 0x7F,)) + whole[1:]


FLOODS = {
    "pings": [frame(b"x", PING)],
    "pongs": [frame(b"x", PONG)],
    "fragments": [fragment(1), *[fragment(CONTINUATION)] * 2 * BURST],
}


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_control_frames_or_fragments_is_closed(sqlite_server: ParlourServer, kind: str) -> None:
    peer = Peer(sqlite_server.port, "/ws/lobby")
    peer.send(b"".join(FLOODS[kind] if kind == "fragments" else FLOODS[kind] * 2 * BURST))
    opcode, payload = peer.rest()[-1]
    assert (opcode, struct.unpack("!H", payload[:2])) == (8, (CLOSE_TOO_MUCH,))


def test_some_pings_at_once_are_answered(sqlite_server: ParlourServer) -> None:
    peer = Peer(sqlite_server.port, "/ws/lobby")
    peer.send(frame(b"x", PING) * (BURST // 2) + frame(struct.pack("!H", 1000), 8))
    assert [opcode for opcode, _ in peer.rest()].count(PONG) == BURST // 2
