"""There is no room to store anything: everybody is told so, and play goes on once there is."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from tests.conftest import Launcher
from tests.helpers.programs import programs
from tools.harness.patience import wait_until
from tools.harness.people import Person, Socket, answer_to, command_id, guest, plies_up_to, seat_two
from tools.harness.servers import ParlourServer

NO_ROOM = "This site’s disk is full"
PAGES = 60
"""As many as what the tests store while there is room."""
ENOUGH = 5
"""How many refusals of a kind are looked at."""
MOST = 80
"""Times after which what is stored has needed a page more than there is."""


def make_room(server: ParlourServer) -> None:
    """Let the file grow, and free what was added."""
    server.write("CREATE TABLE IF NOT EXISTS ballast (words TEXT)")
    for _ in range(PAGES):
        server.write("INSERT INTO ballast VALUES (?)", "x" * 3000)
    server.write("DELETE FROM ballast")


def fill(server: ParlourServer) -> None:
    """Use every page that is free."""
    while server.rows("PRAGMA freelist_count") != [(0,)]:
        server.write("INSERT INTO ballast VALUES (?)", "x" * 3000)


@pytest.fixture(scope="module")
def narrow(launcher: Launcher) -> ParlourServer:
    """A server whose file does not grow, and has some room."""
    limits = {"SOCKET_RATE": "0", "API_RATE": "0", "TABLES_PER_HOST": "1000"}
    settings = "tests.helpers.full_settings"
    server = launcher.open(launcher.store("sqlite"), DJANGO_SETTINGS_MODULE=settings, **limits)
    make_room(server)
    return server


def until_refused(sockets: list[Socket]) -> tuple[Socket, dict[str, Any], dict[str, Any]]:
    """Play until a move is refused: whose it was, the move and the answer."""
    turn, after = sockets[0].snapshot["state"]["turn"], 0
    legal = sockets[turn].snapshot["legal"]
    while True:
        move = {"type": "move", "id": command_id(), "after": after, "move": legal[0]}
        answer = sockets[turn].ask(move)
        if answer["type"] == "refused":
            return sockets[turn], move, answer
        after = answer["ply"]
        heard = [plies_up_to(socket, after) for socket in sockets]
        turn = heard[0]["plies"][-1]["state"]["turn"]
        legal = heard[turn]["legal"]


def refused_for_want_of_room(send: Callable[[int], tuple[int, str]]) -> None:
    """A form that is sent until nothing can be stored is answered so, and never in another way."""
    refused = []
    for number in range(MOST):
        status, page = send(number)
        refused += [] if status == 200 else [(status, NO_ROOM in unescape(page))]
        if len(refused) == ENOUGH:
            break
    assert set(refused) == {(503, True)}


def test_players_are_told_and_go_on_once_there_is_room(narrow: ParlourServer) -> None:
    make_room(narrow)
    *people, match_id = seat_two(narrow, preset="kalaha")
    with people[0].watch(match_id) as first, people[1].watch(match_id) as second:
        fill(narrow)
        mover, move, answer = until_refused([first, second])
        assert (answer["code"], answer["detail"]) == ("unavailable", NO_ROOM)
        assert narrow.get("/readyz").text == "the disk is full\n"
        make_room(narrow)
        assert mover.ask(move) == {"type": "accepted", "id": move["id"], "ply": move["after"] + 1}
    wait_until(lambda: narrow.get("/readyz").status == 200, "that there is room", 10)
    numbers = narrow.rows("SELECT number FROM games_ply WHERE match_id = ? ORDER BY number", match_id)
    assert numbers == [(number,) for number in range(1, move["after"] + 2)]
    assert "Traceback" not in narrow.log


def test_pages_and_forms_say_so(narrow: ParlourServer) -> None:
    make_room(narrow)
    host, (program,) = guest(narrow), programs(narrow, "Ulno")
    people = [Person(narrow) for _ in range(4)]
    for number, person in enumerate(people):
        person.sign_up(f"Narrow{number}")
        person.give_password_again()
    fill(narrow)
    refused_for_want_of_room(lambda _: answer_to(Person(narrow), "/guest", next="/leaderboards"))
    table = {"preset": "kalaha", "seats": "2", "first": "host"}
    refused_for_want_of_room(lambda _: answer_to(host, "/new/kalah", **table))
    refused_for_want_of_room(lambda _: answer_to(Person(narrow), "/pairing", tile="kalah/circle/5+3"))
    token = {"name": "Narrow", "scopes": "read"}
    refused_for_want_of_room(lambda number: answer_to(people[number % 4], "/settings/tokens", **token))
    replies = [program.post("/tables", game="kalah", preset="kalaha") for _ in range(MOST)]
    assert {reply.refusal for reply in replies if reply.status >= 500} == {(503, "unavailable")}
    assert {reply.fields["detail"] for reply in replies if reply.status >= 500} == {NO_ROOM}
    # What asks for nothing to be stored is there as ever.
    assert "Parlour" in host.get("/")
    assert "Traceback" not in narrow.log
    make_room(narrow)
    assert Person(narrow).post("/guest", next="/leaderboards")
