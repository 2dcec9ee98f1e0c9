"""The page of all parts in a real browser: what it looks like, and what it sounds like."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hearing import HEARING, heard, set_to
from tests.browser.looks import Picture, check_looks_everywhere
from tests.browser.players import come_in
from tools.harness.servers import ParlourServer


@pytest.fixture
def design(page: Page, sqlite_server: ParlourServer) -> Page:
    """The page, for somebody of the staff whose sounds are noted."""
    name = come_in(page)
    sqlite_server.write("UPDATE lobby_user SET is_staff = 1 WHERE username = ?", name)
    page.add_init_script(HEARING)
    page.goto("/design")
    expect(page.locator("#design-sound-list[data-ready]")).to_be_visible()
    return page


def test_every_part_looks_right_everywhere(design: Page, picture: Picture) -> None:
    expect(design.locator(".design-art > svg")).to_have_count(2 * design.locator(".design-board").count())
    expect(design.locator("#design-strips .player")).to_have_count(8)
    check_looks_everywhere(design, picture, "design")


def test_each_event_has_tones_of_its_own_and_none_where_sound_is_off(design: Page) -> None:
    buttons = design.locator("#design-sound-list button")
    names = buttons.all_inner_texts()
    assert {"seed", "capture", "mill", "slide", "dice", "climb", "bust", "bank"} < set(names)
    assert {"win", "your-turn", "low-time", "knock"} < set(names)
    press_all = "buttons => buttons.forEach(button => button.click())"
    design.mouse.click(2, 2)
    design.evaluate(set_to(sound="off"))
    buttons.evaluate_all(press_all)
    assert heard(design) == []
    design.evaluate(set_to(sound="on"))
    patterns = []
    for name in names:
        design.evaluate("window.heard.length = 0")
        design.locator(f"[data-sound={name}]").evaluate("button => button.click()")
        patterns.append(tuple(heard(design)))
    assert all(patterns)
    assert len(set(patterns)) == len(patterns)
