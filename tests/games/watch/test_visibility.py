"""Who may see a match, and as of when: one answer, and every door of a real server gives it."""

from __future__ import annotations

import re
import urllib.error
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from games.domain.terms import Terms
from games.watch.visibility import PlayersOnly, View, may_see
from tests.helpers.programs import Program, programs
from tools.harness.people import Person, agree, command_id, guest
from tools.harness.servers import ParlourServer

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
AGES = 3600
"""Seconds by which a match is delayed: longer than any test."""

TEMPLATES = Path(__file__).parents[3] / "templates"


class TestTheAnswer:
    @pytest.mark.parametrize("terms", [Terms(), Terms(watchable=False), Terms(delay=60)])
    @pytest.mark.parametrize("seat", [0, 1])
    def test_players_see_everything_at_once(self, terms, seat):
        assert may_see(terms, seat) == View(seat, allowed=True, behind=0)

    @pytest.mark.parametrize(
        ("terms", "allowed", "behind"),
        [(Terms(), True, 0), (Terms(delay=60), True, 60), (Terms(watchable=False), False, 0)],
    )
    def test_view_of_others_follows_terms(self, terms, allowed, behind):
        view = may_see(terms, None)
        assert view == View(None, allowed, behind)
        assert (view.late, view.then(NOW)) == (behind > 0, NOW - timedelta(seconds=behind))

    def test_view_of_players_only_match_refused(self):
        with pytest.raises(PlayersOnly):
            may_see(Terms(watchable=False), None).check()
        may_see(Terms(watchable=False), 0).check()
        may_see(Terms(), None).check()

    def test_no_page_decides_for_itself(self):
        reads = re.compile(r"\b(match|terms)\.(watchable|delay)\b")
        assert [str(path) for path in TEMPLATES.rglob("*.html") if reads.search(path.read_text())] == []


# Every door


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of match, in which one ply was played; `over` says whether somebody resigned then."""

    terms: Terms
    over: bool = False
    listed: bool = True

    @property
    def plies(self) -> int:
        return 2 if self.over else 1


KINDS = {
    "open": Kind(Terms()),
    "unlisted": Kind(Terms(), listed=False),
    "private": Kind(Terms(watchable=False)),
    "delayed": Kind(Terms(delay=AGES)),
    "over": Kind(Terms(), over=True),
    "private and over": Kind(Terms(watchable=False), over=True),
    "delayed and just over": Kind(Terms(delay=AGES), over=True),
}


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody with a browser and with a program, at a seat of every match or at none."""

    person: Person
    program: Program
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Site:
    viewers: dict[str, Viewer]
    matches: dict[str, str]


VIEWERS = ("player", "signed in", "visitor")


@pytest.fixture(scope="module")
def server(launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"), SOCKET_RATE="0")


@pytest.fixture(scope="module")
def site(server: ParlourServer) -> Site:
    host, other, somebody = Person(server), guest(server), Person(server)
    host.sign_up("Ulno")
    somebody.sign_up("Artjom")
    program, another = programs(server, "Ulno", "Artjom")
    viewers = Viewer(host, program, 0), Viewer(somebody, another), Viewer(Person(server), Program(server))
    matches = {name: _played(server, host, other, kind) for name, kind in KINDS.items()}
    return Site(dict(zip(VIEWERS, viewers, strict=True)), matches)


def _played(server: ParlourServer, host: Person, other: Person, kind: Kind) -> str:
    host.post("/new/kalah", preset="circle", seats="2", first="host")
    other.post(f"{host.path}/sit")
    match_id = other.path.removeprefix("/m/")
    agree(server, match_id, watchable=kind.terms.watchable, delay=kind.terms.delay)
    server.write("UPDATE lobby_table SET listed = ? WHERE match_id = ?", kind.listed, match_id)
    with host.watch(match_id) as board:
        assert board.move(0, "1")["type"] == "accepted"
        if kind.over:
            assert board.ask({"type": "resign", "id": command_id(), "after": 1})["type"] == "accepted"
    return match_id


def status(person: Person, path: str) -> int:
    try:
        person.get(path)
    except urllib.error.HTTPError as error:
        return error.code
    return 200


# What is seen through a door: None for whom it is closed, else what it shows.


def through_page(viewer: Viewer, match_id: str) -> Any:
    try:
        page = viewer.person.get(f"/m/{match_id}")
    except urllib.error.HTTPError as error:
        return {403: None}[error.code]
    return re.search(r'id="score-links" hidden', page) is None


def through_socket(viewer: Viewer, match_id: str) -> Any:
    with viewer.person.watch(match_id) as socket:
        return _unless_refused(socket.snapshot, "ply")


def through_stream(viewer: Viewer, match_id: str) -> Any:
    reply = viewer.program.get(f"/matches/{match_id}")
    if reply.status == 403:
        assert viewer.program.get(f"/matches/{match_id}/stream").refusal == (403, "players-only")
        return _unless_refused(reply.fields, "ply")
    with viewer.program.stream(f"/matches/{match_id}/stream") as messages:
        assert next(messages)["ply"] == reply.fields["ply"]
    return reply.fields["ply"]


def through_small_board(viewer: Viewer, match_id: str) -> Any:
    with viewer.person.boards() as boards:
        boards.send({"type": "show", "matches": [match_id]})
        return _unless_refused(boards.next("shown", "not-shown"), "ply")


def through_picture(viewer: Viewer, match_id: str) -> Any:
    last = max((n for n in range(3) if status(viewer.person, f"/m/{match_id}/{n}.svg") == 200), default=None)
    assert status(viewer.person, f"/m/{match_id}.svg") == (403 if last is None else 200)
    return last


def through_embed(viewer: Viewer, match_id: str) -> Any:
    try:
        page = viewer.person.get(f"/embed/{match_id}")
    except urllib.error.HTTPError as error:
        return {403: None}[error.code]
    return '<script id="score"' in page


def through_card(viewer: Viewer, match_id: str) -> Any:
    try:
        card = viewer.person.get(f"/oembed?url={viewer.person.server.url}/m/{match_id}")
    except urllib.error.HTTPError as error:
        return {401: None}[error.code]
    return re.search(rf"/{match_id}/(\w+)\.png", card)[1]


def through_result(viewer: Viewer, match_id: str) -> Any:
    server = viewer.person.server
    assert isinstance(server, ParlourServer)
    picture = server.get(f"/m/{match_id}/result.png", viewer.person.headers())
    return {200: True, 403: None, 404: False}[picture.status]


def through_files(viewer: Viewer, match_id: str) -> Any:
    paths = (".txt", ".json", "/analysis", "/analysis.json", "/positions.json")
    answers = {status(viewer.person, f"/m/{match_id}{path}") for path in paths}
    answers |= {viewer.program.get(f"/matches/{match_id}/{of}").status for of in ("file", "analysis")}
    (answer,) = answers
    return {200: True, 409: False, 403: None}[answer]


def through_chat(viewer: Viewer, match_id: str) -> Any:
    with viewer.person.talk(match_id) as socket:
        rooms = _unless_refused(socket.snapshot, "read")
    if viewer.program.token:
        reply = viewer.program.get(f"/matches/{match_id}/chat")
        assert _unless_refused(reply.fields, "read") == rooms
    return rooms


def through_list(viewer: Viewer, match_id: str) -> Any:
    return match_id in [match["id"] for match in viewer.program.get("/matches").fields["matches"]]


def _unless_refused(told: dict[str, Any], name: str) -> Any:
    if name not in told:
        assert told["code"] == "players-only"
        return None
    return told[name]


def plies(kind: Kind, view: View) -> int | None:
    """The last ply that a view of a match shows."""
    if not view.allowed:
        return None
    return 0 if view.late else kind.plies


def card(kind: Kind, view: View) -> str | None:
    """The picture on a card: the result of a match that is over, else the position after the last ply."""
    if not view.allowed:
        return None
    return "result" if over(kind, view) else str(plies(kind, view))


def over(kind: Kind, view: View) -> bool | None:
    """Whether a match is over in a view of it."""
    return kind.over and not view.late if view.allowed else None


def readable(kind: Kind, view: View) -> list[str] | None:
    """The rooms of a match that can be read."""
    if view.seat is None:
        return ["watchers"] if view.allowed else None
    return ["players", "watchers"] if kind.over and kind.terms.watchable else ["players"]


def offered(kind: Kind, view: View) -> bool:
    """Whether the list of matches to watch has it."""
    return over(kind, view) is False


DOORS: dict[str, tuple[Callable[[Viewer, str], Any], Callable[[Kind, View], Any]]] = {
    "page": (through_page, over),
    "socket": (through_socket, plies),
    "stream": (through_stream, plies),
    "files and analysis": (through_files, over),
    "chat": (through_chat, readable),
}
"""What each door shows, and what of a view it is to show."""
DOORS_FOR_EVERYBODY = {
    "small board": (through_small_board, plies),
    "picture": (through_picture, plies),
    "embed": (through_embed, over),
    "card": (through_card, card),
    "result": (through_result, over),
    "list of matches": (through_list, offered),
}
"""Doors that show whoever comes what somebody without a seat may see."""


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("who", VIEWERS)
def test_every_door_shows_what_may_be_seen(site: Site, who: str, name: str) -> None:
    viewer, kind, match_id = site.viewers[who], KINDS[name], site.matches[name]
    own, others = may_see(kind.terms, viewer.seat), may_see(kind.terms, None)
    shown = {door: look(viewer, match_id) for door, (look, _) in (DOORS | DOORS_FOR_EVERYBODY).items()}
    assert shown == {
        **{door: of(kind, own) for door, (_, of) in DOORS.items()},
        **{door: of(kind, others) for door, (_, of) in DOORS_FOR_EVERYBODY.items()},
    }
