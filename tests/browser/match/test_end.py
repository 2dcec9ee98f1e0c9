"""The end of a match in Chromium, and what depends on the kind of device; the rest is tested in Node."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import PHONE, Picture, check_looks
from tests.browser.players import Seats, at_board, open_more, press, wait_for_ply
from tools.harness.servers import ParlourServer

SIZES = {1280: 720, PHONE: 664}


@pytest.fixture
def seats(new_page: NewPage, sqlite_server: ParlourServer) -> Seats:
    return at_board(new_page, sqlite_server, "kalah", "circle")


def resign(page: Page) -> None:
    for _ in range(2):
        page.locator("#resign").click()


def overlap(page: Page, one: str, other: str) -> bool:
    a, b = (page.locator(each).bounding_box() for each in (one, other))
    assert a
    assert b
    across = a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
    return across and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]


def test_end_sheet_tells_players_and_watchers_and_leads_on(seats: Seats, picture: Picture) -> None:
    first, second = seats.players
    press(first, "0")
    wait_for_ply(second, 1)
    watcher = seats.watcher
    resign(first)
    for page in seats.all:
        wait_for_ply(page, 2)
        expect(page.locator("#end")).to_be_visible()
    name = first.locator(".player[data-seat='0'] .player-name").inner_text()
    expect(second.locator("#end-title")).to_have_text("You won")
    expect(second.locator("#end-words")).to_have_text(f"{name} resigned.")
    expect(first.locator("#end-words")).to_have_text("You resigned.")
    # Who gave up sits there still.
    for page in seats.all:
        strip = page.locator(".player[data-seat='0']")
        expect(strip.locator(".player-note")).to_contain_text("resigned")
        expect(strip.locator(".player-note")).not_to_contain_text("has left")
        expect(strip.locator(".presence")).to_be_hidden()
    for page in (first, second):
        for way in ("Rematch", "Share"):
            expect(page.locator("#end").get_by_role("button", name=way)).to_be_visible()
        for way in ("New opponent", "Analyse", "Lobby", "Sign up to keep this game"):
            expect(page.locator("#end").get_by_role("link", name=way)).to_be_visible()
    expect(watcher.locator("#end").get_by_role("button", name="Rematch")).to_be_hidden()
    for width, height in SIZES.items():
        first.set_viewport_size({"width": width, "height": height})
        expect(first.locator("#end")).to_be_in_viewport(ratio=1)
        # It says what the line says, in its place, and the last position is seen whole.
        expect(first.locator(".match-word")).to_be_hidden()
        for other in ("#board", *(["#moves"] if width > PHONE else [".moves-toggle"])):
            assert not overlap(first, "#end", other)
        check_looks(first, picture, "end")


def test_keys_are_shown_where_there_is_a_keyboard(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    desk = {"viewport": {"width": 1280, "height": 800}}
    for options, shown in ((desk, True), ({**desk, "has_touch": True, "is_mobile": True}, False)):
        page = at_board(new_page, sqlite_server, "kalah", "circle", **options).players[0]
        expect(page.locator("#hint kbd").first).to_be_visible(visible=shown)
        # A pit has one number, until the board is used by keyboard.
        expect(page.locator(".board-key").first).to_be_hidden()
        if shown:
            page.keyboard.press("Shift")
            page.locator("#board .cell[tabindex='0']").focus()
            expect(page.locator(".board-key").first).to_be_visible()


def test_command_box_opens_by_key_menu_and_setting(seats: Seats) -> None:
    page = seats.players[0]
    box, form = page.locator("#command-text"), page.locator("#command")
    small = re.compile("^1px$")
    expect(page.locator(".match-command")).to_have_css("width", small)
    page.keyboard.press("/")
    expect(box).to_be_focused()
    expect(box).to_have_value("")
    expect(form).to_be_in_viewport(ratio=1)
    page.locator("#board").click(position={"x": 2, "y": 2})
    expect(page.locator(".match-command")).to_have_css("width", small)
    page.keyboard.press("m")
    page.get_by_role("button", name="Type a move").click()
    expect(box).to_be_focused()
    page.locator("#board").click(position={"x": 2, "y": 2})
    open_more(page)
    page.get_by_role("button", name="Settings Colours, speed, sounds").click()
    page.locator("input[name=setting-typing][value=on]").check()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(form).to_be_in_viewport(ratio=1)
