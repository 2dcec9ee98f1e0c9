"""A tournament in browsers, from the form that creates it to the last result."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks_everywhere
from tests.browser.players import come_in, led_to, move_and_resign, resign, submit, wait_for_ply
from tests.helpers import accounts
from tools.harness.patience import wait_until
from tools.harness.servers import ParlourServer

WALL = {"width": 1920, "height": 1080}
READ_FROM_TEN_METRES = 36
"""Height of letters, in pixels of that screen."""


def offer(page: Page) -> Locator:
    return page.locator("#challenges .toast", has_text="Friday cup")


def by_seat(page: Page, tournament: str, players: dict[str, Page]) -> list[Page]:
    """The players of the first match, who moves first in front."""
    return [players[name] for name in told(page, tournament, "pairings")[0]["players"]]


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
    move_and_resign(first, second)
    state = organiser.locator("#state")
    expect(state).to_contain_text("Finished")
    # The page was open all the time, and is now that of a tournament that nobody can enter.
    expect(organiser.locator("#entry")).to_be_hidden()
    check_looks_everywhere(organiser, picture, "tournament")
    leader = organiser.locator(".standings tbody tr").first
    winner = next(name for name, page in players.items() if page is first)
    expect(leader).to_contain_text(winner)
    expect(leader.locator("td").first).to_have_text("1")


FORMATS = {
    "arena": ("kalah", 2, {"preset": "circle", "minutes": "60", "clock": "10+5"}),
    "round_robin": ("kalah", 3, {"preset": "circle", "clock": "3d"}),
    "knockout": ("kalah", 3, {"preset": "circle", "clock": "10+5"}),
    "tables": ("cantstop", 3, {"preset": "strict", "rounds": "1", "seats": "3", "clock": "10+5"}),
}
"""The game of each format, the fewest players, and the rest of the form."""


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_played_to_its_final_table(
    new_page: NewPage, sqlite_server: ParlourServer, form: str
) -> None:
    game, fewest, terms = FORMATS[form]
    organiser = new_page(sqlite_server)
    (host,) = accounts.registered(sqlite_server, f"Host-{game}-{form[:5]}")
    accounts.sign_in(organiser, sqlite_server, host)
    address = submit(
        organiser, f"/tournaments/new/{game}", title="Friday cup", format=form, guests="on", **terms
    )
    tournament = address.rpartition("/")[2]
    players = {come_in(page): page for page in (new_page(sqlite_server) for _ in range(fewest))}
    for page in players.values():
        submit(page, f"{address}/enter")
        page.goto(address)
    organiser.goto(address)
    organiser.get_by_role("button", name="Start now").click()
    expect(organiser.locator("#pairings-title")).to_be_visible()

    first, *others = by_seat(organiser, tournament, players)
    for page in (first, *others):
        offer(page).get_by_role("link", name="Go to the match").click()
        wait_for_ply(page, 0)
    if game == "kalah":
        move_and_resign(first, *others)
    else:
        for page in others:
            resign(page)
    wait_until(lambda: told(organiser, tournament, "pairings")[0]["points"] is not None, "the result")
    if form == "arena":
        # It ends with its last match once everybody has left.
        for page in players.values():
            submit(page, f"{address}/withdraw")
    decide_the_rest(organiser, tournament)

    organiser.goto(address)
    expect(organiser.locator("#state")).to_contain_text("Finished")
    lines = organiser.locator(".standings").first.locator("tbody tr")
    expect(lines).to_have_count(fewest)
    expect(lines.first.locator("td").first).to_have_text("1")


def told(page: Page, tournament: str, what: str) -> list[dict[str, Any]]:
    """The pairings of a tournament that have a match, or its open tables."""
    rows = page.request.get(f"/api/v1/tournaments/{tournament}/{what}").json()[what.replace("open-", "")]
    return [row for row in rows if what == "open-tables" or row["match"]]


def decide_the_rest(organiser: Page, tournament: str) -> None:
    """The organiser gives each table that is left to its first player, until the tournament is over."""

    def is_over() -> bool:
        for table in told(organiser, tournament, "open-tables"):
            where = {"round": str(table["round"]), "table": str(table["table"])}
            seats = str(len(table["players"]))
            submit(
                organiser, f"/tournament/{tournament}/decide", **where, seats=seats, result="0", why="Late"
            )
        state = organiser.request.get(f"/api/v1/tournaments/{tournament}").json()["state"]
        return bool(state == "finished")

    wait_until(is_over, "the end of the tournament")


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
