"""A club moves from a site to another one, on each store."""

from __future__ import annotations

import json

import pytest

from tests.conftest import PAIRS, Launcher
from tests.helpers.club_files import exported, imported_twice
from tools.harness import subprocess_call


@pytest.mark.parametrize("pair", PAIRS)
def test_a_club_moves_to_another_site_and_doubles_nothing(launcher: Launcher, pair: str) -> None:
    here, there = launcher.store(pair), launcher.store(pair)
    text = subprocess_call.call(here.database_url, exported)
    count, back = subprocess_call.call(there.database_url, imported_twice, text)
    assert count == 1
    before, after = json.loads(text), json.loads(back)
    assert after["members"][1:] == before["members"]
    assert {**after, "exported": "", "members": ""} == {**before, "exported": "", "members": ""}
