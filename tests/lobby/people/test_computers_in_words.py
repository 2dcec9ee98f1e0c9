"""Pages in other languages name computer players in these languages, wherever a name is shown."""

import html
import re

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from games.bots.base import ONLY_LEVEL
from games.play import begin
from games.registry import GAMES
from games.watch.boards import boards
from lobby.notices import mails
from lobby.notices.models import Reminder
from lobby.notices.reminders import Waiting
from lobby.ratings.results import settle
from lobby.tables import computers, tables
from lobby.tables.terms import TableTerms
from tests.helpers import finished
from tests.helpers.tournaments import begun, look, people, play_round

pytestmark = pytest.mark.django_db(transaction=True)

CANTSTOP = GAMES["cantstop"].rules.Options()
LEVELS = [*ONLY_LEVEL, *(level for game in GAMES.values() for level in game.levels)]
NAMES = [name for level in LEVELS for name in (level.name, *level.others)]
ADDRESS = re.compile(r'\b(href|src|action)="[^"]*"|value="/[^"]*"')


class Page:
    """The socket of a page that shows small boards."""

    def write(self, frame):
        raise NotImplementedError("nobody moves here")


@pytest.fixture
def reader(ulno):
    client = Client()
    client.force_login(ulno, backend="lobby.auth.backends.PasswordBackend")
    return client


@pytest.fixture
def table(ulno):
    """A table at which two computers sit, one of them by the second name of its level."""
    made = tables.set_table(ulno, "cantstop", CANTSTOP, 4, "host", TableTerms(listed=True))
    return tables.add_computer(ulno, tables.add_computer(ulno, made.pk, 1).pk, 1)


@pytest.fixture
def match(ulno):
    """A match that is being played."""
    players = computers.seat_all(GAMES["cantstop"], [1, 2])
    return begin.create("cantstop", CANTSTOP, [ulno, *players], levels={1: 1, 2: 2})


@pytest.fixture
def finished_ones(ulno):
    """A finished match of each game."""
    matches = []
    for slug, game in GAMES.items():
        match = finished.at_random([ulno, computers.seat(game, 1)], slug, 6)
        match.seatings.filter(seat=1).update(level=1)
        settle(match.pk)
        matches.append(match)
    return matches


@pytest.fixture
def tournament(ulno, artjom):
    """A tournament in which a computer took the odd chair."""
    running = begun(artjom, [ulno, *people("Anna Ben")], computer=1, rounds=1)
    play_round(running)
    return look(running)


def seen(answer):
    """The text of a page, without the addresses in it."""
    assert answer.status_code == 200
    return ADDRESS.sub("", html.unescape(answer.content.decode()))


def english(text, language):
    """The names in a text that are others in this language; Phaethon is the same in Estonian."""
    with translation.override(language):
        others = [name for name in NAMES if gettext(name) != name]
    return re.findall(rf"\b(?:{'|'.join(others)})\b", text)


def addresses(table, match, over, tournament):
    yield from ("/", f"/t/{table.pk}", f"/m/{match.pk}", f"/m/{match.pk}/dice", f"/embed/{match.pk}")
    yield from ("/@/Ulno", "/@/Sprout", "/computer/kalah", f"/tournament/{tournament.pk}")
    yield from (f"/tournament/{tournament.pk}/{page}" for page in ("wall", "embed"))
    for each in over:
        yield from (f"/m/{each.pk}{page}" for page in ("", ".txt", "/analysis"))
        yield from (f"/embed/{each.pk}", f"/oembed?url=http://testserver/m/{each.pk}")


@pytest.mark.parametrize("language", ["ru", "et"])
def test_no_page_shows_an_english_name(language, reader, table, match, finished_ones, tournament):
    reader.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    pages = addresses(table, match, finished_ones, tournament)
    found = {address: english(seen(reader.get(address)), language) for address in pages}
    assert {address: names for address, names in found.items() if names} == {}


def test_small_boards_name_computers_in_the_language_of_the_page(match):
    page = Page()
    with translation.override("ru"):
        shown = async_to_sync(boards.show)(page, match.pk, None)
    boards.hide(page, match.pk)
    assert shown["match"]["players"] == ("Ulno", "Икар", "Сурок")


def test_mail_names_computers_in_the_language_of_the_reader(ulno, match):
    ulno.preferences["language"] = "ru"
    letter = mails.letter(Reminder(user=ulno, site="https://parlour.test"), Waiting([match], []))
    assert english(f"{letter.subject} {letter.body}", "ru") == []


def test_the_host_removes_a_computer_by_the_name_that_is_shown(reader, table):
    reader.cookies[settings.LANGUAGE_COOKIE_NAME] = "et"
    page = reader.get(f"/t/{table.pk}").content.decode()
    names = re.findall(r'name="name" value="([^"]+)"', page)
    reader.post(f"/t/{table.pk}/computer/remove", {"name": names[-1]})
    assert [chair.user.username for chair in table.chairs.all()] == ["Ulno", "Icarus"]
