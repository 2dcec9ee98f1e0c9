"""What other sites show of a page behind a link."""

import re
from html import unescape

import pytest

from games.registry import GAMES
from games.share import link_previews
from lobby.people.models import User
from lobby.tables.tables import TableTerms, set_table
from tests.helpers import finished

pytestmark = pytest.mark.django_db


def card(client, path):
    """What the page says of itself, by property."""
    page = client.get(path).text
    return {
        name: unescape(words)
        for name, words in re.findall(r'<meta property="og:([^"]+)" content="([^"]*)">', page)
    }


@pytest.mark.parametrize("path", ["/", "/puzzle", "/rules/morris"])
def test_pages_about_games_have_a_card_with_a_picture(client, path):
    shown = card(client, path)
    assert shown["url"] == f"http://testserver{path}"
    assert shown["title"]
    assert shown["description"]
    assert re.fullmatch(r"http://testserver/(rules|puzzle)/[\w-]+\.png", shown["image"])


@pytest.mark.parametrize("listed", [True, False])
def test_a_waiting_table_says_who_invites_to_what(client, listed):
    host = User.objects.create_user("Ulno")
    table = set_table(host, "kalah", GAMES["kalah"].rules.Options(), 2, "lot", TableTerms(listed=listed))
    assert card(client, f"/t/{table.pk}")["title"] == "Ulno invites you to play Kalah"


def test_a_finished_match_shows_names_score_and_a_board_that_is_not_empty(client):
    match = finished.won([User.objects.create_user(name) for name in ("Ulno", "Artjom")])
    shown = card(client, f"/m/{match.pk}")
    last = match.plies.count()
    assert "Ulno – Artjom" in shown["title"]
    assert "Ulno: 0, Artjom: 0" in shown["description"]
    assert shown["image"].endswith(f"/{last * link_previews.LATE // 100}.png")


@pytest.mark.parametrize("path", ["/rules/kalah.png", "/puzzle/2026-11-22.png"])
@pytest.mark.django_db(transaction=True)
def test_their_pictures_are_painted(client, path):
    answer = client.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert answer.content.startswith(b"\x89PNG")
