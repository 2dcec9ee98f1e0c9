"""An evening in browsers, from its code until no trace of it is left."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks_everywhere
from tests.browser.players import led_to, press, wait_for_ply
from tools.harness.patience import patience
from tools.harness.servers import ParlourServer

WITHOUT_DEVICE = "Wilhelmina-Charlotte"
ROUNDS = 2
WALL: ViewportSize = {"width": 1920, "height": 1080}


def open_evening(host: Page) -> str:
    """Host an evening from the front page; its code."""
    host.goto("/")
    host.get_by_role("link", name="Host an evening").click()
    host.get_by_role("button", name="Host an evening").click()
    led_to(host, re.compile("/evening/[A-Z]{4}$"))
    return host.locator(".evening-code").inner_text()


def come_in(page: Page, code: str, name: str) -> None:
    page.goto("/evening")
    page.get_by_label("Evening code").fill(code.lower())
    page.get_by_role("button", name="Join").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#live")).to_contain_text(f"You are in, {name}")


def play(host: Page, evening: str, tournament: str, number: int, players: dict[str, Page]) -> None:
    """Play the only table of a round: both move, then the second resigns. The third has a bye."""
    told = host.request.get(f"/tournament/{tournament}/results.json").json()
    paired = (each for each in told["pairings"] if each["round"] == number)
    (table,) = (each for each in paired if len(each["players"]) == 2)
    first, second = (players[name] for name in table["players"])
    for page in (first, second):
        if page is host:
            page.goto(evening)
            page.get_by_role("link", name="Go to the board").click(timeout=patience(20) * 1000)
        # The match opens by itself on the page of the evening; on the page of a match it is offered.
        elif number > 1 and "/m/" in page.url and not page.url.endswith(table["match"]):
            page.locator("#challenges .toast").get_by_role("link", name="Go to the match").click()
        led_to(page, f"/m/{table['match']}")
    for ply, (page, pit) in enumerate(((first, "0"), (second, "7"))):
        wait_for_ply(page, ply)
        press(page, pit)
    wait_for_ply(second, 2)
    for _ in range(2):
        second.locator("#resign").click()
    expect(second.locator("#resign")).to_be_hidden()
    host.goto(evening)


def test_an_evening_from_its_code_until_no_trace_is_left(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    host, nora, noel = (new_page(sqlite_server) for _ in range(3))
    people = sqlite_server.rows("SELECT count(*) FROM lobby_user")
    code = open_evening(host)
    evening = host.url
    players = {"Nora": nora, "Noel": noel, WITHOUT_DEVICE: host}
    come_in(nora, code, "Nora")
    come_in(noel, code, "Noel")
    host.get_by_label("Add someone without a device").fill(WITHOUT_DEVICE)
    host.get_by_role("button", name="Add", exact=True).click()
    expect(host.locator("#people-title")).to_have_text("3 players")
    host.locator("summary", has_text="Change the plan").click()
    host.get_by_label("Format").select_option("Swiss")
    host.get_by_label("Rounds").fill(str(ROUNDS))
    host.get_by_role("button", name="Save").last.click()
    expect(host.locator("#live")).to_contain_text(f"Swiss · {ROUNDS} rounds")
    check_looks_everywhere(host, picture, "evening-host")
    check_looks_everywhere(nora, picture, "evening-guest")

    host.get_by_role("button", name="Start").click()
    tournament = host.get_by_role("link", name="Wall board").get_attribute("href").split("/")[2]
    for number in range(1, ROUNDS + 1):
        expect(host.locator("#now-title")).to_have_text(f"Round {number} is in progress.")
        expect(host.locator("#kept-title").or_(host.locator(".standings")).first).to_be_visible()
        play(host, evening, tournament, number, players)
    expect(host.locator("#now-title")).to_have_text("It is over.")
    expect(host.locator("#people-title")).to_have_text("3 players")
    picture(host, "evening-over")
    wall = new_page(sqlite_server, viewport=WALL)
    wall.goto(host.get_by_role("link", name="Wall board").get_attribute("href"))
    picture(wall, "wall-over")
    assert wall.locator(".wall-victory").evaluate("each => each.scrollHeight <= each.clientHeight")
    host.get_by_role("link", name="Certificates").click()
    expect(host.locator(".certificate-name")).to_have_count(3)
    check_looks_everywhere(host, picture, "certificates")

    host.goto(evening)
    host.locator("summary", has_text="Delete everything").click()
    expect(host.get_by_role("link", name="Results as CSV")).to_be_visible()
    check_looks_everywhere(host, picture, "evening-erase")
    host.get_by_role("button", name="Delete everything").click()
    led_to(host, "/evening")
    expect(host.get_by_role("status")).to_contain_text("has been deleted")
    assert sqlite_server.rows("SELECT count(*) FROM lobby_user") == people
    assert sqlite_server.rows("SELECT count(*) FROM lobby_evening") == [(0,)]
