"""Every game is explained, with all its options."""

import re
from html import unescape

import pytest
from django.utils.html import escape

from games.domain.options import explained, value_in_words
from games.examples.examples import rules_of
from games.pages.guide import in_html
from games.registry import GAMES
from games.rules.base import choices_of

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


MARKS = {"strong": "**", "code": "`"}
EXAMPLE = re.compile(r"<figure.*?</figure>\n", re.DOTALL)
TEXT_OF_RULE = re.compile(r'<(p|span) id="rule-\d+">(.*?)</\1>')


def unmarked(markup):
    """Markup as a guide would write it; what stands in no known element stays as it is."""
    for element, mark in MARKS.items():
        markup = re.sub(f"<{element}>([^<]+)</{element}>", rf"{mark}\1{mark}", markup)
    return unescape(markup) if "<" not in markup else markup


@every_game
def test_a_game_has_a_page_of_rules(client, game):
    answer = client.get(f"/rules/{game.slug}")
    assert answer.status_code == 200
    assert f"<h1>{escape(game.full_title)}</h1>" in answer.text


@every_game
def test_the_board_is_on_the_page_as_it_comes(client, game):
    """A board drawn only once a module is there would push away what one is reading."""
    page = client.get(f"/rules/{game.slug}").text
    assert re.search(
        r"""<svg viewBox="0 0 [\d.]+ [\d.]+" role="img" aria-label="Starting position"><""", page
    )


def test_kalah_is_found_by_the_name_mancala(client):
    page = client.get("/rules/kalah").text
    assert "<title>The rules of Kalah (Mancala) · Parlour</title>" in page
    assert 'content="How to play Kalah (Mancala): ' in page


@every_game
def test_the_page_says_what_the_guide_says_and_in_that_order(client, game):
    page = EXAMPLE.sub("", client.get(f"/rules/{game.slug}").text)
    page = TEXT_OF_RULE.sub(lambda found: f"<p>{found[2]}</p>" if found[1] == "p" else found[2], page)
    told = re.findall(r"<(h2|p|li)>(.*?)</\1>", page.split('class="rules-text">')[1], re.DOTALL)
    guide = [
        (element, text)
        for section in game.rules.GUIDE
        for element, text in [("h2", section.heading), *elements(section.body)]
    ]
    assert [(element, unmarked(markup)) for element, markup in told[: len(guide)]] == guide


def elements(body):
    """The texts under a heading, each with the element that it becomes."""
    for said in body:
        yield from [("p", said)] if isinstance(said, str) else [("li", point) for point in said]


@every_game
def test_every_mark_of_a_guide_is_closed(game):
    texts = [text for section in game.rules.GUIDE for _, text in elements(section.body)]
    assert [text for text in texts if any(text.count(mark) % 2 for mark in MARKS.values())] == []


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("**Stop**, or `6+8`.", "<strong>Stop</strong>, or <code>6+8</code>."),
        ("2 * 3 ** 4 ` 5", "2 * 3 ** 4 ` 5"),
        ("<b>&amp;</b>", "&lt;b&gt;&amp;amp;&lt;/b&gt;"),
        ("**<i>** `<script>`", "<strong>&lt;i&gt;</strong> <code>&lt;script&gt;</code>"),
        ("`**`", "<code>**</code>"),
    ],
)
def test_marks_become_elements_and_nothing_else_does(text, markup):
    assert in_html(text) == markup


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


def test_rules_of_unknown_game_not_found(client):
    assert client.get("/rules/chess").status_code == 404


@pytest.mark.parametrize(
    ("language", "numbers"),
    [
        ("en", "3, 4, 5 (default) and 6"),
        ("ru", "3, 4, 5 (обычно) и 6"),
        ("et", "3, 4, 5 (tavaline) ja 6"),
    ],
)
def test_numbers_to_choose_from_are_listed_as_the_reader_does(client, language, numbers):
    told = client.get("/rules/aces", headers={"Accept-Language": language}).text
    assert f"<dd>{numbers}</dd>" in told


@every_game
def test_each_rule_with_examples_has_a_figure_beside_it(client, game):
    page = client.get(f"/rules/{game.slug}").text
    shown = re.findall(r'data-rule="(\d+)"', page)
    assert shown == [str(number) for number in range(len(rules_of(game.slug)))]
    assert all(f'id="rule-{number}"' in page for number in shown)
