"""A simul in browsers: the host plays three boards by keyboard alone, and a spectator looks at the wall."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks
from tests.browser.players import NO_ANIMATION, come_in, led_to, press, resign, submit, wait_for_ply
from tests.helpers import accounts
from tools.harness.servers import ParlourServer

FORM = {"format": "simul", "preset": "circle", "clock": "10+5", "guests": "on"}
PHONE, LANDSCAPE, DESKTOP, LARGE = (390, 664), (844, 390), (1280, 720), (1920, 1080)
BEYOND = """
    () => [...document.querySelectorAll('#board, .player, #simul, [data-part=next], .moves-nav > button')]
        .filter((each) => each.checkVisibility()).filter((each) => {
            const {left, top, right, bottom} = each.getBoundingClientRect();
            // On a phone it has no box of its own.
            const around = each.closest('.match-moves')?.getBoundingClientRect().bottom || innerHeight;
            const end = Math.min(innerHeight, around);
            return left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > end + 0.5;
        }).map((each) => each.id || each.className)
"""
"""What the host needs and is not in the window."""


def test_the_host_plays_three_boards_with_the_keyboard_alone(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    (olga,) = accounts.registered(sqlite_server, "Simona")
    host = new_page(sqlite_server, viewport={"width": 1280, "height": 720})
    host.add_init_script(NO_ANIMATION)
    accounts.sign_in(host, sqlite_server, olga)
    address = submit(host, "/tournaments/new/kalah", title="Big night", host_seat="first", **FORM)
    pages = [new_page(sqlite_server) for _ in range(3)]
    names = [come_in(page) for page in pages]
    for page in pages:
        submit(page, f"{address}/enter")

    host.goto(address)
    host.get_by_role("button", name="Start now").press("Enter")
    way = host.get_by_role("link", name="Go to your boards")
    way.press("Enter")
    led_to(host, "/m/")

    # Each move leads to the next board, the one that waits for longest first.
    played: list[str] = []
    for waiting in (2, 1, 0):
        wait_for_ply(host, 0)
        expect(host.locator("#simul [data-waits]")).to_have_count(waiting)
        played.append(board(host))
        if waiting == 2:
            for width, height in (PHONE, LANDSCAPE, LARGE, DESKTOP):
                host.set_viewport_size({"width": width, "height": height})
                assert host.evaluate(BEYOND) == []
                picture(host, f"simul-host-{width}")
            check_looks(host, picture, "simul-host")
        host.keyboard.press("1")
        if waiting:
            expect(host).not_to_have_url(re.compile(played[-1]))
    assert len(set(played)) == 3

    # The players answer; the board that was answered first opens by itself.
    expect(host.locator("#simul [data-part=count]")).to_have_text("No other board is waiting.")
    for page, match in zip(pages, matches(host, address, names), strict=True):
        page.add_init_script(NO_ANIMATION)
        page.goto(f"/m/{match}")
        wait_for_ply(page, 1)
    first, second, third = pages
    press(second, "7")
    led_to(host, second.url)
    wait_for_ply(host, 2)
    press(first, "7")
    expect(host.locator("#simul [data-waits]")).to_have_count(1)
    # By key, without a move here.
    host.keyboard.press("n")
    led_to(host, first.url)
    wait_for_ply(host, 2)

    resign(third)
    wall = new_page(sqlite_server, viewport={"width": 1920, "height": 1080})
    wall.goto(f"{address}/wall")
    expect(wall.locator(".wall-head")).to_contain_text("Simona: 1 to 0")
    expect(wall.locator(".wall-boards figure")).to_have_count(2)
    picture(wall, "simul-wall")
    expect(host.locator("#simul [data-over]")).to_have_count(1)
    expect(host.locator("#simul-score")).to_have_text("1 to 0")
    picture(host, "simul-over")


def board(host: Page) -> str:
    """The match at whose board the host is."""
    return host.url.rpartition("/")[2]


def matches(page: Page, address: str, names: list[str]) -> list[str]:
    """The matches of players of a tournament."""
    told = page.request.get(f"/api/v1/tournaments/{address.rpartition('/')[2]}/pairings").json()["pairings"]
    return [next(each["match"] for each in told if name in each["players"]) for name in names]
