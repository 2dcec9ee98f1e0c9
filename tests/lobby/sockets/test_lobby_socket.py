"""The lobby socket of real servers, on SQLite and on PostgreSQL with Redis."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.conftest import PAIRS
from tools.harness.patience import patience, wait_until
from tools.harness.people import Person, Socket, command_id, guest

LIMITS = {"GUESTS_PER_HOUR": "0", "TABLES_PER_HOST": "1000"}


@pytest.fixture(scope="module", params=PAIRS)
def server(request, launcher):
    return launcher.open(launcher.store(request.param), **LIMITS)


@pytest.fixture(scope="module")
def host(server):
    """One guest who sets every table of this module."""
    return guest(server)


@pytest.fixture(scope="module")
def servers(launcher):
    """Two processes of one site."""
    store = launcher.store("postgres+redis")
    return launcher.open(store, **LIMITS), launcher.open(store, **LIMITS)


@pytest.fixture
def lobby(server):
    with Person(server).lobby() as socket:
        yield socket


def set_table(host, **fields):
    """The id of a new table."""
    host.post("/new/kalah", **{"preset": "circle", "seats": "2", "first": "host", **fields})
    return host.path.removeprefix("/t/")


def sit(person, table):
    """Take the last chair; the id of the match."""
    person.post(f"/t/{table}/sit")
    return person.path.removeprefix("/m/")


def ids(items):
    return {item["id"] for item in items}


class TestLive:
    def test_the_whole_list_comes_first(self, server, host):
        table = set_table(host)
        with Person(server).lobby() as lobby:
            assert lobby.heard[0]["type"] == "lobby"
            assert table in ids(lobby.snapshot["tables"])

    def test_a_new_table_appears(self, host, lobby):
        table = set_table(host, preset="kalaha")
        told = lobby.next("table")["table"]
        assert (told["id"], told["preset"], told["match"]) == (table, "Kalaha", None)

    def test_a_cancelled_table_goes(self, host, lobby):
        table = set_table(host)
        host.post(f"/t/{table}/stand")
        assert lobby.next("table-gone")["id"] == table

    def test_the_last_chair_begins_a_match_that_everyone_may_watch(self, server, host, lobby):
        table = set_table(host)
        lobby.next("table")
        match = sit(Person(server), table)
        full = lobby.next("table")["table"]
        assert full["match"] == match
        assert lobby.next("match")["match"] == {
            "id": match,
            "game": "kalah",
            "title": "Kalah",
            "players": full["taken"],
            "levels": [None, None],
            "table": table,
            "watchers": 0,
            "watchable": True,
            "delay": 0,
            "holder": None,
        }

    def test_a_match_that_ends_goes(self, server, host):
        player = Person(server)
        match = sit(player, set_table(host))
        with player.watch(match) as board, Person(server).lobby() as lobby:
            assert match in ids(lobby.snapshot["matches"])
            board.ask({"type": "resign", "id": command_id(), "after": 0})
            assert lobby.next("match-over")["id"] == match

    def test_a_rematch_appears(self, server, host):
        player = Person(server)
        match = sit(player, set_table(host))
        with host.watch(match) as one, player.watch(match) as two, Person(server).lobby() as lobby:
            one.ask({"type": "resign", "id": command_id(), "after": 0})
            one.ask({"type": "rematch", "id": command_id()})
            two.ask({"type": "rematch", "id": command_id()})
            again = lobby.next("match")["match"]
        assert again["table"] is None
        assert len(again["players"]) == 2

    def test_changes_are_numbered_from_the_list_on(self, host, lobby):
        for _ in range(3):
            set_table(host)
        for _ in range(3):
            lobby.next("table")
        # Tables of tests before this one may still be changing.
        changes = [message for message in lobby.heard[1:] if message["type"] not in ("latest", "pong")]
        numbers = [message["number"] for message in changes if "number" in message]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert numbers[0] == lobby.snapshot["number"] + 1


class TestNothingIsMissed:
    def test_lobby_opened_during_changes_misses_none(self, server, host):
        def watch(pause):
            time.sleep(pause)
            return Person(server).lobby()

        with ThreadPoolExecutor(10) as pool:
            opening = [pool.submit(watch, n / 20) for n in range(10)]
            tables = {set_table(host) for _ in range(10)}
            lobbies = [each.result() for each in opening]
        for lobby in lobbies:
            with lobby:
                # A change may be told before the list that does not know of it yet.
                early = [message["table"] for message in lobby.heard if message["type"] == "table"]
                known = ids(lobby.snapshot["tables"]) | ids(early)
                while not tables <= known:
                    known.add(lobby.next("table")["table"]["id"])

    def test_the_list_comes_again_when_asked_for(self, host, lobby):
        table = set_table(host)
        lobby.send({"type": "list"})
        assert table in ids(lobby.next("lobby")["tables"])

    def test_a_pong_tells_the_number_of_the_last_change(self, host, lobby):
        set_table(host)
        number = lobby.next("table")["number"]
        # A process remembers the number before for up to a second, and takes only so many messages in one.
        wait_until(lambda: answer_to_ping(lobby)["number"] >= number, "the number of the last change")
        assert answer_to_ping(lobby) == {"type": "pong", "t": 12.5, "number": number}


def answer_to_ping(lobby):
    lobby.send({"type": "ping", "t": 12.5})
    return lobby.next("pong")


class TestTwoProcesses:
    def test_a_table_set_at_one_appears_at_the_other(self, servers):
        host = guest(servers[0])
        with Person(servers[1]).lobby() as lobby:
            table = set_table(host)
            assert lobby.next("table")["table"]["id"] == table

    def test_a_change_that_was_lost_on_the_way_shows_without_being_asked_for(self, servers):
        # Nothing has a number before anything has happened here.
        set_table(guest(servers[0]))
        with Person(servers[1]).lobby() as lobby:
            lost = servers[0].rows("UPDATE lobby_news SET number = number + 1 RETURNING number")[0][0]
            while lobby.next("latest")["number"] < lost:
                pass

    def test_last_chair_in_two_processes_taken_once(self, servers):
        table = set_table(guest(servers[0]))
        people = [guest(server) for server in servers for _ in range(3)]
        with ThreadPoolExecutor(6) as pool:
            matches = set(pool.map(lambda person: sit(person, table), people))
        chairs = servers[0].rows("SELECT COUNT(*) FROM lobby_chair WHERE table_id = ?", table)
        begun = servers[0].rows("SELECT COUNT(*) FROM games_match")
        assert (len(matches), chairs, begun) == (1, [(2,)], [(1,)])


class TestRefusals:
    @pytest.mark.parametrize(
        "text", ["{}", "no JSON", '{"type":"move"}', '{"type":"list","x":1}', "[]", '""']
    )
    def test_a_message_nobody_understands_ends_the_conversation(self, lobby, text):
        lobby.send(text)
        assert lobby.next("error")["code"] == "malformed"
        assert lobby.closed_with() == 4400

    def test_an_unknown_address_says_so(self, server):
        with Socket(Person(server), "/ws/nowhere", server) as socket:
            assert socket.snapshot["code"] == "unknown-address"
            assert socket.closed_with() == 4404

    @pytest.mark.parametrize("origin", ["http://elsewhere.example", "http://127.0.0.1:1", "null", "x"])
    def test_pages_of_other_sites_open_no_socket(self, server, origin):
        address = f"{server.ws_url}/ws/lobby"
        with pytest.raises(InvalidStatus), connect(address, origin=origin, proxy=None):
            pass


class TestWhoASocketIs:
    def test_a_page_of_this_site_is_whoever_the_session_says(self, server, host):
        match = sit(Person(server), set_table(host))
        with host.watch(match) as board:
            assert board.snapshot["you"] == 0

    def test_a_program_that_names_no_origin_watches_whatever_cookies_it_has(self, server, host):
        match = sit(Person(server), set_table(host))
        address = f"{server.ws_url}/ws/match/{match}"
        with connect(address, additional_headers=host.headers(), proxy=None) as board:
            assert '"you":null' in board.recv(timeout=patience(10))

    def test_a_program_that_names_no_origin_sees_the_lobby(self, server):
        with connect(f"{server.ws_url}/ws/lobby", proxy=None) as lobby:
            assert '"type":"lobby"' in lobby.recv(timeout=patience(10))
