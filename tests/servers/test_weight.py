"""What pages with a board weigh before anything is in a browser’s cache, in each language."""

from __future__ import annotations

import re

import brotli
import pytest

from games.registry import GAMES
from tests.helpers.samples import in_full
from tools.harness import subprocess_call
from tools.harness.servers import Answer, ParlourServer

LANGUAGES = in_full("ru", "en", "et")
HEAVIEST = 74_000
"""Bytes of the page and of what it asks for at once, compressed, without headers, in whatever language."""
ASKED_FOR = re.compile(r'(?:src|href)="(/[^"]+\.(?:js|css))"')
AS_BROWSERS_DO = "gzip, deflate, br"


def begun(game: str) -> str:
    """To be called inside a process: a match between two."""
    from games.play.begin import create
    from lobby.people.models import User

    rules = GAMES[game].rules
    users = [User.objects.create_user(f"Calm-Heron-{game}-{seat}") for seat in range(2)]
    return str(create(game, next(iter(rules.PRESETS.values())), users).pk)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_page_is_light_in_each_language(sqlite_server: ParlourServer, game: str) -> None:
    match = subprocess_call.call(sqlite_server.database_url, begun, game)
    check_weight(sqlite_server, f"/m/{match}")


@pytest.mark.parametrize("day", in_full("2025-01-01", "2025-01-02"))
def test_the_page_of_a_puzzle_is_as_light(sqlite_server: ParlourServer, day: str) -> None:
    check_weight(sqlite_server, f"/puzzle/{day}")


@pytest.mark.parametrize("game", in_full(*GAMES))
def test_the_page_of_a_position_is_as_light(sqlite_server: ParlourServer, game: str) -> None:
    check_weight(sqlite_server, f"/position/{game}")


@pytest.mark.parametrize("game", in_full(*GAMES))
def test_the_page_of_rules_is_as_light(sqlite_server: ParlourServer, game: str) -> None:
    check_weight(sqlite_server, f"/rules/{game}")


def check_weight(server: ParlourServer, path: str) -> None:
    """A page, and what it asks for at once."""
    for language in LANGUAGES:
        page = ask(server, path, language)
        needed = set(ASKED_FOR.findall(brotli.decompress(page.body).decode()))
        assert sum(each.startswith(f"/words/{language}.") for each in needed) == 1
        files = [ask(server, each, language) for each in needed]
        assert {answer.headers["content-encoding"] for answer in files} == {"br"}
        assert sum(len(answer.body) for answer in (page, *files)) <= HEAVIEST, language


def ask(server: ParlourServer, path: str, language: str) -> Answer:
    answer = server.get(path, {"Accept-Encoding": AS_BROWSERS_DO, "Accept-Language": language})
    assert answer.status == 200
    return answer
