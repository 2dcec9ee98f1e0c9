"""Pages that take long to make, asked for by many at once: everybody else goes on."""

from __future__ import annotations

import contextlib
import json
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import PAIRS, House
from tests.servers.test_fuzz import Others, memory
from tools.harness import subprocess_call
from tools.harness.patience import patience
from tools.harness.people import Person
from tools.harness.raw_websocket import Peer, frame

AT_ONCE, PLIES = 20, 3_000
P95 = 0.2
CROWD = 100
MEGABYTES = 50


def store_long_match(plies: int) -> str:
    """For `subprocess_call.call`: store a match with many moves taken back; return its id."""
    from random import Random

    from games.registry import GAMES
    from games.rules.base import Leave
    from lobby.models import User
    from tests.helpers.recorded import Recorder, stored

    match, rng = Recorder(GAMES["morris"]), Random(1)
    while len(match.entries) < plies:
        seat = match.state.turn
        match.play_on(rng, len(match.entries) + 1)
        match.take_back(seat)
    match.play_on(rng, len(match.entries) + 10)
    if match.outcome is None:
        match.play(Leave(match.state.turn))
    users = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    return str(stored(match, users).pk)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.full
def test_other_requests_are_answered_while_long_analyses_are_computed(house: House, pair: str) -> None:
    server = house.open(house.store(pair), SOCKET_RATE="0")
    match_id = subprocess_call.call(server.database_url, store_long_match, PLIES)
    files = ("analysis.json", "positions.json", "analysis")
    assert json.loads(server.get(f"/m/{match_id}/analysis.json").body)
    waits = []
    with Person(server).lobby() as lobby, ThreadPoolExecutor(AT_ONCE) as pool:
        asked = [pool.submit(server.get, f"/m/{match_id}/{files[n % 3]}") for n in range(AT_ONCE * 5)]
        while not all(each.done() for each in asked):
            begun = time.monotonic()
            lobby.send({"type": "ping", "t": begun})
            lobby.next("pong")
            waits.append(time.monotonic() - begun)
            time.sleep(0.01)
    answers = [each.result() for each in asked]
    assert {answer.status for answer in answers} == {200, 503}
    assert all("retry-after" in answer.headers for answer in answers if answer.status == 503)
    assert statistics.quantiles(waits, n=20)[-1] < patience(P95)
    assert server.get(f"/m/{match_id}.json").status == 200
    assert "Traceback" not in server.log


def test_a_long_history_is_told_in_pages(house: House) -> None:
    server = house.open(house.store("sqlite"))
    match_id = subprocess_call.call(server.database_url, store_long_match, 450)
    numbers: list[int] = []
    with Person(server).watch(match_id) as socket:
        while len(numbers) < socket.snapshot["ply"]:
            socket.send({"type": "sync", "after": len(numbers)})
            page = socket.next("plies")
            assert page["after"] == len(numbers)
            assert 0 < len(page["plies"]) <= 200
            numbers += [ply["number"] for ply in page["plies"]]
        assert page["outcome"] == socket.snapshot["outcome"]
    assert numbers == list(range(1, socket.snapshot["ply"] + 1))


@pytest.mark.full
@pytest.mark.parametrize("pair", PAIRS)
def test_a_crowd_that_asks_for_long_histories_holds_nobody_up(house: House, pair: str) -> None:
    """A hundred sockets of one address: long histories that nobody reads, then frames without a pause."""
    server = house.open(house.store(pair))
    match_id = subprocess_call.call(server.database_url, store_long_match, 900)
    path, sync = f"/ws/match/{match_id}", frame(b'{"type":"sync","after":0}')
    with Others(server):
        time.sleep(2)
    before = memory(server)
    peers = [Peer(server.port, path) for _ in range(CROWD)]

    def flood(peer: Peer) -> None:
        with contextlib.suppress(ConnectionError, TimeoutError):
            peer.send(sync * 45)
            for _ in range(100):
                peer.send(frame(b"x" * 16_000))

    # Few threads: all of this process share one interpreter with those who measure.
    with Others(server) as others, ThreadPoolExecutor(4) as pool:
        list(pool.map(flood, peers))
        time.sleep(5)
    grown = memory(server, "VmHWM") - before
    figures = {kind: round(others.p95(kind) * 1000) for kind in others.waits}
    print(json.dumps({"store": pair, "megabytes": round(grown), "others_p95_ms": figures}))  # noqa: T201
    assert grown < MEGABYTES
    assert max(map(others.p95, others.waits)) < patience(P95)


@pytest.mark.full
@pytest.mark.parametrize("pair", PAIRS)
def test_sockets_that_keep_to_every_limit_hold_nobody_up(house: House, pair: str) -> None:
    """Ten sockets of one address that ask for a long history again and again, and read it."""
    server = house.open(house.store(pair))
    match_id = subprocess_call.call(server.database_url, store_long_match, 900)
    with Others(server) as others, ThreadPoolExecutor(10) as pool:

        def ask(_: int) -> None:
            with Person(server).watch(match_id) as socket:
                ends = time.monotonic() + 10
                while time.monotonic() < ends:
                    socket.send({"type": "sync", "after": 0})
                    socket.next("plies")
                    time.sleep(0.1)

        list(pool.map(ask, range(10)))
    figures = {kind: round(others.p95(kind) * 1000) for kind in others.waits}
    print(json.dumps({"store": pair, "others_p95_ms": figures}))  # noqa: T201 - they are what it is run for
    assert max(map(others.p95, others.waits)) < patience(P95)
