"""Pages that take long to make, asked for by many at once: everybody else goes on."""

from __future__ import annotations

import json
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import PAIRS, House
from tools.harness import inside
from tools.harness.patience import patience
from tools.harness.people import Person

AT_ONCE, PLIES = 20, 3_000
P95 = 0.2


def store_long_match() -> str:
    """What `inside.call` has done in a process of the site: a match with many moves taken back; its id."""
    from random import Random

    from games.registry import GAMES
    from games.rules.base import Leave
    from lobby.models import User
    from tests.helpers.recorded import Recorder, stored

    match, rng = Recorder(GAMES["morris"]), Random(1)
    while len(match.entries) < PLIES:
        seat = match.state.turn
        match.play_on(rng, len(match.entries) + 1)
        match.take_back(seat)
    match.play_on(rng, len(match.entries) + 10)
    if match.outcome is None:
        match.play(Leave(match.state.turn))
    users = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    return str(stored(match, users).pk)


@pytest.mark.parametrize("pair", PAIRS)
def test_long_analyses_hold_nobody_up(house: House, pair: str) -> None:
    server = house.open(house.store(pair), SOCKET_RATE="0")
    match_id = inside.call(server.database_url, store_long_match)
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
