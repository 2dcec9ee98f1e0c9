"""The end of a match on its page, and that nothing is said there that is no longer so."""

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


def test_both_are_told_and_may_go_on(seats: Seats, picture: Picture) -> None:
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
    expect(first.locator("#end-words")).to_have_text("You resigned. Well played. The next one may be yours.")
    # Who gave up sits there still.
    for page in seats.all:
        strip = page.locator(".player[data-seat='0']")
        expect(strip.locator(".player-note")).to_contain_text("resigned")
        expect(strip.locator(".player-note")).not_to_contain_text("has left")
        expect(strip.locator(".presence")).to_be_hidden()
    for page in (first, second):
        for way in ("Rematch", "Share"):
            expect(page.locator("#end").get_by_role("button", name=way)).to_be_visible()
        for way in ("New opponent", "Analyse", "Lobby", "Keep this game: sign up"):
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


FALLEN = """() => {
    globalThis.fallen = 0;
    new MutationObserver((changes) => {
        const added = changes.flatMap((change) => [...change.addedNodes]);
        fallen += added.filter((node) => node.matches(".match-fall")).length;
    }).observe(document.getElementById("stage"), { childList: true });
}"""


def test_seeds_fall_for_who_won_and_not_where_nothing_is_to_move(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    seats = at_board(new_page, sqlite_server, "kalah", "circle", animation=True)
    first, second = seats.players
    watcher = seats.watcher
    watcher.emulate_media(reduced_motion="reduce")
    press(first, "0")
    wait_for_ply(second, 1)
    for page in seats.all:
        page.evaluate(FALLEN)
    resign(first)
    for page in seats.all:
        expect(page.locator("#end")).to_be_visible()
    assert [page.evaluate("fallen") for page in seats.all] == [0, 1, 0]
    expect(second.locator(".match-fall")).to_have_count(0)
    # Whoever comes back finds the end, and no feast.
    second.reload()
    wait_for_ply(second, 2)
    expect(second.locator("#end")).to_be_visible()
    expect(second.locator(".match-fall")).to_have_count(0)


def test_sharing_opens_the_sheet_for_it(seats: Seats) -> None:
    first, second = seats.players
    press(first, "0")
    wait_for_ply(second, 1)
    resign(second)
    # What a phone does is kept from opening here, and told apart by what it is given.
    first.evaluate("() => { Navigator.prototype.share = async (what) => { globalThis.shared = what; }; }")
    first.locator("#end").get_by_role("button", name="Share").click()
    assert first.evaluate("shared") == {"title": "Kalah", "url": first.url}


def test_the_sheet_is_closed_and_opened_again(seats: Seats) -> None:
    first, second = seats.players
    press(first, "0")
    wait_for_ply(second, 1)
    resign(second)
    wait_for_ply(first, 2)
    sheet, opener = first.locator("#end"), first.locator("#end-open")
    first.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(opener).to_be_focused()
    opener.click()
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()
    # Whoever comes to look at a match that is over finds the board.
    late = seats.watcher
    wait_for_ply(late, 2)
    expect(late.locator("#end")).to_be_hidden()
    expect(late.locator("#end-open")).to_be_visible()


def test_of_an_earlier_ply_no_end_is_told(seats: Seats) -> None:
    first, second = seats.players
    press(first, "0")
    wait_for_ply(second, 1)
    resign(second)
    wait_for_ply(first, 2)
    first.set_viewport_size({"width": PHONE, "height": 664})
    first.locator("#previous").click()
    wait_for_ply(first, 1)
    expect(first.locator("#end")).to_be_hidden()
    expect(first.locator("#headline")).to_have_text("Move 1 of 1")
    expect(first.locator(".player[data-won]")).to_have_count(0)
    expect(first.locator(".player-note", has_text="won")).to_have_count(0)
    expect(first.locator(".player-note", has_text="resigned")).to_have_count(0)
    expect(first.locator(".player[data-turn]")).to_have_attribute("data-seat", "1")
    expect(first.locator("#live")).to_have_text("To the end")
    assert not overlap(first, "#live", ".match-line")
    first.locator("#live").click()
    wait_for_ply(first, 2)
    expect(first.locator("#end")).to_be_visible()
    expect(first.locator("#headline")).to_have_text("You won")


def test_a_refusal_goes_once_it_is_no_longer_so(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    first, second = at_board(new_page, sqlite_server, "morris", "nine").players
    first.locator("#board [data-cell='a1']").click()
    wait_for_ply(second, 1)
    notice = second.locator("#notice")
    press(second, "a1")
    expect(notice).to_have_attribute("data-tone", "refused")
    expect(second.locator(".match-narration")).to_be_hidden()
    press(second, "hand1")
    expect(notice).to_be_empty()
    second.locator("#previous").click()
    wait_for_ply(second, 0)
    press(second, "a7")
    expect(notice).to_contain_text("Go back to live to move.")
    second.locator("#live").click()
    expect(notice).to_be_empty()


def test_keys_are_shown_to_whoever_has_them(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    desk = {"viewport": {"width": 1280, "height": 800}}
    for options, shown in ((desk, True), ({**desk, "has_touch": True, "is_mobile": True}, False)):
        page = at_board(new_page, sqlite_server, "kalah", "circle", **options).players[0]
        for key in (".board-key", "#hint kbd"):
            expect(page.locator(key).first).to_be_visible(visible=shown)


def test_the_box_for_moves_comes_by_a_key_by_the_menu_and_by_a_setting(seats: Seats) -> None:
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
