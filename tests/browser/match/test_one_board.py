"""Several people at one board in browsers: each plays when it is their turn, and a third watches."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import Picture, check_looks
from tests.browser.players import NO_ANIMATION, come_in, led_to, open_more, post, press, wait_for_ply
from tools.harness.servers import ParlourServer

NAMES = ("Anna", "Ben", "Cleo")


def hold(page: Page, game: str, preset: str, seats: int) -> None:
    """Come to a board at which people with these names play."""
    page.add_init_script(NO_ANIMATION)
    come_in(page)
    names = {f"name_{seat}": name for seat, name in enumerate(NAMES)}
    page.goto(post(page, f"/together/{game}", preset=preset, seats=str(seats), **names).url)
    wait_for_ply(page, 0)


def test_two_presses_lead_there_and_two_play_by_keys_while_a_third_watches(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Picture
) -> None:
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    page.goto("/")
    page.locator("#tiles").get_by_role("link", name="Kalah").click()
    page.get_by_role("dialog").get_by_role("button", name="Here, on this device").click()
    wait_for_ply(page, 0)
    headline, heard = page.locator("#headline"), page.locator("#say-now")
    expect(headline).to_have_text("Player 1 to move")
    page.keyboard.press("1")
    wait_for_ply(page, 1)
    expect(headline).to_have_text("Player 2 to move")
    expect(page.locator(".player-note-words")).to_have_text(["to move", "waiting"])
    expect(heard).to_have_text("Player 1 sowed 3 seeds from pit 1. Player 2 to move. Sow any of your pits.")
    watcher = new_page(sqlite_server)
    watcher.goto(page.url)
    wait_for_ply(watcher, 1)
    expect(watcher.locator("#headline")).to_have_text("Player 2 to move")
    watcher.keyboard.press("2")
    press(watcher, "8")
    expect(watcher.locator("#notice")).to_contain_text("You are watching")
    page.keyboard.press("2")
    wait_for_ply(watcher, 2)
    check_looks(page, picture, "one-board")
    page.reload()
    wait_for_ply(page, 2)
    page.get_by_role("button", name="Take back").click()
    for each in (page, watcher):
        wait_for_ply(each, 3)
        expect(each.locator("#headline")).to_have_text("Player 2 to move")
    expect(page.locator("#reason")).to_have_text("Player 2 took a move back.")
    resign = page.locator("#resign")
    resign.click()
    expect(resign).to_have_text("Really resign?")
    resign.click()
    end = page.locator("#end")
    expect(end.get_by_role("heading")).to_have_text("Player 1 won")
    expect(page.locator("#end-words")).to_have_text("Player 2 resigned.")
    before = page.url
    end.get_by_role("button", name="Rematch").click()
    led_to(page, re.compile(f"/m/(?!{before.rpartition('/')[2]})"))
    expect(headline).to_have_text("Player 2 to move")
    again = re.compile(page.url.rpartition("/")[2])
    expect(watcher.locator("#rematch-link")).to_have_attribute("href", again)
    page.goto("/")
    expect(page.locator("#my-matches")).to_contain_text("Player 2 – Player 1")
    expect(page.locator("#my-finished")).to_contain_text("Player 1 – Player 2")


def test_three_at_one_board_each_have_their_turn(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    page = new_page(sqlite_server)
    hold(page, "cantstop", "strict", 3)
    headline, seen = page.locator("#headline"), []
    buttons = page.locator("#controls button:not([aria-disabled=true])")
    ply = 0
    while len(seen) < 4:
        words = headline.inner_text()
        if seen[-1:] != [words]:
            seen.append(words)
        stop = buttons.filter(has_text="Stop")
        (stop if stop.count() else buttons).first.click()
        # A throw is a ply of its own, and comes with that which led to it.
        expect(page.locator("#match")).not_to_have_attribute("data-ply", str(ply))
        ply = int(page.locator("#match").get_attribute("data-ply") or 0)
    assert seen == [f"{name} to move" for name in (*NAMES, NAMES[0])]


def test_a_draw_takes_two_presses_and_nobodys_answer(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    page = new_page(sqlite_server)
    hold(page, "morris", "nine", 2)
    press(page, "a7")
    wait_for_ply(page, 1)
    expect(page.locator("#headline")).to_have_text("Ben to move")
    draw = page.locator("[data-place=beside] [data-choice=draw]")
    draw.click()
    expect(draw).to_have_text("Really a draw?")
    draw.click()
    expect(page.locator("#end-title")).to_have_text("A draw")


def test_the_board_turns_to_whoever_moves_if_they_like(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    page = new_page(sqlite_server, viewport={"width": 390, "height": 664})
    hold(page, "kalah", "circle", 2)
    nearest = page.locator("#mine .player-name")
    press(page, "0")
    wait_for_ply(page, 1)
    expect(nearest).to_have_text("Anna")
    open_more(page)
    expect(page.locator("#share .qr")).to_be_visible()
    page.get_by_role("button", name="Turn the board").click()
    expect(nearest).to_have_text("Ben")
    press(page, "8")
    wait_for_ply(page, 2)
    expect(nearest).to_have_text("Anna")
    page.reload()
    wait_for_ply(page, 2)
    expect(nearest).to_have_text("Anna")


def test_two_tabs_hold_the_same_board(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    page = new_page(sqlite_server)
    hold(page, "kalah", "circle", 2)
    other = page.context.new_page()
    other.goto(page.url)
    wait_for_ply(other, 0)
    press(page, "0")
    wait_for_ply(other, 1)
    press(other, "8")
    wait_for_ply(page, 2)
    expect(page.locator("#headline")).to_have_text("Anna to move")
