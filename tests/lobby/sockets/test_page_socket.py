"""The socket of a page, which carries several feeds, on a real server."""

import contextlib
import gc
import json
import weakref
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from games.domain.terms import Terms
from games.net.connection import AsgiConnection
from games.net.sockets import Socket
from games.net.threads import in_thread
from games.play import begin
from games.watch.board_consumer import BoardsFeed
from lobby.clubs import members
from lobby.sockets.consumers import PersonFeed
from tests.helpers.clubs import club_of
from tests.helpers.onlookers import Onlooker
from tests.helpers.tournaments import CIRCLE, command, people
from tools.harness.patience import patience
from tools.harness.people import Person, agree, command_id, guest, seat_two


def page_of(person, path):
    return connect(
        person.server.ws_url + path, origin=person.server.url, additional_headers=person.headers(), proxy=None
    )


def heard(socket, *wanted):
    """Messages until each of these was among them, as (feed, type); those by what they are."""
    found = {}
    while set(wanted) - found.keys():
        feed, _, text = socket.recv(timeout=patience(20)).partition(" ")
        message = json.loads(text)
        found[feed, message["type"]] = message
    return found


@pytest.fixture
def players(sqlite_server):
    return seat_two(sqlite_server)


def test_a_match_is_played_and_talked_about_on_one_socket(players):
    first, second, match = players
    path = f"/ws/page/match/{match}?feeds=match+chat+me"
    with page_of(first, path) as mine, page_of(second, path) as theirs:
        greetings = ("match", "snapshot"), ("chat", "rooms"), ("me", "hello")
        snapshot = heard(mine, *greetings)["match", "snapshot"]
        heard(theirs, *greetings)
        move = {"type": "move", "id": command_id(), "after": 0, "move": snapshot["legal"][0]}
        mine.send(f"match {json.dumps(move)}")
        assert heard(mine, ("match", "accepted"))["match", "accepted"]["id"] == move["id"]
        # Sent again, as after a lost connection, it is the same move.
        mine.send(f"match {json.dumps(move)}")
        assert heard(mine, ("match", "accepted"))["match", "accepted"]["ply"] == 1
        said = {"type": "say", "id": command_id(), "room": "players", "text": "Good luck"}
        mine.send(f"chat {json.dumps(said)}")
        told = heard(theirs, ("match", "plies"), ("chat", "line"))
        assert told["match", "plies"]["plies"][-1]["number"] == 1
        assert told["chat", "line"]["line"]["text"] == "Good luck"


def test_a_user_who_watches_is_named_on_the_socket_of_their_page(players):
    first, _, match = players
    watcher = guest(first.server)
    with page_of(watcher, f"/ws/page/match/{match}?feeds=match+chat+me") as socket:
        told = heard(socket, ("match", "snapshot"), ("chat", "rooms"), ("me", "hello"))
        assert told["match", "snapshot"]["watchers"] == len(told["match", "snapshot"]["names"]) == 1


def test_a_match_that_does_not_exist_ends_its_feeds_alone(players):
    first, *_ = players
    with page_of(first, "/ws/page/match/nowhere?feeds=match+me") as socket:
        told = heard(socket, ("match", "closed"), ("me", "hello"))
        assert (told["match", "error"]["code"], told["match", "closed"]["code"]) == ("unknown-match", 4404)
        socket.send('me {"type":"ping","t":1}')
        heard(socket, ("me", "pong"))


def test_a_page_tells_of_a_private_match_and_of_a_club_no_more_than_their_own_sockets(sqlite_server):
    first, second, match = seat_two(sqlite_server)
    agree(sqlite_server, match, watchable=False)
    with page_of(guest(sqlite_server), f"/ws/page/match/{match}?feeds=match+boards+me") as socket:
        told = heard(socket, ("match", "closed"), ("boards", "hello"), ("me", "hello"))
        assert told["match", "error"]["code"] == "players-only"
        for again in ("chat", "match"):
            socket.send(f"open {again}")
            assert heard(socket, (again, "closed"))[again, "closed"]["code"] == 4403
        show = {"type": "show", "matches": [match]}
        socket.send(f"boards {json.dumps(show)}")
        assert heard(socket, ("boards", "not-shown"))["boards", "not-shown"]["code"] == "players-only"
        with first.watch(match) as mine, second.watch(match) as theirs:
            mine.move(0, mine.snapshot["legal"][0])
            theirs.next("plies")
        socket.send('boards {"type":"ping","t":1}')
        assert {feed for feed, _ in heard(socket, ("boards", "pong"))} <= {"boards", "me"}


def test_a_visitor_has_no_personal_feed_and_keeps_the_others(sqlite_server):
    with page_of(Person(sqlite_server), "/ws/page?feeds=lobby+me") as socket:
        assert heard(socket, ("lobby", "lobby"), ("me", "closed"))["me", "error"]["code"] == "signed-out"
        socket.send('lobby {"type":"ping","t":1}')
        heard(socket, ("lobby", "pong"))


def test_logging_out_in_another_tab_ends_the_whole_page(sqlite_server):
    person = guest(sqlite_server)
    person.sign_up("Ulno")
    with page_of(person, "/ws/page?feeds=lobby+me") as socket:
        heard(socket, ("lobby", "lobby"), ("me", "hello"))
        person.post("/accounts/logout/")
        with contextlib.suppress(ConnectionClosed):
            while True:
                said = socket.recv(timeout=patience(20))
        assert (json.loads(said)["code"], socket.close_code) == ("signed-out", 4401)


@pytest.mark.django_db(transaction=True)
async def test_a_member_who_is_removed_loses_the_chat_of_the_club_alone():
    ada, bo = await in_thread(people)("Ada Bo")
    club = await in_thread(club_of)(ada, bo)
    page: Any = (await (await Onlooker.of(bo)).socket(f"/ws/page/club/{club.slug}?feeds=club+me")).there
    told = {(await page.receive_from()).partition("{")[0] for _ in range(2)}
    assert told == {"club ", "me "}
    await in_thread(members.remove)(ada, club.pk, "Bo", "", command())
    while not (said := await page.receive_from()).startswith('club {"type":"closed"'):
        pass
    assert said.endswith('"code":4403}')
    await page.send_to('me {"type":"ping","t":1}')
    while "pong" not in await page.receive_from():
        pass
    await page.disconnect()


async def dropped(_message): ...


ASKED: list[tuple[Any, dict[str, Any]]] = [
    (PersonFeed, {"type": "people"}),
    (PersonFeed, {"type": "saved"}),
    (PersonFeed, {"type": "looking", "at": "/"}),
    (BoardsFeed, {"type": "show", "matches": ["MATCH"]}),
]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("kind", "message"), ASKED, ids=[message["type"] for _, message in ASKED])
async def test_a_page_that_leaves_before_its_message_is_handled_is_kept_nowhere(kind, message):
    match = await in_thread(begin.create)("kalah", CIRCLE, await in_thread(people)("Ada Bo"), 0, Terms())
    socket = Socket({})
    socket.connection = AsgiConnection(dropped)
    socket.language = "en"
    feed = kind(socket, kind.__name__)
    feed.user_id = 1
    if kind is BoardsFeed:
        await feed.opened()
    work = feed.received(json.dumps(message).replace("MATCH", match.pk))
    feed.end()
    await work
    socket.connection.end()
    gone = weakref.ref(feed)
    del feed, work
    gc.collect()
    assert gone() is None
