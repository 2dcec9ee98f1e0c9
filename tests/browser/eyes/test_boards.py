"""The boards of all games for every eye: by axe, on a phone, and in the system's few colours.

The full run looks in three languages, and zoomed in.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.browser.conftest import NewPage
from tests.browser.eyes.pages import LANGUAGES, listed, look, speak
from tests.browser.eyes.photographs import photographs, ringed, strongest
from tests.browser.players import NO_ANIMATION, come_in, send, wait_for_ply
from tests.helpers.samples import in_full
from tools.harness.servers import ParlourServer

SEEN = 3
"""The contrast at which a part is told from its ground (WCAG 1.4.11)."""
READ = 4.5
"""The contrast at which words are read (WCAG 1.4.3)."""
FORCED = in_full("dark", "light")
"""The themes in which the system's colours are looked at."""
PRESSED = "#match :is(button, a[href], summary, .cell[data-playable])"
BOXES = """
    (selector) => [...document.querySelectorAll(selector)]
        .filter((each) => each.checkVisibility({visibilityProperty: true}))
        .map((each) => each.getBoundingClientRect())
        .map(({left, top, width, height}) => [left + scrollX, top + scrollY, width, height].map(Math.round))
"""


WORDS = """
    (selector) => [...document.querySelectorAll(selector)]
        .filter((each) => each.checkVisibility({visibilityProperty: true}))
        .map((each) => {
            const words = document.createRange();
            words.selectNodeContents(each);
            return words.getBoundingClientRect();
        })
        .map(({left, top, width, height}) => [left + scrollX, top + scrollY, width, height].map(Math.round))
"""


@pytest.fixture
def board(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    come_in(page)
    return page


@pytest.mark.parametrize("game", GAMES)
def test_a_board_for_every_eye(board: Page, game: str) -> None:
    match = send(board, f"/together/{game}/now").url
    found: list[Any] = []
    for language in LANGUAGES:
        speak(board, language)
        board.goto(match)
        wait_for_ply(board, 0)
        found += look(board, language)
    assert not found, listed(found)
    for scheme in FORCED:
        board.emulate_media(color_scheme=scheme, forced_colors="active")  # type: ignore[arg-type]
        check_forced(board)


def check_forced(page: Page) -> None:
    """With the system's colours whatever is pressed is seen, and where the focus is too."""
    boxes = page.evaluate(BOXES, PRESSED)
    assert boxes
    for box, pixels in zip(boxes, photographs(page, boxes), strict=True):
        assert strongest(pixels) >= SEEN, box
    cell = page.locator("#board .cell[tabindex='0']")
    (left, top, width, height), *_ = page.evaluate(BOXES, "#board .cell[tabindex='0']")
    around = [(left - 6, top - 6, width + 12, height + 12)]
    (before,) = photographs(page, around)
    page.keyboard.press("Shift")
    cell.focus()
    expect(cell).to_be_focused()
    (after,) = photographs(page, around)
    assert ringed(before, after) >= 2 * (width + height)
    page.evaluate("document.activeElement.blur()")


def test_chosen_options_readable_in_forced_colours(page: Page) -> None:
    page.goto("/new/kalah")
    for scheme in FORCED:
        page.emulate_media(color_scheme=scheme, forced_colors="active")  # type: ignore[arg-type]
        boxes = page.evaluate(WORDS, ".choice input:checked + span")
        assert boxes
        for box, pixels in zip(boxes, photographs(page, boxes), strict=True):
            assert strongest(pixels) >= READ, (scheme, box)
