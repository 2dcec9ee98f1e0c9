"""A tournament in browsers, from the form that creates it to the last result."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks_everywhere
from tests.browser.players import come_in, led_to, press, submit, wait_for_ply
from tests.helpers import accounts
from tools.harness.servers import ParlourServer

WALL = {"width": 1920, "height": 1080}
READ_FROM_TEN_METRES = 36
"""Height of letters, in pixels of that screen."""


def offer(page: Page) -> Locator:
    return page.locator("#challenges .toast", has_text="Friday cup")


def by_seat(page: Page, tournament: str, players: dict[str, Page]) -> list[Page]:
    """The players of the first table, who moves first in front."""
    told = page.request.get(f"/api/v1/tournaments/{tournament}/pairings").json()
    return [players[name] for name in told["pairings"][0]["players"]]


def test_a_tournament_is_played_from_its_form_to_the_last_result(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    organiser = new_page(sqlite_server)
    (olga,) = accounts.registered(sqlite_server, "Olga")
    accounts.sign_in(organiser, sqlite_server, olga)
    organiser.goto("/tournaments/new/kalah")
    check_looks_everywhere(organiser, picture, "tournament-form")
    organiser.get_by_label("Name of the tournament").fill("Friday cup")
    organiser.get_by_label("Rounds", exact=True).fill("1")
    organiser.get_by_role("button", name="Create tournament").click()
    led_to(organiser, re.compile("/tournament/"))
    tournament = organiser.url.rpartition("/")[2]

    pages = [new_page(sqlite_server) for _ in range(3)]
    players = {come_in(page): page for page in pages}
    for page in pages:
        submit(page, f"/tournament/{tournament}/enter")
        page.goto("/leaderboards")
    organiser.get_by_role("button", name="Start now").click()
    expect(organiser.locator("#pairings-title")).to_have_text("Round 1")

    first, second = by_seat(organiser, tournament, players)
    for page in (first, second):
        expect(offer(page)).to_contain_text("round 1")
        offer(page).get_by_role("link", name="Go to the match").click()
        wait_for_ply(page, 0)
        expect(offer(page)).to_have_count(0)
    for ply, (page, pit) in enumerate(((first, "0"), (second, "7"))):
        wait_for_ply(page, ply)
        press(page, pit)
    wait_for_ply(second, 2)
    for _ in range(2):
        second.locator("#resign").click()

    state = organiser.locator("#state")
    expect(state).to_contain_text("Finished")
    check_looks_everywhere(organiser, picture, "tournament")
    leader = organiser.locator(".standings tbody tr").first
    winner = next(name for name, page in players.items() if page is first)
    expect(leader).to_contain_text(winner)
    expect(leader.locator("td").first).to_have_text("1")


def test_a_wall_board_is_read_from_ten_metres(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    (olga,) = accounts.registered(sqlite_server, "Walter")
    page = new_page(sqlite_server, viewport=WALL)
    accounts.sign_in(page, sqlite_server, olga)
    fields = {"title": "Wall cup", "format": "arena", "minutes": "60", "preset": "circle", "guests": "on"}
    address = submit(page, "/tournaments/new/kalah", **fields)
    submit(page, f"{address}/enter")
    page.goto(f"{address}/wall")
    picture(page, "wall")
    sizes = page.locator(".wall-name, .wall-head > *, .wall-address").evaluate_all(
        "all => all.map((each) => parseFloat(getComputedStyle(each).fontSize))"
    )
    assert min(sizes) >= READ_FROM_TEN_METRES
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    expect(page.locator(".qr")).to_be_visible()
