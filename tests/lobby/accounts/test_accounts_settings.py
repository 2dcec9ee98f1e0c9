"""Settings: one list for server and browser, kept with accounts."""

import json
import re
from pathlib import Path

import pytest

from lobby.people import preferences
from lobby.people.models import User
from lobby.people.preferences import SETTINGS, PreferenceError

STATIC = Path(__file__).resolve().parents[3] / "static"

pytestmark = pytest.mark.django_db


@pytest.fixture
def account():
    return User.objects.create_user("Ulno", password="a quiet evening")


@pytest.fixture
def at_home(client, account):
    client.force_login(account)
    return client


def test_the_browser_has_the_same_list():
    module = (STATIC / "parts" / "settings.js").read_text()
    source = re.search(r"SETTINGS = Object\.freeze\(/\*.*?\*/ \((\{.*?\})\)\);", module, re.DOTALL)
    assert source is not None
    as_json = re.sub(r",(\s*\})", r"\1", re.sub(r"(\w+):", r'"\1":', source[1]))
    assert {name: tuple(values) for name, values in json.loads(as_json).items()} == SETTINGS


def test_every_value_can_be_chosen_on_the_page(at_home):
    page = at_home.get("/settings").text
    for name, values in SETTINGS.items():
        chosen = re.findall(rf'name="setting-{name}" value="(\w+)"', page)
        assert sorted(chosen) == sorted(values)


def test_every_choice_is_under_one_of_four_headings(at_home):
    page = at_home.get("/settings").text
    before, *groups = page.partition('id="setting-list"')[2].split("<h3>")
    assert "<fieldset" not in before
    assert len(groups) == 4
    assert all("<fieldset" in group for group in groups)


def test_every_page_offers_the_same_settings_once(client):
    for path in ("/", "/settings"):
        assert client.get(path).text.count('name="setting-theme"') == 3


def test_an_account_keeps_what_is_set(at_home, account):
    assert at_home.post("/settings", {"name": "theme", "value": "dark"}).status_code == 204
    at_home.post("/settings", {"name": "board", "value": "paper"})
    account.refresh_from_db()
    assert preferences.of(account) == {
        **{name: values[0] for name, values in SETTINGS.items()},
        "language": "en",
        "theme": "dark",
        "board": "paper",
    }


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [("theme", "pink", "unknown-value"), ("is_staff", "1", "unknown-setting"), ("", "", "unknown-setting")],
)
def test_nonsense_is_refused_and_changes_nothing(at_home, account, name, value, code):
    answer = at_home.post("/settings", {"name": name, "value": value})
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    account.refresh_from_db()
    assert account.preferences == {}


def test_guests_keep_theirs_in_the_browser(client):
    client.post("/guest")
    answer = client.post("/settings", {"name": "theme", "value": "dark"})
    assert (answer.status_code, answer.json()["code"]) == (403, "no-account")
    assert "data-preferences" not in client.get("/").text


def test_a_form_of_another_site_sets_nothing(at_home):
    at_home.handler.enforce_csrf_checks = True
    assert at_home.post("/settings", {"name": "theme", "value": "dark"}).status_code == 403


def test_the_first_paint_has_the_colours_of_the_account(at_home, account):
    account.preferences = {"theme": "dark", "board": "contrast", "speed": "nonsense"}
    account.save()
    html = re.search(r"<html[^>]*>", at_home.get("/").text)[0]
    assert 'data-theme="dark"' in html
    assert 'data-board="contrast"' in html
    assert "nonsense" not in html


def test_preference_slate_board_read_as_paper(at_home, account):
    account.preferences = {"board": "slate"}
    account.save()
    assert preferences.chosen(account) == {"board": "paper"}
    assert 'data-board="paper"' in at_home.get("/settings").text
    assert at_home.post("/settings", {"name": "board", "value": "slate"}).status_code == 400


def test_the_language_is_a_choice_where_there_are_several(at_home, settings):
    assert 'id="setting-language"' in at_home.get("/settings").text
    settings.LANGUAGES = [("en", "English")]
    assert 'id="setting-language"' not in at_home.get("/settings").text


def test_the_language_of_an_account_goes_along_to_another_device(client, account, settings):
    preferences.save(account, "language", "et")
    answer = client.post("/accounts/login/", {"login": "Ulno", "password": "a quiet evening"})
    assert answer.cookies[settings.LANGUAGE_COOKIE_NAME].value == "et"


def test_a_refusal_says_why(account):
    with pytest.raises(PreferenceError, match="setting does not exist"):
        preferences.save(account, "taste", "good")


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("board", SETTINGS["board"])
@pytest.mark.parametrize("dark", [0, 1])
def test_board_colours_have_text_contrast(board, dark):
    block = re.search(
        rf'\[data-board="{board}"\] \{{(.*?)\}}', (STATIC / "css" / "tokens.css").read_text(), re.DOTALL
    )[1]
    tokens = dict(re.findall(r"--([\w-]+): light-dark\(([^)]*)\)", block))
    colours = {name: luminance(pair.split(", ")[dark]) for name, pair in tokens.items()}
    for ground in ("wood-light", "wood"):
        lighter, darker = sorted([colours["on-wood"], colours[ground]], reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, ground
