"""The names of computer players, and where pages show them."""

import html
import json
import re

import pytest
from django.utils import translation

from games.domain import computer_names
from games.play import begin
from games.registry import GAMES
from lobby.tables import computers


@pytest.mark.parametrize("name", ["Sprout", "Sprout-2"])
def test_name_of_computer_in_english_is_that_of_its_account(name):
    with translation.override("en"):
        assert computer_names.in_words(name) == name


@pytest.mark.django_db(transaction=True)
def test_match_page_has_names_of_computers_by_seat(ulno, client):
    client.force_login(ulno)
    level = computers.seat(GAMES["aces"], 1)
    match = begin.create("aces", GAMES["aces"].rules.Options(), [level, ulno], levels={0: 1})
    page = client.get(f"/m/{match.pk}").content.decode()
    found = re.search(r'data-computers="([^"]*)"', page)
    assert found is not None
    assert json.loads(html.unescape(found[1])) == {"0": "Magpie"}
