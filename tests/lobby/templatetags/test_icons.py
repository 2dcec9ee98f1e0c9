"""Icons stand in one place, and every game has one of its own."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from games.registry import GAMES
from games.share import drawing
from lobby.templatetags.icons import ICONS, drawn, game_icon, icon

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_is_a_drawing_and_says_nothing_to_those_who_listen(name):
    svg = ET.fromstring(icon(name))
    assert (svg.get("class"), svg.get("viewBox"), svg.get("aria-hidden")) == ("icon", "0 0 24 24", "true")
    assert {each.tag for each in svg} <= {"path", "circle"}
    assert not any(each.get("fill") or each.get("stroke") for each in svg)


def test_no_two_icons_are_alike():
    strokes = [*ICONS.values(), *(drawing.icon(slug) for slug in GAMES)]
    assert len(set(strokes)) == len(strokes)


def test_a_game_without_an_icon_of_its_own_has_that_of_any_game():
    assert game_icon("backgammon") == drawn(drawing.picture_module("backgammon").ICON)


def test_an_icon_can_have_a_class_of_its_own():
    assert 'class="icon icon-play"' in icon("play", "icon-play")


def test_templates_name_only_icons_that_there_are():
    text = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    assert set(re.findall(r'\{% icon "([^"]+)"', text)) <= set(ICONS)
