"""The chat at a match, as players and those who watch use it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import DESKTOP, PHONE, Picture, check_looks
from tests.browser.players import Seats, at_board, become_guest, press, wait_for_ply
from tools.harness.servers import ParlourServer

LEFT = """(most) => {
    const log = document.querySelector("#talk-players [role=log]");
    return log.clientHeight > 0 && log.scrollHeight - log.scrollTop - log.clientHeight <= most + 1;
}"""
"""Whether at most so much of the chat is left below what is seen of it."""
BELOW_FORM = """() => {
    const end = (part) => document.querySelector(part).getBoundingClientRect().bottom;
    return end("#talk-body") - end("#talk-players .chat-form") - 1;
}"""
"""How much room is left below the field for what is to be said, besides the border."""
FRAMES = "() => new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(rest)))"
"""The page has come to rest in its new size."""


@pytest.fixture
def seats(new_page: NewPage, sqlite_server: ParlourServer) -> Seats:
    """Two players at a board, and a guest who watches."""
    seats = at_board(new_page, sqlite_server, "kalah", "circle")
    become_guest(seats.watcher)
    seats.watcher.goto(f"/m/{seats.match_id}")
    wait_for_ply(seats.watcher, 0)
    for page in seats.all:
        open_chat(page)
    return seats


def room(page: Page, name: str) -> Locator:
    return page.locator(f"#talk-{name}")


def open_chat(page: Page) -> None:
    if page.locator("#talk-toggle").get_attribute("aria-expanded") == "false":
        page.locator("#talk-toggle").click()


def say(page: Page, text: str, name: str = "players") -> None:
    open_chat(page)
    field = room(page, name).get_by_label("Message the")
    field.fill(text)
    field.press("Enter")
    expect(field).to_have_value("")


def line(page: Page, text: str, name: str = "players") -> Locator:
    return room(page, name).locator(".chat-line", has_text=text)


def resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.locator("#resign[aria-pressed=true]").click()


def test_chat_of_players_and_of_watchers_is_apart_until_the_end(seats: Seats) -> None:
    one, two = seats.players
    say(one, "Good evening")
    expect(line(two, "Good evening")).to_be_visible()
    say(seats.watcher, "the left pit wins", "watchers")
    expect(line(seats.watcher, "the left pit wins", "watchers")).to_be_visible()
    expect(room(seats.watcher, "players")).to_be_hidden()
    say(two, "Good evening to you")
    expect(line(one, "Good evening to you")).to_be_visible()
    for page in seats.players:
        expect(page.locator("#talk").get_by_role("tab")).to_have_count(0)
        expect(line(page, "the left pit wins", "watchers")).to_have_count(0)
    resign(one)
    watchers = two.get_by_role("tab", name=re.compile("Spectators"))
    expect(watchers).to_contain_text("1 new")
    watchers.click()
    expect(line(two, "the left pit wins", "watchers")).to_be_visible()
    expect(watchers).not_to_contain_text("new")
    say(two, "so it did", "watchers")
    expect(line(seats.watcher, "so it did", "watchers")).to_be_visible()
    expect(line(seats.watcher, "Good evening")).to_have_count(0)


@pytest.mark.full
def test_visitor_reads_the_watchers_chat_and_speaks_as_a_guest(
    new_page: NewPage, sqlite_server: ParlourServer, seats: Seats
) -> None:
    visitor = new_page(sqlite_server)
    visitor.goto(f"/m/{seats.match_id}")
    open_chat(visitor)
    say(seats.watcher, "what a move", "watchers")
    expect(line(visitor, "what a move", "watchers")).to_be_visible()
    visitor.get_by_role("button", name="Chat as guest").click()
    expect(visitor.locator("#talk-toggle[aria-expanded=false]")).to_be_visible()
    say(visitor, "indeed", "watchers")
    expect(line(seats.watcher, "indeed", "watchers")).to_be_visible()


@pytest.mark.full
def test_long_chat_opens_at_its_end(seats: Seats) -> None:
    one, two = seats.players
    for number in range(5):
        say(two, f"{number} word " * 30)
    two.set_viewport_size({"width": PHONE, "height": 844})
    two.reload()
    two.locator("#talk-toggle").click()
    expect(line(two, "4 word")).to_be_in_viewport()
    # There it stays when the keyboard of the phone comes up; whoever reads old lines is left in peace.
    two.set_viewport_size({"width": PHONE, "height": 600})
    two.wait_for_function(LEFT, arg=0)
    log = room(two, "players").get_by_role("log")
    log.evaluate("(log) => { log.scrollTop = 0; }")
    two.evaluate(FRAMES)
    two.set_viewport_size({"width": PHONE, "height": 500})
    two.evaluate(FRAMES)
    assert log.evaluate("(log) => log.scrollTop") == 0
    room(two, "players").locator("..").get_by_role("button", name="Close").click()
    expect(log).to_be_hidden()
    expect(two.locator("#talk-toggle")).to_be_focused()
    one.reload()
    open_chat(one)
    expect(line(one, "4 word")).to_be_in_viewport()


def test_button_leads_to_new_chat_lines_out_of_sight(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    """On a phone the buttons of a throw stand where the chat is opened else."""
    viewport = {"width": PHONE, "height": 664}
    one, two = at_board(new_page, sqlite_server, "cantstop", "published", viewport=viewport).players
    expect(one.locator("#talk-toggle")).to_be_hidden()
    say(two, "down here")
    news = one.get_by_role("button", name="1 new chat message")
    expect(line(one, "down here")).to_be_hidden()
    news.click()
    expect(line(one, "down here")).to_be_in_viewport()
    expect(news).to_be_hidden()
    expect(room(one, "players").get_by_role("log")).to_be_focused()
    one.locator("#talk-toggle").click()
    expect(line(one, "down here")).to_be_hidden()


@pytest.mark.full
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_chat_is_accessible_before_and_after_the_end(seats: Seats, picture: Picture, width: int) -> None:
    one, two = seats.players
    one.set_viewport_size({"width": width, "height": 800 if width == DESKTOP else 844})
    if width == PHONE:
        assert one.evaluate(BELOW_FORM) <= 1
    check_looks(one, picture, "match-chat-empty")
    say(two, "word-without-any-end-" * 10)
    if width == PHONE:
        one.locator("#talk-toggle").click()
    press(one, one.locator("#board [data-playable]").first.get_attribute("data-cell") or "")
    wait_for_ply(two, 1)
    open_chat(one)
    room(one, "players").get_by_role("button", name="Good luck").click()
    say(two, "Thank you, and a pleasant evening to you and everyone at home.")
    expect(line(one, "Thank you")).to_be_visible()
    if width == DESKTOP:
        # What was said last is seen whole, with who said it.
        one.set_viewport_size({"width": width, "height": 720})
        expect(line(one, "Thank you")).to_be_in_viewport(ratio=0.99)
        one.set_viewport_size({"width": width, "height": 800})
    check_looks(one, picture, "match-chat")
    say(seats.watcher, "Left wins this", "watchers")
    expect(line(seats.watcher, "Left wins this", "watchers")).to_be_visible()
    resign(two)
    expect(one.get_by_role("tab", name=re.compile("Spectators"))).to_contain_text("1 new")
    one.locator("#talk").scroll_into_view_if_needed()
    check_looks(one, picture, "match-chat-over")
