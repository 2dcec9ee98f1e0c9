"""Watching over real sockets: who may, with which delay, boards in small, and how many watch what."""

import contextlib
import json
import re
import time
import urllib.error

import pytest

from tests.conftest import PAIRS
from tools.harness.people import Person, agree, command_id, seat_two
from tools.harness.timed import timed_match

LIMITS = {"SOCKET_RATE": "0"}


@pytest.fixture(scope="module", params=PAIRS)
def server(request, launcher):
    return launcher.open(launcher.store(request.param), **LIMITS)


@pytest.fixture(scope="module")
def servers(launcher):
    """Two processes of one site."""
    store = launcher.store("postgres+redis")
    return launcher.open(store, **LIMITS), launcher.open(store, **LIMITS)


def resign(board, after=0):
    return board.ask({"type": "resign", "id": command_id(), "after": after})


def status(person, path):
    try:
        person.get(path)
    except urllib.error.HTTPError as error:
        return error.code
    return 200


def now():
    return time.time()


def at(ply):
    """The moment of a ply, in seconds as `time.time` has them."""
    return (
        time.mktime(time.strptime(ply["at"][:19], "%Y-%m-%dT%H:%M:%S"))
        - time.timezone
        + float(ply["at"][19:23])
    )


def test_delayed_watcher_has_time_of_its_clocks(server):
    players = Person(server), Person(server)
    names = []
    for player in players:
        player.become_guest()
        names.append(re.search(r'data-me="([^"]+)"', player.get("/"))[1])
    match = timed_match(server, "5+3", names)
    agree(server, match, delay=60)
    began = time.monotonic()
    with players[0].watch(match) as board:
        told = board.snapshot["time"]
        with Person(server).watch(match) as late:
            between = (time.monotonic() - began) * 1000
            assert 60_000 - between <= told - late.snapshot["time"] <= 60_000


class TestOnlyItsPlayers:
    @pytest.fixture
    def kept(self, server):
        host, other, match = seat_two(server)
        agree(server, match, watchable=False)
        return host, other, match

    def test_players_only_match_closes_socket_of_others(self, server, kept):
        with Person(server).watch(kept[2]) as socket:
            assert socket.snapshot["code"] == "players-only"
            assert socket.closed_with() == 4403
            assert [message["type"] for message in socket.heard] == ["error"]

    def test_players_only_match_playable(self, kept):
        host, other, match = kept
        with host.watch(match) as first, other.watch(match) as second:
            assert first.move(0, "1")["type"] == "accepted"
            assert second.next("plies")["plies"][-1]["number"] == 1

    def test_the_page_is_for_its_players(self, server, kept):
        host, _, match = kept
        assert (status(host, f"/m/{match}"), status(Person(server), f"/m/{match}")) == (200, 403)

    def test_players_only_match_closed_to_others_after_end(self, server, kept):
        host, _, match = kept
        with host.watch(match) as board:
            resign(board)
        assert Person(server).watch(match).closed_with() == 4403
        assert status(Person(server), f"/m/{match}") == 403

    def test_the_lobby_offers_it_to_its_players_alone(self, server, kept):
        host, _, match = kept
        offered = [
            match in [each["id"] for each in person.lobby().snapshot["matches"]]
            for person in (host, Person(server))
        ]
        assert offered == [True, False]

    def test_no_board_in_small_shows_it(self, server, kept):
        with Person(server).boards() as boards:
            boards.send({"type": "show", "matches": [kept[2]]})
            assert boards.next("not-shown")["code"] == "players-only"

    def test_players_only_match_dice_checked_by_players_only(self, server):
        host, _, match = seat_two(server, "aces", "standard")
        agree(server, match, watchable=False)
        path = f"/m/{match}/dice.json"
        assert (status(host, path), status(Person(server), path)) == (409, 403)
        with host.watch(match) as board:
            board.move(0, board.snapshot["legal"][0])
            number = host.watch(match).snapshot["ply"]
            resign(board, number)
        assert (status(host, path), status(Person(server), path)) == (200, 403)


class TestWithADelay:
    DELAY = 2
    AGES = 3600
    """Longer than any test takes, however slow the machine is."""
    LONG_ENOUGH = 10
    """For everything that must be asked before the delay has passed."""

    @pytest.fixture
    def late(self, server):
        host, other, match = seat_two(server)
        agree(server, match, delay=self.DELAY)
        return host, other, match

    def test_a_watcher_hears_of_a_ply_when_it_is_that_old(self, server, late):
        host, _, match = late
        with Person(server).watch(match) as watcher, host.watch(match) as player:
            assert watcher.snapshot["ply"] == 0
            player.move(0, "1")
            told = watcher.next("plies")
            assert now() - at(told["plies"][-1]) >= self.DELAY
            assert [ply["number"] for ply in told["plies"]] == [1]
            assert "legal" not in told

    def test_delayed_match_reveals_no_younger_ply(self, server):
        host, _, match = seat_two(server)
        agree(server, match, delay=self.AGES)
        with host.watch(match) as player:
            player.move(0, "1")
            with Person(server).watch(match) as watcher:
                watcher.send({"type": "ping", "t": 1})
                watcher.send({"type": "sync", "after": 0})
                watcher.send({"type": "odds"})
                refused = watcher.move(1, "1")
                assert watcher.snapshot["ply"] == refused["ply"] == 0
                assert watcher.snapshot["state"] == refused["state"] == watcher.snapshot["start"]
                assert refused["code"] == "not-seated"
                assert [m["ply"] for m in watcher.heard if m["type"] in ("pong", "odds")] == [0, 0]
                assert [m["plies"] for m in watcher.heard if m["type"] == "plies"] == [[]]

    def test_players_wait_for_nothing(self, server):
        host, other, match = seat_two(server)
        agree(server, match, delay=self.AGES)
        with host.watch(match) as first, other.watch(match) as second:
            first.move(0, "1")
            assert second.next("plies")["plies"][-1]["number"] == 1

    def test_the_end_comes_as_late_with_all_that_follows_it(self, server):
        host, other, match = seat_two(server)
        agree(server, match, delay=self.LONG_ENOUGH)
        with (
            Person(server).watch(match) as watcher,
            Person(server).lobby() as lobby,
            host.watch(match) as first,
            other.watch(match) as second,
        ):
            resign(first)
            ended = now()
            for player in (first, second):
                player.ask({"type": "rematch", "id": command_id()})
            with Person(server).watch(match) as fresh:
                assert fresh.snapshot["outcome"] is fresh.snapshot["match"]["rematch"] is None
                assert fresh.snapshot["match"]["offered"] == []
            seen = [each["id"] for each in Person(server).lobby().snapshot["matches"]]
            assert match in seen
            assert watcher.next("plies", "rematch")["outcome"]["reason"] == "resigned"
            assert now() - ended >= self.LONG_ENOUGH - 1
            begun = watcher.next("rematch")["match"] or watcher.next("rematch")["match"]
            assert begun not in seen
            assert {lobby.next("match", "match-over")["type"] for _ in range(2)} == {"match", "match-over"}
            assert now() - ended >= self.LONG_ENOUGH - 1

    def test_the_secret_of_the_dice_is_as_late(self, server):
        host, _, match = seat_two(server, "aces", "standard")
        agree(server, match, delay=self.LONG_ENOUGH)
        path = f"/m/{match}/dice.json"
        with Person(server).watch(match) as watcher, host.watch(match) as player:
            player.move(0, player.snapshot["legal"][0])
            resign(player, host.watch(match).snapshot["ply"])
            assert (status(host, path), status(Person(server), path)) == (200, 409)
            assert "data-file" not in Person(server).get(f"/m/{match}/dice")
            while not (told := watcher.next("plies"))["outcome"]:
                pass
            assert json.loads(Person(server).get(path))["secret"] == told["secret"]

    def test_the_crowd_is_told_at_once_and_counts_them(self, server, late):
        host, _, match = late
        with Person(server).watch(match) as watcher, host.watch(match) as player:
            while player.next("crowd")["watchers"] != 1:
                pass
            while watcher.next("crowd")["present"] != [0]:
                pass

    def test_a_board_in_small_is_as_late(self, server, late):
        host, _, match = late
        with Person(server).boards() as boards, host.watch(match) as player:
            boards.send({"type": "show", "matches": [match]})
            assert boards.next("shown")["ply"] == 0
            before = now()
            player.move(0, "1")
            assert boards.next("board")["ply"] == 1
            assert now() - before >= self.DELAY

    def test_delayed_match_same_at_other_process(self, servers):
        host, _, match = seat_two(servers[0])
        agree(servers[0], match, delay=self.DELAY)
        with Person(servers[1]).watch(match) as watcher, host.watch(match) as player:
            player.move(0, "1")
            told = watcher.next("plies")["plies"][-1]
            assert now() - at(told) >= self.DELAY

    def test_delayed_match_same_after_restart(self, launcher):
        server = launcher.open(launcher.store("sqlite"), **LIMITS)
        host, _, match = seat_two(server)
        agree(server, match, delay=3600)
        with host.watch(match) as player:
            player.move(0, "1")
        server.restart()
        with Person(server).watch(match) as watcher, host.watch(match) as player:
            assert (watcher.snapshot["ply"], player.snapshot["ply"]) == (0, 1)


class TestBoardsInSmall:
    @pytest.fixture
    def boards(self, server):
        with Person(server).boards() as socket:
            yield socket

    def test_a_match_is_told_as_it_stands_and_then_ply_by_ply(self, server, boards):
        host, other, match = seat_two(server)
        boards.send({"type": "show", "matches": [match]})
        shown = boards.next("shown")
        assert (shown["match"]["id"], shown["match"]["game"], shown["ply"]) == (match, "kalah", 0)
        with host.watch(match) as first, other.watch(match) as second:
            assert shown["match"]["players"] == [s["name"] for s in first.snapshot["match"]["seats"]]
            first.move(0, "1")
            board, plies = boards.next("board"), second.next("plies")["plies"]
            assert (board["match"], board["ply"], board["outcome"]) == (match, 1, None)
            assert (board["state"], board["events"]) == (plies[0]["state"], plies[0]["events"])
            resign(second, 1)
            assert boards.next("board")["outcome"]["winners"] == [0]

    def test_a_match_that_is_shown_no_more_is_quiet(self, server, boards):
        host, _, quiet = seat_two(server)
        again, _, shown = seat_two(server)
        boards.send({"type": "show", "matches": [quiet, shown]})
        assert {boards.next("shown")["match"]["id"] for _ in range(2)} == {quiet, shown}
        boards.send({"type": "show", "matches": [shown]})
        boards.send({"type": "ping", "t": 1})
        boards.next("pong")
        with host.watch(quiet) as board:
            board.move(0, "1")
        with again.watch(shown) as board:
            board.move(0, "1")
        assert boards.receive()["match"] == shown

    def test_small_board_viewer_not_counted_as_watcher(self, server, boards):
        host, _, match = seat_two(server)
        boards.send({"type": "show", "matches": [match]})
        boards.next("shown")
        with host.watch(match) as board:
            assert board.next("crowd")["watchers"] == 0

    def test_two_pages_show_one_match(self, server, boards):
        host, _, match = seat_two(server)
        with Person(server).boards() as other, host.watch(match) as board:
            for page in (boards, other):
                page.send({"type": "show", "matches": [match]})
                page.next("shown")
            other.close()
            board.move(0, "1")
            assert boards.next("board")["ply"] == 1

    def test_no_such_match(self, boards):
        boards.send({"type": "show", "matches": ["nosuch"]})
        assert boards.next("not-shown") == {"type": "not-shown", "match": "nosuch", "code": "unknown-match"}

    @pytest.mark.parametrize(
        "text",
        [
            "{}",
            "[]",
            '{"type":"show"}',
            '{"type":"show","matches":["a~b"]}',
            json.dumps({"type": "show", "matches": [f"m{n}" for n in range(25)]}),
        ],
    )
    def test_a_message_nobody_understands_ends_the_conversation(self, boards, text):
        boards.send(text)
        assert boards.next("error")["code"] == "malformed"
        assert boards.closed_with() == 4400

    def test_small_board_moves_at_other_process(self, servers):
        host, _, match = seat_two(servers[0])
        with Person(servers[1]).boards() as boards, host.watch(match) as board:
            boards.send({"type": "show", "matches": [match]})
            boards.next("shown")
            board.move(0, "1")
            assert boards.next("board")["ply"] == 1


def hide(board, hidden=True):
    return board.ask({"type": "hide-crowd", "id": command_id(), "hidden": hidden})


def told(socket, **fields):
    """Read until the crowd has these fields; it may have been told before the snapshot was."""
    crowd = next((message for message in reversed(socket.heard) if message["type"] == "crowd"), {})
    while not fields.items() <= crowd.items():
        crowd = socket.next("crowd")


class TestWho:
    @pytest.fixture
    def anna(self, server):
        anna = Person(server)
        anna.become_guest()
        anna.name = re.search(r'data-me="([^"]+)"', anna.get("/"))[1]  # type: ignore[attr-defined]
        return anna

    def test_the_signed_in_are_told_by_name_and_once(self, server, anna):
        host, _, match = seat_two(server)
        with host.watch(match) as board, anna.watch(match), anna.watch(match), Person(server).watch(match):
            told(board, watchers=2, names=[anna.name])
            with Person(server).watch(match) as late:
                told(late, watchers=3, names=[anna.name])

    def test_watchers_beyond_twenty_only_counted(self, server, anna):
        host, _, match = seat_two(server)
        with host.watch(match) as board, anna.watch(match), contextlib.ExitStack() as visitors:
            for _ in range(19):
                visitors.enter_context(Person(server).watch(match))
            told(board, watchers=20, names=[anna.name])
            with Person(server).watch(match):
                told(board, watchers=21, names=[])

    def test_watcher_with_delay_named(self, server, anna):
        host, _, match = seat_two(server)
        agree(server, match, delay=3600)
        with host.watch(match) as board, anna.watch(match) as watcher:
            told(board, watchers=1, names=[anna.name])
            told(watcher, names=[anna.name], present=[0])

    def test_an_absent_player_is_away_since_the_moment_they_were_lost(self, server):
        host, other, match = seat_two(server)
        with host.watch(match) as board:
            with other.watch(match):
                told(board, present=[0, 1], away=[])
                before = now()
            while not (away := board.next("crowd")["away"]):
                pass
            assert [each["seat"] for each in away] == [1]
            assert before * 1000 - 1 <= away[0]["since"] <= now() * 1000
            with other.watch(match) as back:
                assert back.snapshot["present"] == [0, 1]
                told(board, present=[0, 1], away=[])

    def test_the_players_hide_who_watches(self, server, anna):
        host, other, match = seat_two(server)
        with host.watch(match) as board, anna.watch(match) as watcher:
            told(board, watchers=1)
            assert [hide(board)["type"] for _ in range(2)] == ["accepted"] * 2
            told(watcher, watchers=0, names=[], hidden=True, hidden_by=[0])
            with other.watch(match) as second:
                crowd = second.snapshot
                assert (crowd["watchers"], crowd["names"], crowd["hidden"]) == (0, [], True)
                hide(second)
                hide(board, False)
                told(watcher, watchers=0, hidden_by=[1])
                hide(second, False)
                told(watcher, watchers=1, names=[anna.name], hidden=False)

    def test_watchers_cannot_hide_themselves(self, server, anna):
        *_, match = seat_two(server)
        with anna.watch(match) as watcher:
            assert hide(watcher)["code"] == "not-seated"
            assert server.rows("SELECT * FROM games_seating WHERE hides_crowd AND match_id = ?", match) == []

    def test_hidden_watchers_same_at_other_process_and_after_restart(self, launcher):
        store = launcher.store("postgres+redis")
        near, far = launcher.open(store, **LIMITS), launcher.open(store, **LIMITS)
        host, other, match = seat_two(near)
        with host.watch(match) as board, other.watch(match, far) as second, Person(far).watch(match):
            told(board, watchers=1, present=[0, 1], away=[])
            told(second, watchers=1, present=[0, 1], away=[])
            hide(second)
            told(board, watchers=0, hidden=True)
        near.restart()
        with host.watch(match) as board:
            assert board.snapshot["hidden_by"] == [1]


class TestHowManyWatch:
    def counted(self, lobby, match, count):
        """Read until the lobby says how many watch a match."""
        while lobby.next("watching")["counts"].get(match, 0) != count:
            pass

    def test_lobbies_are_told(self, server):
        *_, match = seat_two(server)
        with Person(server).lobby() as lobby:
            with Person(server).watch(match):
                self.counted(lobby, match, 1)
                (told,) = [m for m in Person(server).lobby().snapshot["matches"] if m["id"] == match]
                assert told["watchers"] == 1
            self.counted(lobby, match, 0)

    def test_every_process_knows(self, servers):
        *_, match = seat_two(servers[0])
        with Person(servers[0]).lobby() as near, Person(servers[1]).lobby() as far:
            with Person(servers[0]).watch(match), Person(servers[1]).watch(match):
                self.counted(near, match, 2)
                self.counted(far, match, 2)
            self.counted(near, match, 0)
            self.counted(far, match, 0)

    def test_hidden_match_has_no_watcher_count(self, servers):
        host, _, match = seat_two(servers[0])
        *_, other = seat_two(servers[0])
        with (
            Person(servers[0]).lobby() as near,
            Person(servers[1]).lobby() as far,
            Person(servers[0]).watch(match),
            Person(servers[1]).watch(match),
            host.watch(match) as board,
        ):
            self.counted(near, match, 2)
            self.counted(far, match, 2)
            hide(board)
            self.counted(near, match, 0)
            self.counted(far, match, 0)
            with Person(servers[1]).watch(other), Person(servers[1]).watch(match):
                self.counted(near, other, 1)
                self.counted(far, other, 1)
                for lobby in (near, far):
                    assert match not in lobby.heard[-1]["counts"]
                (row,) = [m for m in Person(servers[1]).lobby().snapshot["matches"] if m["id"] == match]
                assert row["watchers"] == 0
            hide(board, False)
            self.counted(far, match, 2)

    def test_the_most_watched_match_is_featured(self, launcher):
        server = launcher.open(launcher.store("sqlite"), **LIMITS)
        with Person(server).lobby() as lobby:
            assert lobby.snapshot["featured"] is None
            host, _, match = seat_two(server)
            with host.me():
                while lobby.next("watching")["featured"] != match:
                    pass
            other, _, _ = seat_two(server)
            with other.me():
                with host.watch(match) as board:
                    resign(board)
                while lobby.next("watching")["featured"] in (None, match):
                    pass
                with Person(server).lobby() as fresh:
                    assert fresh.snapshot["featured"] not in (None, match)
