"""Pages that take long to make, asked for by many at once: everybody else goes on."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bench.fault_injection.floods import HISTORIES_MEMORY, ask_and_flood, memory
from tests.conftest import PAIRS, Launcher
from tools.harness import subprocess_call
from tools.harness.people import Person
from tools.harness.recorded import store_long_match

AT_ONCE, PLIES = 20, 3_000


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.full
def test_other_requests_are_answered_while_long_analyses_are_computed(launcher: Launcher, pair: str) -> None:
    server = launcher.open(launcher.store(pair), SOCKET_RATE="0")
    match_id = subprocess_call.call(server.database_url, store_long_match, PLIES)
    files = ("analysis.json", "positions.json", "analysis")
    assert json.loads(server.get(f"/m/{match_id}/analysis.json").body)
    with Person(server).lobby() as lobby, ThreadPoolExecutor(AT_ONCE) as pool:
        asked = [pool.submit(server.get, f"/m/{match_id}/{files[n % 3]}") for n in range(AT_ONCE * 5)]
        pongs = 0
        while not all(each.done() for each in asked):
            lobby.send({"type": "ping", "t": pongs})
            assert lobby.next("pong")["t"] == pongs
            pongs += 1
            time.sleep(0.01)
    answers = [each.result() for each in asked]
    assert pongs > 1
    assert {answer.status for answer in answers} == {200, 503}
    assert all("retry-after" in answer.headers for answer in answers if answer.status == 503)
    assert server.get(f"/m/{match_id}.json").status == 200
    assert "Traceback" not in server.log


def test_a_long_history_is_told_in_pages(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"))
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
def test_memory_is_bounded_while_a_crowd_asks_for_long_histories(launcher: Launcher, pair: str) -> None:
    """What others wait meanwhile is measured by `make drills`."""
    server = launcher.open(launcher.store(pair))
    match_id = subprocess_call.call(server.database_url, store_long_match, 900)
    ask_and_flood(server, match_id)
    before = memory(server)
    ask_and_flood(server, match_id)
    assert memory(server, "VmHWM") - before < HISTORIES_MEMORY
    assert server.get(f"/m/{match_id}.json").status == 200
    assert "Traceback" not in server.log
