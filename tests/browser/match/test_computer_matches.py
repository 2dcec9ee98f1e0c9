"""The highest level of the computer in Chromium; by_ear plays whole matches against a lower one."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from games.domain import codec
from games.registry import GAMES
from tests.browser.match.test_games import position
from tests.browser.players import NO_ANIMATION, led_to, wait_for_ply
from tools.harness.patience import wait_until

pytestmark = pytest.mark.full
TURNS = 6
"""How many of one's own are played."""


@pytest.fixture(scope="module")
def server(launcher):
    """One whose computer players think in a process of its own, and do not wait for the sake of people."""
    return launcher.open(launcher.store("sqlite"), SOCKET_RATE="0", BOT_PROCESSES="1", BOT_PACE="0.02")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_highest_level_answers_every_move(new_page, server, game, picture):
    level = len(game.levels)
    page = new_page(server)
    page.add_init_script(NO_ANIMATION)
    page.goto(f"/computer/{game.slug}?level={level}")
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    led_to(page, "/m/")
    match = page.url.rpartition("/")[2]
    ((me,),) = server.rows("SELECT seat FROM games_seating WHERE match_id = ? AND level IS NULL", match)
    if not is_over_after(TURNS, page, server, game, match, me, random.Random(level)):
        for _ in range(2):
            page.locator("#resign").click()
    expect(page.locator("#headline")).to_contain_text(re.compile("won|draw", re.IGNORECASE))
    picture(page, f"computer-{game.slug}-{level}")


def is_over_after(turns, page, server, game, match, me, lot):
    """Type a legal move so many times and wait for each answer; whether the match is over by then."""
    rules = game.rules

    def my_turn_or_over():
        _, state = position(server, match)
        return state["turn"] == me or state["ended"] is not None

    for turn in range(turns + 1):
        wait_until(my_turn_or_over, "the computer's move")
        ply, stored = position(server, match)
        wait_for_ply(page, ply)
        state = codec.decode_state(rules, stored)
        if turn == turns or rules.outcome(state) is not None:
            break
        page.locator("#command-text").fill(str(lot.choice(rules.legal_moves(state))))
        page.locator("#command-text").press("Enter")
        expect(page.locator("#match")).not_to_have_attribute("data-ply", str(ply))
    return rules.outcome(state) is not None
