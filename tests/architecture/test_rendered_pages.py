"""Pages and matches as the server writes them, kept in tests/data/pages for the tests of modules in Node.

`WRITE_PAGES=1 pytest tests/architecture/test_rendered_pages.py` writes them anew after a template changed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from django.test import Client

from games.domain import codec
from games.domain.terms import Terms
from games.models import Match
from games.play import begin
from games.registry import GAMES
from games.rules.base import Leave
from lobby.models import User
from lobby.tables import computers
from tests.architecture import lobby_pages
from tests.helpers import finished
from tools.harness.recorded import Recorder

pytestmark = pytest.mark.django_db

PAGES = Path(__file__).resolve().parent.parent / "data" / "pages"
KALAH = GAMES["kalah"]
CIRCLE = KALAH.rules.PRESETS["circle"]
MESSAGES = "lobby-messages.json"
NEW_EACH_TIME = [
    (re.compile(r'(csrfmiddlewaretoken" value=")\w+'), r"\1token"),
    (re.compile(r'(name="key" value=")[^"]+'), r"\1key"),
    (re.compile(r'(nonce=")[^"]*'), r"\1"),
    (re.compile(r'(data-version=")[^"]*'), r"\1"),
    (re.compile(r"<svg class=\"qr\".*?</svg>", re.DOTALL), '<svg class="qr"></svg>'),
    (re.compile(r"<time[^>]*>[^<]*</time>"), "<time></time>"),
    (re.compile(r"[ \t]+$", re.MULTILINE), ""),
]
"""What is another one whenever a page is asked for."""


@pytest.fixture
def anna(django_user_model: type[User]) -> User:
    return django_user_model.objects.create_user("Anna")


@pytest.fixture
def ben(django_user_model: type[User]) -> User:
    return django_user_model.objects.create_user("Ben")


def match_page(match: Match, reader: User | None) -> str:
    """A match, as somebody sees it; its id is `match`, and the key of the site for devices is `key`."""
    client = Client()
    if reader is not None:
        client.force_login(reader, backend="lobby.auth.backends.PasswordBackend")
    page = client.get(f"/m/{match.pk}").content.decode().replace(str(match.pk), "match")
    return re.sub(r'(?<=data-push=")[^"]+', "key", page)


def between_people(anna: User, ben: User) -> str:
    return match_page(begin.create("kalah", CIRCLE, [anna, ben]), anna)


def with_days_for_a_move(anna: User, ben: User) -> str:
    return match_page(begin.create("kalah", CIRCLE, [anna, ben], terms=Terms(clock="3d")), anna)


def watched(anna: User, ben: User) -> str:
    return match_page(begin.create("kalah", CIRCLE, [anna, ben]), None)


def at_one_board(anna: User, ben: User) -> str:
    return match_page(
        begin.create_shared("morris", GAMES["morris"].rules.Options(), ["Anna", "Ben"], anna), anna
    )


def against_the_computer(anna: User, ben: User) -> str:
    computer = computers.seat(KALAH, 1)
    return match_page(begin.create("kalah", CIRCLE, [anna, computer], levels={1: 1}), anna)


def of_dice(anna: User, ben: User) -> str:
    return match_page(begin.create("cantstop", GAMES["cantstop"].rules.Options(), [anna, ben]), anna)


def embedded_replay(anna: User, ben: User) -> str:
    match = finished.begun([anna, ben], "kalah", CIRCLE, rated=False)
    finished.play(match, *MOVES["kalah"], Leave(0))
    return Client().get(f"/embed/{match.pk}").content.decode().replace(str(match.pk), "match")


RENDERED: dict[str, Callable[[User, User], str]] = {
    "match": between_people,
    "match-slow": with_days_for_a_move,
    "match-watched": watched,
    "match-shared": at_one_board,
    "match-computer": against_the_computer,
    "match-dice": of_dice,
    "embed-replay": embedded_replay,
    **lobby_pages.RENDERED,
}
"""The pages by the names of their files."""


MOVES = {"kalah": ("1", "1", "2", "3"), "morris": ("a1", "a7", "d1", "d7"), "cantstop": ()}
"""The first moves of a match by game; with dice there are twelve plies at random."""


def first_plies(slug: str) -> str:
    """The start of a match and its first plies, as sockets tell them, with the moves after each."""
    game = GAMES[slug]
    played = Recorder(game, CIRCLE if slug == "kalah" else game.rules.Options())
    for move in MOVES[slug]:
        played.play(game.rules.parse(move))
    if not MOVES[slug]:
        played.play_on(Random(3), 12)
    plies = [
        {
            "number": entry.number,
            "seat": entry.seat,
            "action": entry.text,
            "dice": entry.dice,
            "events": json.loads(codec.encode_events(events)),
            "state": json.loads(codec.encode_state(game.rules, state)),
            "legal": [str(move) for move in game.rules.legal_moves(state)],
        }
        for entry, events, state in zip(played.entries, played.events, played.states[1:], strict=True)
    ]
    start = {
        "state": json.loads(codec.encode_state(game.rules, played.start)),
        "legal": [str(move) for move in game.rules.legal_moves(played.start)],
    }
    return json.dumps({"game": slug, "start": start, "plies": plies}, separators=(",", ":")) + "\n"


def check_kept(name: str, written: str) -> None:
    path = PAGES / name
    if os.environ.get("WRITE_PAGES") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(written)
    assert path.read_text() == written, "Write it anew with WRITE_PAGES=1."


@pytest.mark.parametrize("name", RENDERED)
def test_rendered_page_is_as_the_server_writes_it(name: str, anna: User, ben: User) -> None:
    page = RENDERED[name](anna, ben)
    for new, as_kept in NEW_EACH_TIME:
        page = new.sub(as_kept, page)
    check_kept(f"{name}.html", page)


@pytest.mark.parametrize("slug", MOVES)
def test_recorded_plies_are_as_the_rules_play_them(slug: str) -> None:
    check_kept(f"plies-{slug}.json", first_plies(slug))


def test_messages_of_the_lobby_are_as_the_server_tells_them(anna: User, ben: User) -> None:
    check_kept(MESSAGES, lobby_pages.messages(anna, ben))


def test_nothing_else_is_kept() -> None:
    kept = {path.name for path in PAGES.iterdir()}
    assert kept == {f"{name}.html" for name in RENDERED} | {f"plies-{slug}.json" for slug in MOVES} | {
        MESSAGES
    }
