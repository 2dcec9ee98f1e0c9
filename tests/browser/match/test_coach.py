"""The first minute: one line of advice and a glowing pit, until the first win or until it was sent away."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import serious_violations
from tests.browser.players import NO_ANIMATION, come_in, post, wait_for_ply
from tools.harness.servers import ParlourServer


@pytest.fixture
def newcomer(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    """Somebody at their first match, three seeds in each pit, who moves first."""
    page = new_page(sqlite_server, viewport={"width": 390, "height": 844})
    page.add_init_script(NO_ANIMATION)
    come_in(page)
    page.goto(post(page, "/computer/kalah", preset="circle", seats="2", level="1", first="host").url)
    wait_for_ply(page, 0)
    return page


LONGEST = "Start here: the last seed ends in an empty pit and captures."


def test_advice_takes_the_place_of_the_narration_and_is_read_whole(newcomer: Page) -> None:
    words = newcomer.locator("#coach [data-part=words]")
    expect(words).to_contain_text("Start here")
    assert serious_violations(newcomer) == []
    for width, height in ((390, 664), (360, 640), (844, 390), (1280, 720)):
        newcomer.set_viewport_size({"width": width, "height": height})
        words.evaluate("words => { words.textContent = ''; }")
        board = newcomer.locator("#board").bounding_box()
        words.evaluate("(words, longest) => { words.textContent = longest; }", LONGEST)
        expect(newcomer.locator(".match-narration")).to_be_hidden()
        line, said = newcomer.locator(".match-line").bounding_box(), words.bounding_box()
        assert line
        assert said
        assert line["y"] <= said["y"]
        assert said["y"] + said["height"] <= line["y"] + line["height"]
        assert newcomer.locator("#board").bounding_box() == board
