"""Quick pairing through real servers: alone, and two processes of one site with two hundred people."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.parse import urlencode

import pytest
from django.conf import settings

from tests.conftest import PAIRS
from tests.helpers import accounts
from tools.harness.patience import wait_until, within
from tools.harness.people import Person, Socket, guest

TILE = "kalah/circle/5+3"
MANY = 200


@pytest.fixture(scope="module", params=PAIRS)
def server(request, launcher):
    return launcher.open(launcher.store(request.param))


@pytest.fixture(scope="module")
def servers(launcher):
    """Two processes of one site."""
    store = launcher.store("postgres+redis")
    return [launcher.open(store, SOCKET_RATE="0") for _ in range(2)]


def press(person, tile=TILE):
    person.post("/pairing", tile=tile, rated="no")


def take_the_computer(person):
    """Press the offer; the page this leads to."""
    person.post("/pairing/computer")
    return person.path


def paired(socket):
    """Read on until this person is paired; the match and the names of the others."""
    while True:
        told = socket.next("pairing")["paired"]
        if told is not None:
            return told["match"], told["opponents"]


class TestOneServer:
    def test_two_who_press_the_same_tile_are_told_of_their_match(self, server):
        one, other = guest(server), guest(server)
        with one.me() as here, other.me() as there, within(5):
            press(one)
            assert here.next("pairing")["seek"]["preset"] == "circle"
            press(other)
            (match, _), (same, _) = paired(here), paired(there)
        assert match == same
        assert server.rows("SELECT COUNT(*) FROM games_seating WHERE match_id = ?", match) == [(2,)]

    def test_every_page_of_a_person_knows_what_they_wait_for(self, server):
        person = guest(server)
        with person.me() as here, person.me() as there:
            press(person, "kalah/kalaha/")
            assert here.next("pairing")["seek"]["preset"] == there.next("pairing")["seek"]["preset"]
            person.post("/pairing/cancel")
            assert here.next("pairing")["seek"] is there.next("pairing")["seek"] is None

    def test_seek_told_on_later_page(self, server):
        person = guest(server)
        with person.me():
            press(person, "kalah/kalaha/15+10")
            with person.me() as later:
                assert later.snapshot["seek"]["clock"] == "15+10"
                person.post("/pairing/cancel")

    def test_pairing_told_on_return(self, server):
        one, other = guest(server), guest(server)
        here = one.me()
        press(one, "kalah/classic/")
        here.abort()
        with other.me() as there:
            press(other, "kalah/classic/")
            match, _ = paired(there)
        with one.me() as back:
            assert back.snapshot["paired"]["match"] == match

    def test_seek_told_on_request(self, server):
        person = guest(server)
        with person.me() as socket:
            press(person, "kalah/classic/5+3")
            socket.next("pairing")
            socket.send({"type": "pairing"})
            assert socket.next("pairing")["seek"]["waited"] >= 0
            person.post("/pairing/cancel")

    def test_seek_of_user_gone_deleted(self, server):
        person = guest(server)
        with person.me():
            press(person, "kalah/classic/15+10")
        with guest(server).me():
            gone = lambda: server.rows("SELECT * FROM lobby_seek WHERE match_id IS NULL") == []  # noqa: E731
            wait_until(gone, "leaving the queue", 30)

    def test_seek_of_present_user_kept(self, server):
        person = guest(server)
        with person.me():
            press(person, "kalah/kalaha/5+3")
            present = "SELECT present FROM lobby_seek WHERE match_id IS NULL"
            before = server.rows(present)
            wait_until(lambda: server.rows(present) > before, "being noted as there")
            person.post("/pairing/cancel")

    def test_computer_accepted_told_on_every_page(self, server):
        person = guest(server)
        with person.me() as here, person.me() as there:
            press(person)
            assert here.next("pairing")["seek"]["computer"] == {"name": "Sprout", "level": 1, "after": 10}
            assert take_the_computer(person) == f"/m/{paired(here)[0]}"
            assert paired(there)[1][0].startswith("Sprout")

    def test_pressing_twice_at_once_begins_one_match(self, server):
        person = guest(server)
        with person.me():
            press(person, "kalah/kalaha/15+10")
            again = Person(server)
            for cookie in person.headers()["Cookie"].split("; "):
                again.remember(*cookie.split("=", 1))
            with ThreadPoolExecutor(2) as pool:
                paths = set(pool.map(take_the_computer, [person, again]))
        assert len(paths) == 1
        assert paths.pop().startswith("/m/")

    def test_computer_without_seek_refused(self, server):
        assert "Your search for an opponent has ended." in guest(server).post("/pairing/computer")
        nobody = Person(server)
        assert "Your search for an opponent has ended." in nobody.post("/pairing/computer")

    def test_seek_refused_names_reason(self, server):
        person = guest(server)
        assert "does not offer these rules" in person.post("/pairing", tile="kalah/nonsense/")
        assert "Guests play casual" in person.post("/pairing", tile=TILE, rated="yes")

    def test_pressing_without_the_token_of_the_page_does_nothing(self, server):
        person = guest(server)
        with pytest.raises(HTTPError, match="403"):
            person._opener.open(server.url + "/pairing", b"tile=" + TILE.encode())

    def test_a_message_nobody_understands_ends_the_conversation(self, server):
        with guest(server).me() as socket:
            socket.send('{"type":"pairing","x":1}')
            assert socket.next("error")["code"] == "malformed"
            assert socket.closed_with() == 4400


def name_of(person):
    return re.search(r'<body data-me="([^"]+)"', person.get("/leaderboards"))[1]


class Member:
    """Somebody with an account and a session, made in the database."""

    def __init__(self, user_id, session):
        self.user_id, self.session = user_id, session

    def headers(self):
        return {"Cookie": f"{settings.SESSION_COOKIE_NAME}={self.session}"}

    def me(self, server):
        return Socket(self, "/ws/me", server)  # type: ignore[arg-type]

    def press(self, server, tile=TILE):
        """Press a tile, as the page's script does."""
        token = "x" * 32
        person = Person(server)
        person._opener.addheaders = [
            ("Cookie", f"{self.headers()['Cookie']}; csrftoken={token}"),
            ("X-CSRFToken", token),
            ("Origin", server.url),
            ("Accept", "application/json"),
        ]
        data = urlencode({"tile": tile, "rated": "yes"}).encode()
        with person._opener.open(server.url + "/pairing", data, 60) as answer:
            return json.load(answer)


def members(server, count):
    """People who are signed in, in the database of a server."""
    names = [f"member-{number}" for number in range(count)]
    return [Member(account.user_id, account.session) for account in accounts.registered(server, *names)]


class TestTwoProcesses:
    def test_two_hundred_people_are_all_paired_once(self, servers):
        people = members(servers[0], MANY)
        # The page is at one process and its requests come to the other, for half of them.
        doors = [(servers[n % 2], servers[n // 2 % 2]) for n in range(MANY)]
        with ThreadPoolExecutor(16) as pool:
            homes = [home for home, _ in doors]
            sockets = list(pool.map(lambda member, home: member.me(home), people, homes))
            list(pool.map(lambda member, door: member.press(door), people, [door for _, door in doors]))
            told = list(pool.map(paired, sockets))
        rows = servers[0].rows("SELECT match_id, user_id FROM games_seating")
        assert len(rows) == MANY, "somebody was forgotten, or paired twice"
        assert {user for _, user in rows} == {member.user_id for member in people}
        seats = {user: match for match, user in rows}
        assert [seats[member.user_id] for member in people] == [match for match, _ in told]
        assert servers[0].rows("SELECT COUNT(*) FROM lobby_seek WHERE match_id IS NULL") == [(0,)]
        assert servers[0].rows("SELECT COUNT(*) FROM games_match WHERE rated AND clock = '5+3'") == [(100,)]
        for socket in sockets:
            socket.close()

    def test_people_who_play_in_fours_are_all_gathered_once(self, servers):
        tile, many = "cantstop/strict/5+3/4", 40
        people = [guest(servers[n % 2]) for n in range(many)]
        with ThreadPoolExecutor(8) as pool:
            sockets = list(pool.map(lambda person: person.me(), people))
            list(pool.map(lambda person: press(person, tile), people))
            told = list(pool.map(paired, sockets))
        sizes = Counter(match for match, _ in told)
        assert set(sizes.values()) == {4}
        wanted = ", ".join("?" * len(sizes))
        seated = f"SELECT user_id FROM games_seating WHERE match_id IN ({wanted})"
        seats = servers[0].rows(seated, *sizes)
        assert (len(seats), len(set(seats))) == (many, many)
        for socket in sockets:
            socket.close()

    def test_a_person_found_at_the_same_moment_wins_over_the_computer_and_nobody_is_lost(self, servers):
        tile = "morris/nine/15+10"
        for _ in range(8):
            one, other = guest(servers[0]), guest(servers[1])
            with one.me() as here, other.me() as there:
                press(one, tile)
                with ThreadPoolExecutor(2) as pool:
                    took = pool.submit(take_the_computer, one)
                    pool.submit(press, other, tile).result()
                    path = took.result()
                match, opponents = paired(here)
                assert path == f"/m/{match}"
                ((seats,),) = servers[0].rows(
                    "SELECT COUNT(*) FROM games_seating s JOIN lobby_user u ON u.id = s.user_id"
                    " WHERE u.username = ?",
                    name_of(one),
                )
                assert seats == 1
                if opponents == [name_of(other)]:
                    assert paired(there)[0] == match
                else:
                    waiting = servers[0].rows(
                        "SELECT username FROM lobby_seek s JOIN lobby_user u ON u.id = s.user_id"
                        " WHERE s.match_id IS NULL"
                    )
                    assert waiting == [(name_of(other),)]
                    other.post("/pairing/cancel")

    def test_people_at_different_processes_are_paired_within_two_seconds(self, servers):
        one, other = guest(servers[0]), guest(servers[1])
        with one.me() as here, other.me() as there:
            press(one)
            with within(2):
                press(other)
                assert paired(here)[0] == paired(there)[0]

    def test_the_queue_and_the_matches_are_counted_alike_within_two_seconds(self, servers):
        one, other = guest(servers[0]), guest(servers[1])
        lobbies = [Person(server).lobby() for server in servers]
        before = in_play(servers[0])
        with one.me(), other.me():
            press(one, "morris/nine/")
            with within(2):
                for lobby in lobbies:
                    counts(lobby, waiting=1)
            press(other, "morris/nine/")
            with within(2):
                for lobby in lobbies:
                    counts(lobby, waiting=0, playing=1)
            assert len(in_play(servers[0]) - before) == 1
        for lobby in lobbies:
            lobby.close()

    def test_a_cancelled_wait_is_over_at_the_other_process_too(self, servers):
        one, other = guest(servers[0]), guest(servers[1])
        with one.me(servers[1]) as here, other.me() as there:
            press(one, "morris/six/")
            assert here.next("pairing")["seek"] is not None
            one.post("/pairing/cancel")
            with within(2):
                assert here.next("pairing")["seek"] is None
            press(other, "morris/six/")
            assert there.next("pairing")["seek"] is not None
            assert servers[0].rows("SELECT COUNT(*) FROM lobby_seek WHERE match_id IS NULL") == [(1,)]
            other.post("/pairing/cancel")

    def test_pairing_continues_after_process_dies(self, servers, launcher):
        one, other = guest(servers[1]), guest(servers[1])
        with one.me(servers[1]) as here, other.me(servers[1]) as there:
            press(one, "morris/six/15+10")
            servers[0].kill9()
            press(other, "morris/six/15+10")
            with within(2):
                assert paired(here)[0] == paired(there)[0]
        servers[0].start()


def in_play(server):
    """The matches that are being played; those of other tests end a minute after nobody moved in them."""
    return {match for (match,) in server.rows("SELECT id FROM games_match WHERE status = 'playing'")}


def counts(lobby, waiting, playing=0):
    """Read on until the lobby knows how many wait, and of so many live matches at least.

    Matches of other tests are live until the site has noticed that their players left.
    """
    while True:
        told = [message.get("counts", message) for message in lobby.heard]
        last = [message for message in told if "waiting" in message][-1]
        if last["waiting"] == waiting and last["playing"] >= playing:
            return
        lobby.receive()
