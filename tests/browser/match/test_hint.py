"""A hint in Chromium, from the button to the board; keys, words and refusals are tested in Node."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.looks import check_looks_everywhere
from tests.browser.players import at_board, press, wait_for_ply
from tests.helpers import thinking
from tools.harness import subprocess_call
from tools.harness.patience import wait_until


@pytest.fixture
def seats(new_page, sqlite_server):
    return at_board(new_page, sqlite_server, "kalah", "circle", viewport={"width": 1280, "height": 900})


def think(server):
    """As a worker does, once something is asked for."""
    wait_until(lambda: server.rows("SELECT id FROM games_thought WHERE look IS NULL"), "a wish")
    subprocess_call.call(server.database_url, thinking.know, [1.0, 0.0], True, 4)


def test_a_hint_is_said_and_marked(seats, sqlite_server, picture):
    first, second = seats.players
    button = first.get_by_role("button", name="Hint")
    expect(second.get_by_role("button", name="Hint")).to_be_hidden()
    button.click()
    expect(first.locator("#hint [role=status]")).to_have_text("Thinking…")
    think(sqlite_server)
    expect(first.locator("#hint [role=status]")).to_have_text("Hint: 1, wins by 4")
    expect(first.locator("#board [data-hint]")).to_have_count(1)
    expect(first.locator("#board [data-cell='0']")).to_have_attribute("data-hint", "")
    check_looks_everywhere(first, picture, "hint")
    press(first, "1")
    wait_for_ply(first, 1)
    expect(first.locator("#board [data-hint]")).to_have_count(0)
    expect(button).to_be_hidden()
    expect(second.get_by_role("button", name="Hint")).to_be_visible()
    expect(seats.watcher.locator("#hint")).to_have_count(0)
