"""Several people at one board in browsers: each plays when it is their turn, and a third watches."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.looks import Picture, check_looks
from tests.browser.players import NO_ANIMATION, led_to, press, wait_for_ply
from tools.harness.servers import ParlourServer


def test_one_board_is_played_watched_resigned_and_rematched(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Picture
) -> None:
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    page.goto("/")
    page.locator("#tiles").get_by_role("link", name="Kalah").click()
    page.get_by_role("dialog").get_by_role("button", name="On this device").click()
    wait_for_ply(page, 0)
    headline, heard = page.locator("#headline"), page.locator("#say-now")
    expect(headline).to_have_text("Player 1 to move")
    page.keyboard.press("1")
    wait_for_ply(page, 1)
    expect(headline).to_have_text("Player 2 to move")
    expect(page.locator(".player-note-words")).to_have_text(["to move", "waiting"])
    expect(heard).to_have_text("Player 1 sowed 4 seeds from pit 1. Player 2 to move. Sow any of your pits.")
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
    expect(resign).to_have_text("Resign?")
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
