"""A ply is told to nobody before it is stored, however long storing it takes."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from typing import Any

import psycopg
import pytest

from tests.conftest import PAIRS, Launcher
from tests.helpers.samples import in_full
from tools.harness.patience import patience
from tools.harness.people import Person, Socket, command_id, plies_up_to, seat_two
from tools.harness.servers import ParlourServer


def written_by_nobody(server: ParlourServer) -> contextlib.AbstractContextManager[Any]:
    """As long as this is open, others may read and nobody may store a ply."""
    if server.database_url.startswith("sqlite:///"):
        path = server.database_url.removeprefix("sqlite:///")
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        return contextlib.closing(other)
    locked = psycopg.connect(server.database_url)
    locked.execute("LOCK TABLE games_ply IN EXCLUSIVE MODE")
    return contextlib.closing(locked)


@pytest.mark.parametrize("pair", in_full("postgres+redis", "sqlite"))
def test_ply_not_announced_before_stored(launcher: Launcher, pair: str) -> None:
    store = launcher.store(pair)
    here, there = launcher.open(store), launcher.open(store)
    mover, other, match_id = seat_two(here)
    with (
        mover.watch(match_id) as first,
        mover.watch(match_id) as again,
        other.watch(match_id) as second,
        Person(here).watch(match_id) as watcher,
        Person(there).watch(match_id, there) as elsewhere,
    ):
        everybody = [again, second, watcher, elsewhere]
        with written_by_nobody(here):
            first.send({"type": "move", "id": command_id(), "after": 0, "move": "1"})
            for number in range(20):
                assert all(ply_known(socket, number) == 0 for socket in everybody)
        accepted = first.next("accepted")
        assert accepted["ply"] == 1
        (row,) = here.rows("SELECT action FROM games_ply WHERE match_id = ?", match_id)
        sockets = everybody if store.redis_url else everybody[:-1]
        for socket in sockets:
            assert plies_up_to(socket, 1)["plies"][0]["action"] == row[0]


def ply_known(socket: Socket, number: int) -> int:
    """The last ply that a socket is told; whatever it heard before comes before the answer."""
    socket.send({"type": "ping", "t": number})
    pong = socket.next("pong")
    assert not [each for each in socket.heard if each["type"] == "plies"]
    return int(pong["ply"])


@pytest.mark.parametrize("pair", PAIRS)
def test_ply_announced_is_stored(launcher: Launcher, pair: str) -> None:
    """Each ply is looked up past the server, by a connection of its own, as soon as somebody hears of it."""
    server = launcher.open(launcher.store(pair), SOCKET_RATE="0")
    *people, match_id = seat_two(server, preset="kalaha")
    missing: list[int] = []

    def look(watcher: Socket) -> None:
        while True:
            message = watcher.next("plies")
            for ply in message["plies"]:
                asked = "SELECT action FROM games_ply WHERE match_id = ? AND number = ?"
                if server.rows(asked, match_id, ply["number"]) != [(ply["action"],)]:
                    missing.append(ply["number"])
            if message["outcome"] is not None:
                return

    with (
        people[0].watch(match_id) as first,
        people[1].watch(match_id) as second,
        Person(server).watch(match_id) as watcher,
    ):
        looking = threading.Thread(target=look, args=[watcher])
        looking.start()
        sockets, turn, after = (first, second), first.snapshot["state"]["turn"], 0
        legal = sockets[turn].snapshot["legal"]
        for _ in range(10):
            after = sockets[turn].move(after, legal[0])["ply"]
            heard = [plies_up_to(socket, after) for socket in sockets]
            turn = heard[0]["plies"][-1]["state"]["turn"]
            legal = heard[turn]["legal"]
        assert first.ask({"type": "resign", "id": command_id(), "after": after})["type"] == "accepted"
        looking.join(patience(30))
    assert not looking.is_alive()
    assert missing == []
