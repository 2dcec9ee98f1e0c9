"""A channel layer that loses three of ten messages: nobody is behind for longer than two seconds.

Two processes on PostgreSQL and Redis, a player and watchers at each. What is measured is when a message
came, by a thread that does nothing else, against the moment that the ply itself bears.
"""

import random
import threading
import time
from datetime import datetime

import pytest

from tests.helpers.samples import in_full, sample
from tools.harness.lossy import lost
from tools.harness.patience import patience, wait_until
from tools.harness.people import Person, agree, command_id, seat_two

PROMISE = 2.0
"""Seconds after a ply, or after it may be known."""
MOVES = sample(20, 10)
DELAY = 3


@pytest.fixture(scope="module")
def servers(launcher):
    """Two processes of one site that miss three of ten words of each other, the same ones every time."""
    store = launcher.store("postgres+redis")
    settings = {"DJANGO_SETTINGS_MODULE": "tools.harness.lossy_settings", "SOCKET_RATE": "0"}
    return [launcher.open(store, LOSS_SEED=seed, **settings) for seed in ("one", "another")]


class Viewer:
    """A page that asks for nothing: what it heard of which ply, and when."""

    def __init__(self, person, match, server):
        self.socket = person.watch(match, server)
        self.last = None
        self.rematch = None
        self._heard = []
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self):
        while True:
            try:
                message = self.socket.receive()
            except TimeoutError:
                continue
            except Exception:  # the socket was closed, and the library has many ways to say so
                return
            self._hear(message, time.time())

    def _hear(self, message, when):
        if message["type"] == "plies" and message["plies"]:
            self._heard.append((when, message["plies"][-1]["number"]))
            self.last = message
        elif message["type"] == "rematch":
            # As a page does: messages of two processes may cross, and a rematch that has begun stays.
            self.rematch = message["match"] or self.rematch

    def knows(self, number):
        return any(known >= number for _, known in self._heard)

    def lateness(self, ply):
        """Seconds from a ply to hearing of it or of a later one: the last state is what counts."""
        heard = min(when for when, number in self._heard if number >= ply["number"])
        return heard - datetime.fromisoformat(ply["at"]).timestamp()

    def close(self):
        self.socket.close()
        self._reader.join()


@pytest.fixture
def opened():
    viewers = []
    yield viewers
    for viewer in viewers:
        viewer.close()


class Table:
    """A match with a player and two watchers at each process."""

    def __init__(self, servers, opened, delay=0):
        self.servers, self._opened = servers, opened
        *people, self.match = seat_two(servers[0])
        agree(servers[0], self.match, delay=delay)
        self.players = [self._open(*pair) for pair in zip(people, servers, strict=True)]
        self.watchers = [self._open(Person(server), server) for server in servers for _ in range(2)]

    def _open(self, person, server):
        viewer = Viewer(person, self.match, server)
        self._opened.append(viewer)
        return viewer

    def play(self, moves, check):
        """Random moves, the same every time; `check(ply)` after each."""
        choose = random.Random(7).choice
        told = self.players[0].socket.snapshot
        turn, legal = 0, told["legal"]
        plies = []
        for number in range(1, moves + 1):
            mover = self.players[turn]
            move = {"type": "move", "id": command_id(), "after": number - 1, "move": choose(legal)}
            mover.socket.send(move)
            everyone_knows(self.players, number)
            plies.append(mover.last["plies"][-1])
            check(plies[-1])
            turn = plies[-1]["state"]["turn"]
            legal = self.players[turn].last["legal"]
        return plies

    def losses(self):
        """How many messages to its pages were lost."""
        words = lost("match", f"match.{self.match}")
        return sum(server.log.count(words) for server in self.servers)


def everyone_knows(viewers, number):
    wait_until(lambda: all(viewer.knows(number) for viewer in viewers), f"ply {number} at every page", 20)


def test_every_page_has_the_last_state_within_two_seconds(servers, opened):
    table = Table(servers, opened)
    everyone = [*table.players, *table.watchers]

    def check(ply):
        everyone_knows(everyone, ply["number"])
        late = [viewer.lateness(ply) for viewer in everyone]
        assert max(late) <= patience(PROMISE), (ply["number"], late)

    table.play(MOVES, check)
    assert table.losses() >= MOVES / 5


@pytest.mark.full
def test_delayed_watcher_gets_lost_plies_within_two_seconds(servers, opened):
    table = Table(servers, opened, DELAY)
    plies = table.play(MOVES, check=lambda ply: None)
    assert table.losses() >= MOVES / 5
    everyone_knows(table.watchers, MOVES)
    for ply in plies:
        late = [viewer.lateness(ply) for viewer in table.watchers]
        assert min(late) >= DELAY, (ply["number"], late)
        assert max(late) <= DELAY + patience(PROMISE), (ply["number"], late)


@pytest.mark.parametrize("again", in_full(*range(4)))
def test_a_rematch_is_found_by_everyone(servers, opened, again):
    table = Table(servers, opened)
    table.players[1].socket.send({"type": "resign", "id": command_id(), "after": 0})
    everyone = [*table.players, *table.watchers]
    everyone_knows(everyone, 1)
    for player in table.players:
        player.socket.send({"type": "rematch", "id": command_id()})
    wait_until(lambda: all(viewer.rematch for viewer in everyone), "a rematch that everyone finds", 20)
    assert len({viewer.rematch for viewer in everyone}) == 1
