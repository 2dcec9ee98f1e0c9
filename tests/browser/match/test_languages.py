"""A match in another language: chosen in the header, narrated and refused in it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.players import come_in, post, press, wait_for_ply
from tests.conftest import House

ENGLISH = re.compile(r"[A-Za-z]{3,}")
RUSSIAN = re.compile(r"[а-яё]{3,}", re.IGNORECASE)


def test_three_moves_of_kalah_in_russian(house: House, new_page: NewPage) -> None:
    page = new_page(house.open(house.store("sqlite"), BOT_PROCESSES="1", BOT_PACE="0.02"))
    page.goto("/rules")
    page.get_by_label("Language: English").click()
    page.get_by_role("button", name="Русский").click()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page).to_have_url(re.compile("/rules$"))
    name = come_in(page)
    page.goto(post(page, "/computer/kalah/now").url)
    wait_for_ply(page, 0)
    for _ in range(3):
        expect(page.locator("#headline")).to_have_text("Ваш ход", timeout=20_000)
        ply = int(page.locator("#match").get_attribute("data-ply") or "")
        pit = page.locator("#board [data-cell][data-playable]").first.get_attribute("data-cell")
        press(page, pit or "")
        expect(page.locator("#match")).not_to_have_attribute("data-ply", str(ply), timeout=20_000)
    expect(page.locator("#headline")).to_have_text("Ваш ход", timeout=20_000)
    for told in ("#say-soon", "#board [data-cell]"):
        words = page.locator(told).first.evaluate("each => each.ariaLabel ?? each.textContent")
        assert RUSSIAN.search(words), words
    assert typed(page, "доска") == typed(page, "board")
    # By the server, in the language of the socket.
    page.locator("#command-text").fill("zz")
    page.locator("#command-text").press("Enter")
    expect(page.locator("#notice")).to_have_text(RUSSIAN)
    opponents = page.locator(".player-name").all_inner_texts()
    names = {word for each in (name, *opponents) for word in ENGLISH.findall(each)}
    assert set(ENGLISH.findall(page.locator("body").inner_text())) - names <= {"Parlour"}


def typed(page: Page, command: str) -> str:
    """What a typed command is answered."""
    page.locator("#answer").evaluate("answer => { answer.textContent = ''; }")
    page.locator("#command-text").fill(command)
    page.locator("#command-text").press("Enter")
    expect(page.locator("#answer")).to_have_text(RUSSIAN)
    return page.locator("#answer").inner_text()
