"""The life of a match on real servers: what is agreed at one process holds at another and after a restart."""

import pytest

from tests.conftest import PAIRS
from tools.harness.people import Person, command_id, seat_two

SETTINGS = {"SOCKET_RATE": "0", "ABSENCE_SECONDS": "0.5", "BOT_PROCESSES": "1"}
"""Without a clock people wait for twice that."""


@pytest.fixture(scope="module", params=PAIRS)
def server(request, launcher):
    return launcher.open(launcher.store(request.param), **SETTINGS)


def offer(socket, kind, after):
    return socket.ask({"type": "offer", "id": command_id(), "after": after, "kind": kind})


def claim(socket, kind, after):
    """Claim again and again until it is granted: the wait is the server's to measure."""
    while True:
        answer = socket.ask({"type": "claim", "id": command_id(), "after": after, "kind": kind})
        if answer["type"] == "accepted" or answer["code"] != "still-here":
            return answer


def seat_three(server):
    people = [Person(server) for _ in range(3)]
    for person in people:
        person.become_guest()
    people[0].post("/new/cantstop", preset="strict", seats="3", first="host")
    for other in people[1:]:
        other.post(f"{people[0].path}/sit")
    return people, people[2].path.removeprefix("/m/")


def until(socket, action):
    """Hear plies until one has that text."""
    while True:
        message = socket.next("plies")
        if message["plies"][-1]["action"] == action:
            return message


def test_saved_at_one_process_and_taken_up_at_another_after_a_restart(launcher):
    store = launcher.store("postgres+redis")
    servers = [launcher.open(store, **SETTINGS) for _ in range(2)]
    host, other, match = seat_two(servers[0])
    with host.watch(match) as first, other.watch(match, servers[1]) as second:
        first.move(0, "1")
        until(second, "1")
        assert offer(second, "save", 1)["type"] == "accepted"
        assert until(first, "saved:1")["plies"][-1]["number"] == 2
    for server in servers:
        server.restart()
    with host.watch(match, servers[1]) as first, other.watch(match, servers[0]) as second:
        assert (first.snapshot["halted"], first.snapshot["ply"]) == ("saved", 2)
        state = first.snapshot["state"]
        offer(first, "resume", 2)
        assert [each["by"] for each in second.next("offers")["offers"]] == [0]
        offer(second, "resume", 2)
        going_on = until(first, "resumed:0")
        assert going_on["plies"][-1]["state"] == state
        assert second.move(3, "1")["type"] == "accepted"


def test_an_offer_is_answered_again_as_before(server):
    host, other, match = seat_two(server)
    with host.watch(match) as first, other.watch(match) as second:
        offer(first, "draw", 0)
        second.next("offers")
        agreeing = {"type": "offer", "id": command_id(), "after": 0, "kind": "draw"}
        assert [second.ask(agreeing) for _ in range(3)] == [second.heard[-1]] * 3
        assert second.heard[-1]["ply"] == 1
    rows = server.rows("SELECT action FROM games_ply WHERE match_id = ?", match)
    assert rows == [("agreed:0",)]


def test_absent_player_claimed_by_present_one(server):
    host, other, match = seat_two(server)
    with other.watch(match) as second:
        with host.watch(match):
            assert claim_at_once(second)["code"] == "still-here"
        assert claim(second, "win", 0)["type"] == "accepted"
        assert second.heard[-2]["outcome"]["reason"] == "abandoned"


def claim_at_once(socket):
    return socket.ask({"type": "claim", "id": command_id(), "after": 0, "kind": "win"})


@pytest.mark.full
def test_a_bot_plays_for_who_went_away_until_they_are_back(server):
    people, match = seat_three(server)
    with people[1].watch(match) as second, people[2].watch(match):
        assert claim(second, "caretaker", 0)["type"] == "accepted"
        turn = 0
        while turn == 0:
            message = second.next("plies")
            turn = message["plies"][-1]["state"]["turn"]
        assert turn == 1
        after = message["plies"][-1]["number"]
        with people[0].watch(match) as first:
            assert first.snapshot["caretaken"] == [0]
            answer = first.ask({"type": "reclaim", "id": command_id(), "after": after})
            assert answer["type"] == "accepted"
        until(second, "reclaimed:0")


def test_a_malformed_offer_is_refused(server):
    host, _, match = seat_two(server)
    with host.watch(match) as socket:
        for wrong in ({"kind": "bribe"}, {}, {"kind": "draw", "after": -1}, {"kind": "draw", "more": 1}):
            answer = socket.ask({"type": "offer", "id": command_id(), "after": 0, **wrong})
            assert (answer["type"], answer["code"]) == ("refused", "malformed")
        assert (
            socket.ask({"type": "claim", "id": command_id(), "after": 0, "kind": "all"})["code"]
            == "malformed"
        )
    assert server.rows("SELECT count(*) FROM games_ply WHERE match_id = ?", match) == [(0,)]
