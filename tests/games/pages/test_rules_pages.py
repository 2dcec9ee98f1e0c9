"""Every game is explained, with all its options."""

from pathlib import Path

import pytest
from django.utils.html import escape

from games.law.options import explained, value_in_words
from games.registry import GAMES
from games.rules.base import choices_of

ROOT = Path(__file__).parents[3]
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


def test_every_page_of_rules_is_about_a_game_that_is_played_here():
    assert {path.stem for path in (ROOT / "templates" / "rules").glob("*.html")} == set(GAMES)


@every_game
def test_a_game_has_a_page_of_rules(client, game):
    answer = client.get(f"/rules/{game.slug}")
    assert answer.status_code == 200
    assert f"<h1>{escape(game.title)}</h1>" in answer.text


@every_game
def test_every_option_is_explained_with_every_value(client, game):
    page = client.get(f"/rules/{game.slug}").text
    for choice in choices_of(game.rules.Options):
        told = [choice.title, choice.sentence, *(value_in_words(choice, value) for value in choice.offered)]
        assert [words for words in told if escape(words) not in page] == []


@every_game
def test_exactly_one_value_of_an_option_is_the_usual_one(game):
    for option in explained(game.rules.Options):
        assert [usual for _, usual in option.values].count(True) == 1


@every_game
def test_every_rule_set_is_explained(client, game):
    page = client.get(f"/rules/{game.slug}").text
    assert [slug for slug in game.rules.PRESETS if f"<strong>{slug.capitalize()}:</strong>" not in page] == []


@every_game
def test_the_form_for_a_table_leads_to_the_rules(client, game, db):
    assert f'href="/rules/{game.slug}"' in client.get(f"/new/{game.slug}").text


def test_there_are_no_rules_of_an_unknown_game(client):
    assert client.get("/rules/chess").status_code == 404
