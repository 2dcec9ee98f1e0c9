"""The match socket over real connections, to servers on SQLite and on PostgreSQL + Redis."""

import contextlib
import json
import random
import threading

import pytest
from websockets.exceptions import ConnectionClosed

from tools.harness.patience import wait_until
from tools.harness.people import Person, command_id, play_out, seat_two
from tools.harness.raw_websocket import Peer, frame


@pytest.fixture
def seated(server):
    return seat_two(server)


@pytest.fixture
def first(seated):
    with seated[0].watch(seated[2]) as socket:
        yield socket


@pytest.fixture
def second(seated):
    with seated[1].watch(seated[2]) as socket:
        yield socket


@pytest.fixture
def watcher(server, seated):
    with Person(server).watch(seated[2]) as socket:
        yield socket


def stored(server, match_id):
    return server.rows("SELECT number, action FROM games_ply WHERE match_id = ? ORDER BY number", match_id)


def test_players_get_their_seats_from_the_session_and_watchers_none(first, second, watcher):
    assert [socket.snapshot["you"] for socket in (first, second, watcher)] == [0, 1, None]


def test_only_the_seat_on_turn_is_shown_its_moves(first, second, watcher):
    assert first.snapshot["legal"] == ["1", "2", "3", "4", "5", "6"]
    assert "legal" not in second.snapshot
    assert "legal" not in watcher.snapshot


def test_a_move_is_answered_and_everyone_hears_of_it(server, seated, first, second, watcher):
    answer = first.move(0, "1")
    assert (answer["type"], answer["ply"]) == ("accepted", 1)
    heard = [socket.next("plies") for socket in (second, watcher)]
    assert heard[0].pop("legal")
    assert "move" in heard[0].pop("may")["commands"]
    assert heard[0] == heard[1]
    assert stored(server, seated[2]) == [(1, "1")]


def test_the_move_of_a_client_that_leaves_at_once_is_played(server, seated):
    mover, _, match_id = seated
    move = {"type": "move", "id": command_id(), "after": 0, "move": "1"}
    frames = frame(json.dumps(move).encode()) + frame((1000).to_bytes(2, "big"), 8)
    headers = {name.replace("-", "_"): value for name, value in mover.headers().items()}
    # It arrives while the server still reads the match.
    Peer(server.port, f"/ws/match/{match_id}", **headers).send(frames)
    wait_until(lambda: stored(server, match_id) == [(1, "1")], "the move")


def test_a_whole_match_ends_alike_for_everyone_and_in_the_store(server, seated, first, second, watcher):
    end = play_out((first, second), random.Random(11))
    while not (message := watcher.next("plies"))["outcome"]:
        pass
    assert end.pop("may")["commands"] == ["rematch"]
    assert message == end
    (row,) = server.rows("SELECT status, outcome FROM games_match WHERE id = ?", seated[2])
    assert row[0] == "finished"
    assert json.loads(row[1]) == end["outcome"]


def test_snapshot_and_plies_since_are_the_same_match(seated, first, second, watcher):
    end = play_out((first, second), random.Random(2))
    with seated[0].watch(seated[2]) as again:
        again.send({"type": "sync", "after": 0})
        plies = again.next("plies")["plies"]
    assert [ply["number"] for ply in plies] == list(range(1, len(plies) + 1))
    assert plies[-1] == end["plies"][-1]
    assert again.snapshot["state"] == plies[-1]["state"]
    assert again.snapshot["outcome"] == end["outcome"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "move", "move": "3", "after": 0}, "not-your-turn"),
        ({"type": "move", "move": "3", "after": 7}, "stale"),
    ],
)
def test_the_other_seat_is_refused(server, seated, second, message, code):
    answer = second.ask({"id": command_id(), **message})
    assert (answer["type"], answer["code"], answer["ply"]) == ("refused", code, 0)
    assert answer["detail"]
    assert stored(server, seated[2]) == []


def test_a_watcher_never_moves(server, seated, watcher):
    answer = watcher.move(0, "1")
    assert (answer["type"], answer["code"]) == ("refused", "not-seated")
    assert stored(server, seated[2]) == []


def test_a_seat_in_the_message_is_no_seat(server, seated, watcher):
    answer = watcher.move(0, "1", seat=0)
    assert (answer["type"], answer["code"]) == ("refused", "malformed")
    assert stored(server, seated[2]) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("13", "unparseable"),
        ("7", "not-your-pit"),
        ("swap", "no-swap"),
        ("left:1:time", "unparseable"),
        ("dice", "unparseable"),
    ],
)
def test_an_illegal_move_says_why(server, seated, first, text, code):
    answer = first.move(0, text)
    assert (answer["type"], answer["code"]) == ("refused", code)
    assert stored(server, seated[2]) == []


def test_a_stale_move_is_refused_with_the_position_as_it_is(server, seated, first):
    played = first.move(0, "1")
    answer = first.move(0, "2")
    assert (answer["code"], answer["ply"]) == ("stale", played["ply"])
    told = [message for message in first.heard if message["type"] == "plies"]
    assert answer["state"] == told[-1]["plies"][-1]["state"]
    assert stored(server, seated[2]) == [(1, "1")]


def test_the_chance_is_told_to_whoever_asks_alone(first, second, watcher):
    for socket in (first, watcher):
        socket.send({"type": "odds"})
        assert socket.next("odds") == {"type": "odds", "ply": 0, "chance": None}
    second.send({"type": "ping", "t": 1})
    second.next("pong")
    assert "odds" not in [message["type"] for message in second.heard]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '"move"',
        "{}",
        '{"type": "fly"}',
        '{"type": "move"}',
        '{"type":"ping","t":"x"}',
        "\x00",
        '{"type":"sync","after":-1}',
        '{"type":"sync","after":true}',
    ],
)
def test_a_malformed_message_is_refused_and_the_socket_lives(server, seated, first, text):
    if text:  # empty text frames vanish on the way
        answer = first.ask(text)
        assert (answer["type"], answer["code"], answer["id"]) == ("refused", "malformed", None)
    assert first.move(0, "1")["type"] == "accepted"


def test_a_long_message_is_refused(first):
    answer = first.ask(json.dumps({"type": "sync", "after": 0, "padding": "x" * 5000}))
    assert answer["code"] == "too-large"


def test_a_huge_message_ends_the_connection_and_nothing_else(server, seated, first, second):
    with pytest.raises(ConnectionClosed):
        first.ask("x" * 100_000)
    with seated[0].watch(seated[2]) as again:
        assert again.move(0, "1")["type"] == "accepted"


def test_an_unknown_match_says_so_and_closes(server):
    socket = Person(server).watch("nosuchmatch")
    assert socket.snapshot["code"] == "unknown-match"
    assert socket.closed_with() == 4404


def test_a_strange_address_leaves_the_server_able_to_tell_its_neighbours(server, seated, watcher):
    """A name that no group of the channel layer may have."""
    assert Person(server).watch("a~b").closed_with() == 4404
    with seated[0].watch(seated[2]) as first:
        assert first.move(0, "1")["type"] == "accepted"
    assert watcher.next("plies")["after"] == 0


def test_words_with_control_characters_are_refused(first):
    answer = first.ask({"type": "words", "id": command_id(), "words": "left\u202eright"})
    assert answer["code"] == "malformed"


def test_fifty_copies_of_a_command_make_one_ply_and_fifty_equal_answers(server, seated):
    """Ten connections of the same player, five copies over each, all at once."""
    message = {"type": "move", "id": command_id(), "after": 0, "move": "3"}
    sockets = [seated[0].watch(seated[2]) for _ in range(10)]
    answers = []

    def repeat(socket):
        for _ in range(5):
            socket.send(message)
        answers.extend(socket.next("accepted", "refused") for _ in range(5))

    threads = [threading.Thread(target=repeat, args=[socket]) for socket in sockets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for socket in sockets:
        socket.close()
    assert answers == [{"type": "accepted", "id": message["id"], "ply": 1}] * 50
    assert stored(server, seated[2]) == [(1, "3")]


def test_a_command_sent_again_over_another_connection_is_answered_as_before(server, seated, first):
    message = {"type": "move", "id": command_id(), "after": 0, "move": "3"}
    first.send(message)
    first.abort()
    with seated[0].watch(seated[2]) as again:
        assert again.ask(message) == {"type": "accepted", "id": message["id"], "ply": 1}
    assert len(stored(server, seated[2])) == 1


def test_the_crowd_is_counted(server, seated, first, second):
    with Person(server).watch(seated[2]):
        while (told := first.next("crowd"))["watchers"] != 1 or told["present"] != [0, 1]:
            pass
    while first.next("crowd")["watchers"] != 0:
        pass


def test_a_ping_comes_back_with_the_number_of_the_last_ply(first):
    first.move(0, "1")
    first.send({"type": "ping", "t": 12.5})
    assert first.next("pong") == {"type": "pong", "t": 12.5, "ply": 1}


def test_resigning_ends_the_match_for_the_other(first, second):
    second.ask({"type": "resign", "id": command_id(), "after": 0})
    assert first.next("plies")["outcome"]["winners"] == [0]


def test_a_rematch_needs_both_and_swaps_seats(seated, first, second, watcher):
    second.ask({"type": "resign", "id": command_id(), "after": 0})
    assert first.ask({"type": "rematch", "id": command_id()})["type"] == "accepted"
    assert watcher.next("rematch") == {"type": "rematch", "offered": [0], "match": None}
    second.ask({"type": "rematch", "id": command_id()})
    begun = watcher.next("rematch")["match"]
    with seated[0].watch(begun) as next_match:
        assert next_match.snapshot["you"] == 1


def test_socket_closed_after_too_many_messages(first):
    # The end may come before the last of them is sent.
    with contextlib.suppress(ConnectionClosed):
        for _ in range(80):
            first.send({"type": "ping", "t": 0})
    assert first.closed_with() == 4008
    assert first.heard[-1]["code"] == "too-fast"
