"""What other sites show of a page behind a link."""

import re
from html import unescape

import pytest
from django.utils import timezone

from games.registry import GAMES
from games.share import drawing, link_previews
from games.share.drawing import CardWords
from games.watch import positions
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
    assert "Ulno – Artjom" in shown["title"]
    assert "Ulno: 0, Artjom: 0" in shown["description"]
    assert shown["image"] == f"http://testserver/m/{match.pk}/result.png"


def test_the_picture_of_an_invitation_says_who_invites_to_which_game_and_where():
    words = link_previews.invitation_words("A&B", GAMES["kalah"])
    drawn = drawing.card("kalah", GAMES["kalah"].rules.setup(GAMES["kalah"].rules.Options()), None, words)  # type: ignore[call-arg]
    assert texts(drawn) == ["A&B invites you to play Kalah", "Parlour"]


def test_the_picture_of_a_finished_match_says_names_scores_and_result(client):
    match = finished.won([User.objects.create_user(name) for name in ("Ulno", "Artjom")])
    words = link_previews.result_words(positions.position_of(match.pk, None, timezone.now()))
    assert words.headline == "Ulno 0 – Artjom 0"
    assert words.note.startswith("Won by ")
    assert words.note.endswith(" · Kalah · Parlour")


def test_long_words_of_a_card_are_smaller():
    short, long = (
        drawing.card(
            "kalah",
            GAMES["kalah"].rules.setup(GAMES["kalah"].rules.Options()),  # type: ignore[call-arg]
            None,
            CardWords(words, ""),
        )
        for words in ("Ulno", "U" * 80)
    )
    sizes = [float(re.search(r'font-size="([\d.]+)"', drawn)[1]) for drawn in (short, long)]
    assert sizes[0] == drawing.HEADLINE
    assert sizes[1] * 80 * drawing.WIDEST <= drawing.CARD[0]


def texts(drawn):
    return [unescape(words) for words in re.findall("<text[^>]*>([^<]*)</text>", drawn)]


@pytest.mark.django_db(transaction=True)
def test_pictures_of_tables_and_results_are_painted_and_others_unknown(client):
    host, other = (User.objects.create_user(name) for name in ("Ulno", "Artjom"))
    table = set_table(host, "kalah", GAMES["kalah"].rules.Options(), 2, "lot", TableTerms(listed=False))
    over = finished.won([host, other])
    for path in (f"/t/{table.pk}/card.png", f"/m/{over.pk}/result.png"):
        answer = client.get(path)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
        assert answer.content.startswith(b"\x89PNG")
    assert client.get("/t/nobody/card.png").status_code == 404
    assert client.get("/m/nobody/result.png").status_code == 404


@pytest.mark.parametrize("path", ["/rules/kalah.png", "/puzzle/2026-11-22.png", "/position/kalah.png"])
@pytest.mark.django_db(transaction=True)
def test_card_pictures_are_png(client, path):
    answer = client.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert answer.content.startswith(b"\x89PNG")
