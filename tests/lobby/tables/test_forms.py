"""The forms of tables, challenges and computer matches: what they show, and say when nothing can be set."""

import re
from dataclasses import replace
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.utils import translation

from games.domain.options import preset_in_words, sentence_of
from games.models import Match
from games.net.limits import Buckets
from games.pages.guide import shown
from games.registry import GAMES
from lobby.accounts import guests
from lobby.people.models import User
from lobby.tables.forms.computers import ComputerForm
from lobby.tables.forms.table import TableForm
from lobby.tables.models import Table
from lobby.tables.table_template import Plan
from lobby.tables.terms import TableTerms

pytestmark = pytest.mark.django_db

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
FORM = {
    "preset": "circle",
    "seats": "2",
    "first": "other",
    "clock": "5+3",
    "watchers": "60",
    "rule_seeds": "5",
}
MORRIS = {"preset": "six", "seats": "2"}


@pytest.fixture(autouse=True)
def no_limit(monkeypatch):
    monkeypatch.setattr(guests, "guests", Buckets(rate=0, burst=0))


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


# Presets


@every_game
def test_every_preset_has_a_picture_and_a_sentence_of_its_own(game):
    shown = TableForm(game).shown_presets()
    assert [preset.radio.data["value"] for preset in shown] == list(game.rules.PRESETS)
    assert all(preset.picture for preset in shown)
    assert all(re.fullmatch(r"[^*]+\.", preset.sentence) for preset in shown)
    assert len({preset.sentence for preset in shown}) == len(shown)


def test_the_picture_of_a_preset_shows_how_it_begins():
    pictures = {
        preset.radio.data["value"]: re.sub(r'(id="|#)[a-z0-9-]+', "", preset.picture)
        for preset in TableForm(GAMES["kalah"]).shown_presets()
    }
    assert pictures["pie-rule"] == pictures["classic"]
    assert len(set(pictures.values())) == len(pictures) - 1


@every_game
def test_pictures_do_not_mix_their_definitions_up(game):
    page = "".join(preset.picture for preset in TableForm(game).shown_presets())
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(ids)


def test_the_sentence_is_that_of_the_guide():
    assert sentence_of(GAMES["kalah"], "classic") == (
        "Four seeds in each pit, and the opponent’s store is skipped."
    )


@every_game
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_preset_is_called_what_the_guide_calls_it(game, language):
    with translation.override(language):
        parts = [part for section in shown(game) for part in section.parts]
        points = [text.html.replace("-", " ") for part in parts if part.is_list for text in part.texts]
        for preset in game.rules.PRESETS:
            name = f"<strong>{preset_in_words(game, preset)}:</strong>"
            assert [point for point in points if point.startswith(name)], name


@pytest.mark.parametrize(
    ("language", "preset", "name"),
    [("en", "pie-rule", "Pie rule"), ("ru", "circle", "По кругу"), ("ru", None, "Свои правила")],
)
def test_a_preset_has_a_name_in_every_language(language, preset, name):
    with translation.override(language):
        assert preset_in_words(GAMES["kalah"], preset) == name


# What is folded away is summed up


def test_summary_of_defaults():
    assert TableForm(GAMES["kalah"]).summed_up() == [
        "Casual",
        "Open to everyone",
        "No clock",
        "Random first move",
        "Everyone can watch",
    ]


def test_summary_of_choices():
    terms = TableTerms(False, "3d", rated=True, watchable=False, lowest_rating=1400, highest_rating=1600)
    plan = Plan("kalah", replace(GAMES["kalah"].rules.PRESETS["circle"], seeds=5), 2, "host", terms)
    assert TableForm(GAMES["kalah"], like=plan).summed_up() == [
        "Custom",
        "Rated",
        "By invitation",
        "Ratings from 1400",
        "Ratings up to 1600",
        "3 days per move",
        "I move first",
        "Nobody can watch",
    ]


def test_a_clock_that_the_game_does_not_suggest_is_shown_as_a_custom_one():
    plan = Plan("aces", GAMES["aces"].rules.Options(), 2, "host", TableTerms(clock="1+0"))
    form = TableForm(GAMES["aces"], like=plan)
    shown = [form[name].value() for name in ("clock", "clock_minutes", "clock_seconds", "clock_bonus")]
    assert shown == ["custom", 1, 0, "increment"]


def test_a_delay_is_shown_as_a_custom_clock():
    plan = Plan("kalah", GAMES["kalah"].rules.Options(), 2, "host", TableTerms(clock="5+d3"))
    form = TableForm(GAMES["kalah"], like=plan)
    shown = [form[name].value() for name in ("clock", "clock_seconds", "clock_bonus")]
    assert shown == ["custom", 3, "delay"]


def test_summary_omits_visible_fields():
    assert TableForm(GAMES["morris"]).summed_up() == [
        "Casual",
        "Open to everyone",
        "No clock",
        "Everyone can watch",
    ]
    assert ComputerForm(GAMES["kalah"]).summed_up() == ["No clock", "Random first move", "Everyone can watch"]


# The host's side


def choices(text, name):
    """The radio buttons of a field on a page: their words by their values."""
    found = re.findall(rf'<input type="radio" name="{name}" value="(\w+)"[^>]*><span>([^<]+)', text)
    return {value: unescape(words) for value, words in found}


@pytest.mark.parametrize("path", ["/new/morris", "/challenge/Artjom/morris", "/computer/morris"])
def test_first_move_choice_names_sides(ulno, artjom, path):
    text = signed_in(ulno).get(path).text
    assert choices(text, "first") == {"host": "I am white", "other": "I am black", "lot": "Random"}
    assert choices(text, "opens") == {"0": "White moves first", "1": "Black moves first"}


@pytest.mark.parametrize("path", ["/new/kalah", "/challenge/Artjom/kalah", "/computer/kalah"])
def test_first_move_choice_without_sides(ulno, artjom, path):
    text = signed_in(ulno).get(path).text
    assert choices(text, "first")["host"] == "I do"
    assert choices(text, "opens") == {}


@pytest.mark.parametrize(("first", "seat"), [("host", 0), ("other", 1)])
@pytest.mark.parametrize(("opens", "turn"), [("", 0), ("0", 0), ("1", 1)])
def test_the_side_and_who_moves_first_are_kept(ulno, first, seat, opens, turn):
    signed_in(ulno).post("/computer/morris", {**MORRIS, "level": "1", "first": first, "opens": opens})
    match = Match.objects.get()
    assert match.seatings.get(user=ulno).seat == seat
    assert f'"turn":{turn}' in match.start


def test_the_table_says_who_is_what(ulno):
    answer = signed_in(ulno).post("/new/morris", {**MORRIS, "first": "host", "opens": "1"}, follow=True)
    assert "<li>White: the host</li><li>Black moves first</li>" in answer.text
    answer = signed_in(ulno).post("/new/morris", {**MORRIS, "first": "lot"}, follow=True)
    assert "<li>Random sides</li>" in answer.text
    assert "moves first" not in answer.text


def test_a_side_that_is_not_there_is_refused(ulno):
    answer = signed_in(ulno).post("/new/morris", {**MORRIS, "first": "host", "opens": "2"})
    assert answer.status_code == 400
    assert not Table.objects.exists()


# When nothing can be stored


@pytest.fixture
def host(ulno):
    """Ulno, signed in."""
    return signed_in(ulno)


@pytest.fixture
def read_only(host, artjom):
    """From now on the database can be read, but takes nothing any more."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
        yield
        cursor.execute("PRAGMA query_only = OFF")


SENTENCE = "Not created: the site cannot save anything right now."


def set_nothing(client, path, fields):
    """The answer to a form while nothing can be stored."""
    answer = client.post(path, fields)
    assert answer.status_code == 503
    assert f'role="alert">{SENTENCE}' in answer.text
    assert not Table.objects.exists()
    assert not Match.objects.exists()
    return answer


def test_unsuccessful_game_creation_new_game_error(host, read_only):
    answer = set_nothing(host, "/new/kalah", FORM)
    form = answer.context["form"]
    assert {name: form[name].value() for name in FORM} == FORM
    assert 'value="5+3" selected' in answer.text


def test_a_challenge_that_cannot_be_stored_says_so(host, read_only):
    set_nothing(host, "/challenge/Artjom/kalah", FORM)


def test_a_match_against_the_computer_that_cannot_be_stored_says_so(host, read_only):
    answer = set_nothing(host, "/computer/kalah", {**FORM, "level": "7"})
    assert answer.context["form"]["level"].value() == "7"


def test_a_newcomer_is_told_too_and_is_still_nobody(client, read_only):
    set_nothing(client, "/new/kalah", FORM)
    assert not User.objects.filter(is_guest=True).exists()
