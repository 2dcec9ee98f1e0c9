"""Many come at once, or one of them says far too much: those who are inside hardly notice."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from bench.fault_injection.floods import Inside, memory
from tests.conftest import PAIRS, Launcher
from tools.harness.patience import patience
from tools.harness.people import guest, seat_two
from tools.harness.raw_websocket import Peer, frame
from tools.harness.servers import ParlourServer

AT_ONCE = 150
IN_SECONDS = 10.0
HELD_UP = 1.0
"""Seconds that nobody inside waits while a server does one thing after the other; drills measure how long."""
SLOWLY = 0.12
"""Seconds between two questions of somebody who has a limit."""
PINGS = 10_000
GROWTH = 16 * 1024 * 1024


async def come_in(server: ParlourServer, paths: list[tuple[str, dict[str, str]]]) -> float:
    """Open all of these at once; seconds until the last has been told what it came for."""

    async def one(path: str, headers: dict[str, str]) -> None:
        address = f"{server.ws_url}{path}"
        async with connect(
            address, origin=Origin(server.url), additional_headers=headers, proxy=None, open_timeout=30
        ) as opened:
            assert json.loads(await asyncio.wait_for(opened.recv(), patience(30)))["type"] in (
                "lobby",
                "snapshot",
            )

    began = time.monotonic()
    await asyncio.gather(*(one(*each) for each in paths))
    return time.monotonic() - began


@pytest.mark.parametrize("pair", PAIRS)
def test_many_come_at_once_and_those_inside_go_on(launcher: Launcher, pair: str) -> None:
    server = launcher.open(launcher.store(pair), SOCKET_RATE="0", SOCKETS_PER_PERSON="0")
    mover, other, match_id = seat_two(server)
    newcomer = guest(server)
    paths = [
        (f"/ws/match/{match_id}", other.headers()) if number % 2 else ("/ws/lobby", newcomer.headers())
        for number in range(AT_ONCE)
    ]
    inside = Inside(server)
    with inside.asking(mover, match_id):
        took = asyncio.run(come_in(server, paths))
    assert took < patience(IN_SECONDS)
    assert inside.p95 < patience(HELD_UP)


def say_for_ever(peer: Peer, said: bytes) -> None:
    """Send it until the connection is cut."""
    while True:
        peer.send(said * PINGS)


def test_pings_of_somebody_who_reads_nothing(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"))
    mover, _, match_id = seat_two(server)
    before, inside = memory(server), Inside(server, SLOWLY)
    with inside.asking(mover, match_id):
        for opcode in (9, 10, 0):
            with pytest.raises((ConnectionResetError, BrokenPipeError)):
                say_for_ever(Peer(server.port, "/ws/lobby"), frame(b"", opcode))
    assert max(inside.waits) < patience(HELD_UP)
    assert memory(server) - before < GROWTH


def test_pings_above_rate_close_socket(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"))
    peer = Peer(server.port, "/ws/lobby")
    peer.send(frame(b"", 9) * 60)
    assert peer.rest()[-1] == (8, (4008).to_bytes(2, "big"))


def test_pings_as_browsers_and_libraries_send_them_are_answered(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"))
    peer = Peer(server.port, "/ws/lobby")
    for number in range(3):
        peer.send(frame(bytes([number]), 9))
    peer.send(frame((1000).to_bytes(2, "big"), 8))
    assert [payload for opcode, payload in peer.rest() if opcode == 10] == [b"\0", b"\1", b"\2"]
