"""The page of all parts: who may see it, and that nothing is missing on it."""

import re
from pathlib import Path

import pytest

from games.registry import GAMES
from lobby.people.models import User
from lobby.templatetags.icons import ICONS

CSS = Path(__file__).parents[3] / "static" / "css"

pytestmark = pytest.mark.django_db


def test_design_page_for_staff_only(client):
    assert client.get("/design").status_code == 404
    user = User.objects.create_user("Ulno")
    client.force_login(user)
    assert client.get("/design").status_code == 404
    User.objects.update(is_staff=True)
    assert client.get("/design").status_code == 200


def test_design_page_shown_with_debug(client, settings):
    settings.DEBUG = True
    assert client.get("/design").status_code == 200


@pytest.fixture
def html(client, settings):
    settings.DEBUG = True
    return client.get("/design").text


def test_every_class_of_the_parts_is_on_it(html):
    sheets = "".join((CSS / f"{name}.css").read_text() for name in ("buttons", "cards", "forms", "overlays"))
    css = re.sub(r"/\*.*?\*/", "", sheets, flags=re.DOTALL)
    selectors = re.findall(r"([^{}]+)\{", css)
    classes = {name for selector in selectors for name in re.findall(r"\.([a-z][\w-]*)", selector)}
    main = html.partition("<main")[2].partition("</main>")[0]
    shown = {name for names in re.findall(r'class="([^"]*)"', main) for name in names.split()}
    assert classes - shown == set()


def test_every_game_is_on_it_in_three_sets_of_colours_and_every_icon(html):
    assert html.count('data-module="') == 3 * len(GAMES)
    assert re.findall(r'class="design-boards" data-board="(\w+)"', html) == ["wood", "paper", "contrast"]
    for name in ICONS:
        assert f"<code>{name}</code>" in html
