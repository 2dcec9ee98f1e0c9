"""Clocks of running servers: flags fall once whoever looks, and a crash costs nobody any time."""

import re
import threading
import time

import pytest

from tests.conftest import PAIRS
from tests.helpers.samples import in_full
from tools.harness.patience import wait_until
from tools.harness.people import Person, command_id
from tools.harness.timed import timed_match

BLITZ = "0.05+0"
AWAY = 3.0
"""Seconds without a server, which must not be charged to anybody."""


def guest(server):
    """Somebody with a name."""
    person = Person(server)
    person.become_guest()
    person.name = re.search(r'data-me="([^"]+)"', person.get("/"))[1]  # type: ignore[attr-defined]
    return person


def begin(server, clock, **more):
    """Two guests at a new match, and its id."""
    people = [guest(server), guest(server)]
    return (*people, timed_match(server, clock, [person.name for person in people], **more))


def stored(server, match_id):
    rows = server.rows("SELECT action FROM games_ply WHERE match_id = ? ORDER BY number", match_id)
    return [action for (action,) in rows]


def first_plies(first, second):
    """Both seats make their first moves; the clock of seat 0 runs from now on."""
    assert first.move(0, "1")["type"] == "accepted"
    assert second.move(1, "1")["type"] == "accepted"


@pytest.mark.parametrize("pair", in_full("postgres+redis", "sqlite"))
def test_two_processes_let_a_flag_fall_once_and_every_viewer_sees_it(launcher, pair):
    store = launcher.store(pair)
    servers = [launcher.open(store) for _ in range(2)]
    here, there, match_id = begin(servers[0], BLITZ)
    with (
        here.watch(match_id) as first,
        there.watch(match_id) as second,
        Person(servers[1]).watch(match_id, servers[1]) as watcher,
    ):
        first_plies(first, second)
        assert watcher.snapshot["match"]["clock"]["initial"] == 3_000
        ends = []
        # With SQLite there is no layer between the processes, and who is at the other one sees no plies.
        for socket in (first, second, watcher) if store.redis_url else (first, second):
            while (message := socket.next("plies"))["outcome"] is None:
                pass
            ends.append(message)
    assert all(end["plies"] == ends[0]["plies"] for end in ends)
    assert ends[0]["plies"][-1]["action"] == "left:0:time"
    assert ends[0]["outcome"]["winners"] == [1]
    assert ends[0]["plies"][-1]["clocks"]["running"] is None
    assert stored(servers[0], match_id) == ["1", "1", "left:0:time"]


@pytest.mark.full
@pytest.mark.parametrize("pair", in_full("postgres+redis", "sqlite"))
def test_a_move_at_the_end_of_the_time_is_accepted_or_out_of_time(launcher, pair):
    """Moves of many matches come over two processes, from just before the end to just after it."""
    store = launcher.store(pair)
    servers = [launcher.open(store) for _ in range(2)]
    people = [guest(servers[0]), guest(servers[0])]
    names = [person.name for person in people]
    answers = {}

    def race(match_id, early):
        with people[0].watch(match_id) as first, people[1].watch(match_id, servers[1]) as second:
            first.move(0, "1")
            answer = second.move(1, "1")
            time.sleep(3 + 0.45 - early)
            answers[match_id] = first.ask({"type": "move", "id": command_id(), "after": 2, "move": "2"})
            assert answer["type"] == "accepted"

    ids = [timed_match(servers[0], BLITZ, names) for _ in range(8)]
    threads = [
        threading.Thread(target=race, args=[match_id, 0.12 * number]) for number, match_id in enumerate(ids)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(answers) == set(ids)
    for match_id, answer in answers.items():
        third = stored(servers[0], match_id)[2:]
        if answer["type"] == "accepted":
            assert third[0] == "2"
        else:
            assert third == ["left:0:time"]
            assert answer["code"] in ("out-of-time", "stale")


@pytest.mark.parametrize("pair", PAIRS)
def test_a_crash_costs_no_time_in_a_live_match(launcher, pair):
    server = launcher.open(launcher.store(pair))
    here, there, match_id = begin(server, "5+0")
    with here.watch(match_id) as first, there.watch(match_id) as second:
        began = time.time()
        first_plies(first, second)
        server.kill9()
    went = time.time()
    time.sleep(AWAY)
    back = time.time()
    server.restart()
    with here.watch(match_id) as first, there.watch(match_id) as second:
        assert first.move(2, "2")["type"] == "accepted"
        charged = 300_000 - second.next("plies")["plies"][-1]["clocks"]["left"][0]
        assert charged / 1000 < (went - began) + (time.time() - back)


def test_a_flag_that_was_due_while_every_process_was_down_falls_when_one_is_back(launcher):
    """In a slow match, where days are days. Nobody looks at it."""
    server = launcher.open(launcher.store("sqlite"))
    people = [guest(server), guest(server)]
    server.kill9()
    match_id = timed_match(server, "1d", [person.name for person in people], age=86_400 + 60)
    server.restart()
    wait_until(lambda: stored(server, match_id) == ["left:0:time"], "the flag")
    rows = server.rows("SELECT status, deadline FROM games_match WHERE id = ?", match_id)
    assert rows == [("finished", None)]


def test_a_match_to_which_nobody_comes_is_aborted(launcher):
    server = launcher.open(launcher.store("sqlite"))
    here, _, match_id = begin(server, "5+3", age=58)
    with here.watch(match_id) as first:
        while (message := first.next("plies"))["outcome"] is None:
            pass
    assert message["plies"][-1]["action"] == "aborted:0"
    assert message["outcome"] == {"winners": [], "reason": "aborted", "scores": []}


@pytest.mark.full
def test_the_lag_of_players_is_measured_and_that_of_watchers_is_not(launcher):
    server = launcher.open(launcher.store("sqlite"))
    here, there, match_id = begin(server, "5+3")
    with (
        here.watch(match_id) as first,
        there.watch(match_id) as second,
        Person(server).watch(match_id) as other,
    ):
        probe = first.next("probe")
        time.sleep(0.3)
        first.send(probe)
        first_plies(first, second)
        began = second.heard[-2]["plies"][-1]["clocks"]
        time.sleep(1)
        first.move(2, "2")
        while (after := second.next("plies")["plies"][-1])["number"] < 3:
            pass
        elapsed = after["clocks"]["at"] - began["at"]
        credit = after["clocks"]["left"][0] - (300_000 + 3_000 - elapsed)
        assert 145 <= credit <= 500
        other.send({"type": "ping", "t": 1})
        other.next("pong")
    assert "probe" not in [message["type"] for message in other.heard]


def test_a_match_without_a_clock_probes_nobody(launcher):
    server = launcher.open(launcher.store("sqlite"))
    here, _, match_id = begin(server, "")
    with here.watch(match_id) as first:
        assert first.snapshot["match"]["clock"] is None
        assert "clocks" not in first.snapshot
        first.send({"type": "ping", "t": 1})
        first.next("pong")
        first.move(0, "1")
    assert "probe" not in [message["type"] for message in first.heard]
