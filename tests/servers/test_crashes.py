"""Servers and services die in the middle; what was acknowledged stays, and play goes on."""

import asyncio
import random
import time

import pytest

from tests.conftest import PAIRS, Store
from tests.helpers.samples import FULL, sample
from tools.harness import prepared
from tools.harness.patience import wait_until
from tools.harness.people import command_id, seat_two
from tools.harness.reconnecting import Player, check_store
from tools.harness.services import Redis
from tools.programs import redis_server

MATCHES = sample(20, 8)
KILLS = (40, 100, 160) if FULL else (30, 80)
"""So many plies are acknowledged before each kill."""


def seat_many(server, endpoints, matches, enough):
    players = []
    for number in range(matches):
        *people, match_id = seat_two(server, preset="kalaha")
        choose = random.Random(number)
        players += [Player(endpoints, person, match_id, enough, choose) for person in people]
    return players


async def play_all(players, disturb):
    """Play until everyone is done, with `disturb` going on beside."""
    playing = asyncio.gather(*(player.play() for player in players))
    await asyncio.to_thread(disturb, lambda: sum(len(player.acknowledged) for player in players))
    await playing


@pytest.mark.parametrize("pair", PAIRS)
async def test_kill_9_under_load_loses_no_acknowledged_ply(launcher, pair):
    server = await asyncio.to_thread(lambda: launcher.open(launcher.store(pair), SOCKET_RATE="0"))
    players = await asyncio.to_thread(seat_many, server, lambda: server, MATCHES, 16)

    def kill(acknowledged):
        for more in KILLS:
            wait_until(lambda more=more: acknowledged() > more, "playing on")  # type: ignore[misc]
            server.kill9()
            server.restart()

    await play_all(players, kill)
    check_store(server, players)
    assert sum(len(player.acknowledged) for player in players) > KILLS[-1]


async def test_sigterm_players_reconnect_and_no_ply_lost(launcher):
    """SIGTERM instead of a crash: sockets are closed with 4012 and nothing is lost either."""
    server = await asyncio.to_thread(lambda: launcher.open(launcher.store("sqlite"), SOCKET_RATE="0"))
    players = await asyncio.to_thread(seat_many, server, lambda: server, 5, 20)

    def ask_to_end(acknowledged):
        wait_until(lambda: acknowledged() > 20, "playing on")
        assert server.terminate() == 0
        server.start()

    await play_all(players, ask_to_end)
    check_store(server, players)


async def test_matches_go_on_when_one_of_two_processes_is_killed(launcher):
    """Each connection goes to either process by lot, and one of them is killed on the way."""
    store = await asyncio.to_thread(launcher.store, "postgres+redis")
    servers = [await asyncio.to_thread(launcher.open, store, SOCKET_RATE="0") for _ in range(2)]
    lot = random.Random(1)
    players = await asyncio.to_thread(seat_many, servers[0], lambda: lot.choice(servers), 6, 16)

    def kill_one(acknowledged):
        wait_until(lambda: acknowledged() > 20, "playing on")
        servers[0].kill9()
        servers[0].restart()

    await play_all(players, kill_one)
    check_store(servers[1], players)


@pytest.fixture
def own_redis():
    redis = Redis(redis_server() or pytest.skip("redis-server is not installed"))
    yield redis.start()
    redis.discard()


def test_redis_down_plies_reach_other_process(launcher, own_redis):
    """The store is what counts: a process looks for plies that the layer did not bring."""
    store = Store(launcher.store("postgres+redis").database_url, own_redis.url())
    here, there = launcher.open(store), launcher.open(store)
    mover, _, match_id = seat_two(here)
    with mover.watch(match_id) as playing, mover.watch(match_id, there) as watching:
        own_redis.kill9()
        assert playing.move(0, "1")["type"] == "accepted"
        assert watching.next("plies")["plies"][-1]["number"] == 1
        own_redis.restart()
        assert playing.snapshot["you"] == 0


def test_an_invalid_match_id_does_not_break_the_channel_layer(launcher):
    store = launcher.store("postgres+redis")
    here, there = launcher.open(store), launcher.open(store)
    mover, _, match_id = seat_two(here)
    assert mover.watch("a~b").closed_with() == 4404
    with mover.watch(match_id) as playing, mover.watch(match_id, there) as watching:
        playing.move(0, "1")
        assert watching.next("plies")["plies"][-1]["number"] == 1


def test_a_database_that_is_away_acknowledges_nothing(launcher, own_postgres):
    server = launcher.open(Store(own_postgres.url(prepared.POSTGRES_TEMPLATE)))
    mover, _, match_id = seat_two(server)
    message = {"type": "move", "id": command_id(), "after": 0, "move": "1"}
    with mover.watch(match_id) as socket:
        own_postgres.kill9()
        answer = socket.ask(message)
        assert (answer["type"], answer["code"]) == ("refused", "unavailable")
        own_postgres.restart()
        deadline = time.monotonic() + 30
        while answer["type"] == "refused":
            assert answer["code"] == "unavailable"
            assert time.monotonic() < deadline
            answer = socket.ask(message)
        assert answer == {"type": "accepted", "id": message["id"], "ply": 1}
    assert server.rows("SELECT number, command FROM games_ply WHERE match_id = ?", match_id) == [
        (1, message["id"])
    ]
