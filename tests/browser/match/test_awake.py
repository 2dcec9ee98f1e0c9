"""Computers where nothing is compiled yet, as on a fresh clone: the page says why one waits."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.players import NO_ANIMATION, come_in, post, press, wait_for_ply
from tests.conftest import Launcher
from tools.harness.patience import patience, wait_until

pytestmark = [pytest.mark.cold, pytest.mark.full]

SOON = 3.0
"""Seconds from a press to the computer's answer, where it is awake."""


def at_computer(page: Page) -> None:
    """Come to a new match against the lowest level that needs a kernel, one's own move."""
    page.add_init_script(NO_ANIMATION)
    come_in(page)
    page.goto(post(page, "/computer/kalah", preset="circle", seats="2", level="3", first="host").url)
    wait_for_ply(page, 0)


def test_a_computer_that_wakes_up_says_so_and_then_moves(
    new_page: NewPage, launcher: Launcher, tmp_path: Path
) -> None:
    server = launcher.open(launcher.store("sqlite"), BOT_PROCESSES="1", NUMBA_CACHE_DIR=str(tmp_path))
    page = new_page(server)
    at_computer(page)
    press(page, "0")
    expect(page.locator("#headline")).to_have_text("The computer is starting")
    expect(page.locator("#headline")).to_have_text("Your turn", timeout=patience(150) * 1000)


def test_computer_ready_answers_within_three_seconds(new_page: NewPage, launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), BOT_PROCESSES="1", LOG_LEVEL="INFO")
    page = new_page(server)
    at_computer(page)
    wait_until(lambda: "computer players are awake" in server.log, "waking up", 60)
    pressed = time.monotonic()
    press(page, "0")
    expect(page.locator("#headline")).to_have_text("Your turn")
    assert time.monotonic() - pressed < patience(SOON)
