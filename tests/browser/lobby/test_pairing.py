"""Quick pairing in browsers: one press or a choice, the wait, and being fetched from wherever one is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks, fits, serious_violations
from tests.browser.players import at_board, become_guest, led_to, wait_for_ply
from tests.conftest import Launcher
from tests.helpers.samples import FULL, in_full
from tools.harness.patience import wait_until
from tools.harness.servers import ParlourServer

WINDOWS = in_full({"width": 1280, "height": 900}, {"width": 390, "height": 844})
Picture = Callable[[Page, str], None]
# How much of what is looked at has moved by itself.
SHIFTS = """
    window.shifted = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((each) => { shifted += each.value; }))
        .observe({ type: "layout-shift", buffered: true });
"""

COVERED = """
    () => {
        const { left, top, right, bottom } = document.querySelector('#paired').getBoundingClientRect();
        const needed = '#board, .player, .match-word > *, #actions button, .moves-nav > button, .talk';
        return [...document.querySelectorAll(needed)].filter((each) => {
            const box = each.getBoundingClientRect();
            const over = box.left < right && left < box.right && box.top < bottom && top < box.bottom;
            return over && each.checkVisibility();
        }).map((each) => each.className || each.id);
    }
"""
"""What play needs and the strip lies over."""

UNDER_THE_DOCK = """
    () => {
        const docked = [...document.querySelectorAll('.dock > .strip, .dock .button')]
            .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect());
        const over = (box) => docked.some((each) => box.left < each.right && each.left < box.right
            && box.top < each.bottom && each.top < box.bottom);
        return [...document.querySelectorAll('.site-main :is(a, button, p, li), .site-footer :is(a, span)')]
            .filter((each) => each.checkVisibility() && [...each.getClientRects()].some(over))
            .map((each) => each.outerHTML.slice(0, 80));
    }
"""
"""What of the page the dock lies over."""


def sheet(page: Page, game: str = "Kalah") -> Locator:
    """The sheet of a game, open."""
    dialog = page.get_by_role("dialog", name=re.compile(game))
    if not dialog.is_visible():
        page.locator("#tiles").get_by_role("link", name=re.compile(game)).click()
    expect(dialog).to_be_visible()
    return dialog


def tile(page: Page, preset: str, clock: str, game: str = "Kalah") -> Locator:
    """One of the choices of a game."""
    dialog = sheet(page, game)
    group = dialog.get_by_role("group", name=re.compile(rf" {preset}$"))
    if not group.is_visible():
        dialog.locator("summary").first.click()
    return group.get_by_role("button", name=re.compile(f"^{clock}"))


def search(page: Page, preset: str, clock: str, game: str = "Kalah") -> None:
    """Press a choice, and see that the search has begun."""
    expect(page.locator("#lobby[data-ready]")).to_be_visible()
    tile(page, preset, clock, game).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#seeking")).to_be_visible()


@pytest.fixture(params=WINDOWS, ids=lambda window: str(window["width"]))
def window(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"viewport": request.param}


@pytest.fixture
def two(new_page: NewPage, sqlite_server: ParlourServer, window: dict[str, Any]) -> tuple[Page, Page]:
    """Two guests on the front page."""
    pages = new_page(sqlite_server, **window), new_page(sqlite_server, **window)
    for page in pages:
        become_guest(page)
    return pages


def test_two_who_press_the_same_tile_meet_at_the_board(two: tuple[Page, Page]) -> None:
    one, other = two
    for page in two:
        tile(page, "Nine", "15 min", game="Morris").click()
    for page in two:
        led_to(page, "/m/")
    assert one.url == other.url
    expect(one.locator("#match")).to_have_attribute("data-ply", "0")


def test_search_is_shown_at_the_foot_of_the_page_and_to_others_who_join_it(
    two: tuple[Page, Page], picture: Picture
) -> None:
    page, other = two
    before = page.locator("#tiles").bounding_box()
    search(page, "Circle", "5 min")
    expect(page.locator("#seeking")).to_contain_text("Looking for an opponent Kalah")
    expect(page.locator("#seeking")).to_contain_text(re.compile(r"\d s"))
    assert page.locator("#tiles").bounding_box() == before
    assert fits(page)
    assert serious_violations(page) == []
    picture(page, f"waiting-{page.viewport_size['width'] if page.viewport_size else ''}")
    waiting = other.locator("#tiles [data-game=kalah] [data-part=waiting]")
    expect(waiting).to_have_text("1 waiting")
    row = other.locator("#open-seeks > li")
    expect(row).to_contain_text("Kalah")
    expect(row).to_contain_text("Circle · 5 min + 3 s · Casual")
    if FULL:
        assert serious_violations(other) == []
    picture(other, f"join-{page.viewport_size['width'] if page.viewport_size else ''}")
    # Whoever waits is no company for themselves.
    expect(page.locator("#tiles [data-game=kalah] [data-part=waiting]")).to_be_hidden()
    expect(page.locator("#open-seeks > li")).to_have_count(0)
    page.goto("/rules/kalah")
    page.locator("#seeking").get_by_role("button", name="Cancel").click()
    expect(page.locator("#seeking")).to_be_hidden()
    expect(waiting).to_be_hidden()
    expect(row).to_have_count(0)
    expect(other.locator("[data-count=waiting]")).to_be_hidden()
    # Whoever still waits is joined with one press, and fetched from any page.
    page.goto("/")
    search(page, "Kalaha", "15 min")
    page.goto("/rules/kalah")
    expect(page.locator("#seeking")).to_contain_text("Looking for an opponent Kalah")
    join = other.get_by_role("region", name="Open tables")
    join.get_by_role("button", name="Play Kalah: Kalaha · 15 min + 10 s").click()
    led_to(other, "/m/")
    led_to(page, other.url)


@pytest.mark.full
def test_a_visitor_becomes_a_guest_by_pressing(
    new_page: NewPage, sqlite_server: ParlourServer, window: dict[str, Any], picture: Picture
) -> None:
    page, other = new_page(sqlite_server, **window), new_page(sqlite_server, **window)
    page.goto("/")
    pressed = tile(page, "Classic", "No clock")
    expect(sheet(page).get_by_role("radio", name="Rated")).to_be_disabled()
    expect(sheet(page).get_by_text("Guests play casual matches.")).to_be_visible()
    assert fits(page)
    if FULL:
        assert serious_violations(page) == []
    picture(page, f"visitor-{window['viewport']['width']}")
    pressed.click()
    expect(page.locator(".site-account .site-name")).not_to_be_empty()
    expect(page.locator("#seeking")).to_be_visible()
    other.goto("/")
    tile(other, "Classic", "No clock").click()
    led_to(page, "/m/")
    led_to(other, page.url)


@pytest.mark.full
def test_pairing_form_without_scripts_in_page(
    new_page: NewPage, sqlite_server: ParlourServer, window: dict[str, Any]
) -> None:
    page = new_page(sqlite_server, java_script_enabled=False, **window)
    page.goto("/")
    page.locator("#tiles").get_by_role("link", name=re.compile("Morris")).click()
    page.locator("#play-morris").get_by_role("button", name="Play now").click()
    # The page comes again by itself while one waits, so that one is fetched at last.
    page.locator("#seeking").get_by_role("button", name="Cancel").click()
    expect(page.locator("#seeking")).to_be_hidden()


@pytest.mark.full
def test_paired_player_at_board_not_redirected(
    new_page: NewPage, sqlite_server: ParlourServer, window: dict[str, Any], picture: Picture
) -> None:
    seats = at_board(new_page, sqlite_server, "kalah", "circle", **window)
    player, opponent = seats.players
    board = player.url
    tab = player.context.new_page()
    tab.goto("/")
    search(tab, "Classic", "5 min")
    tab.close()
    expect(player.locator("#seeking")).to_be_visible()
    opponent.goto("/")
    expect(opponent.locator("#lobby[data-ready]")).to_be_visible()
    tile(opponent, "Classic", "5 min").click()
    led_to(opponent, re.compile(r"/m/"))
    expect(player.locator("#paired")).to_contain_text("Opponent found:")
    assert player.url == board
    assert fits(player)
    assert serious_violations(player) == []
    assert player.evaluate(COVERED) == []
    picture(player, f"paired-{window['viewport']['width']}")
    # Whoever does not want to know closes it, for good.
    tab = player.context.new_page()
    tab.goto(board)
    tab.locator("#paired").get_by_role("button", name="Close").click()
    expect(tab.locator("#paired")).to_be_hidden()
    tab.reload()
    wait_for_ply(tab, 0)
    expect(tab.locator("#paired")).to_be_hidden()
    tab.close()
    player.locator("#paired").get_by_role("link", name="Go to the other board").click()
    led_to(player, opponent.url)


# A computer for who is alone


@pytest.fixture(scope="module")
def offering(launcher: Launcher) -> ParlourServer:
    """A server that offers a computer a moment after somebody begins to wait."""
    return launcher.open(launcher.store("sqlite"), COMPUTER_OFFERED_AFTER="1")


def offer_on(page: Page) -> Locator:
    return page.locator("#seeking").get_by_role("button", name="Play Sprout, level 1")


def test_computer_offer_while_waiting_accepted(
    new_page: NewPage, offering: ParlourServer, window: dict[str, Any], picture: Picture
) -> None:
    page = new_page(offering, **window)
    become_guest(page)
    search(page, "Circle", "5 min")
    expect(offer_on(page)).to_be_visible()
    # The search goes on.
    expect(page.locator("#seeking")).to_contain_text("Looking for an opponent Kalah")
    expect(page.get_by_role("status").filter(has_text="Play the computer")).to_have_count(1)
    assert fits(page)
    assert serious_violations(page) == []
    picture(page, f"offer-{window['viewport']['width']}")
    # At the end of the page it hides nothing.
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert page.evaluate(UNDER_THE_DOCK) == []
    offer_on(page).click()
    led_to(page, "/m/")
    wait_for_ply(page, 0)
    expect(page.locator("#seeking")).to_be_hidden()
    ((seats, waiting),) = offering.rows(
        "SELECT COUNT(*), (SELECT COUNT(*) FROM lobby_seek WHERE match_id IS NULL)"
        " FROM games_seating WHERE match_id = ?",
        page.url.rpartition("/")[2],
    )
    assert (seats, waiting) == (2, 0)


def test_the_offer_follows_to_every_page_by_keyboard_and_moves_nothing(
    new_page: NewPage, offering: ParlourServer, window: dict[str, Any]
) -> None:
    page = new_page(offering, **window)
    page.add_init_script(SHIFTS)
    become_guest(page)
    search(page, "Kalaha", "No clock")
    page.goto("/leaderboards")
    cancel = page.locator("#seeking").get_by_role("button", name="Cancel")
    cancel.focus()
    before = cancel.bounding_box()
    expect(offer_on(page)).to_be_visible()
    assert cancel.bounding_box() == before
    expect(cancel).to_be_focused()
    assert page.evaluate("shifted") == 0
    page.keyboard.press("Shift+Tab")
    expect(offer_on(page)).to_be_focused()
    page.keyboard.press("Enter")
    led_to(page, "/m/")


@pytest.mark.full
def test_computer_offer_without_scripts_on_page(new_page: NewPage, offering: ParlourServer) -> None:
    page = new_page(offering, java_script_enabled=False)
    page.goto("/")
    page.locator("#tiles").get_by_role("link", name=re.compile("Kalah")).click()
    page.locator("#play-kalah").get_by_role("button", name="Play now").click()
    offer = page.locator("#pairing").get_by_role("button", name="Play Sprout, level 1")

    def offered() -> bool:
        page.reload()
        return offer.is_visible()

    wait_until(offered, "the offer")
    offer.click()
    expect(page).to_have_url(re.compile(r"/m/"))


@pytest.mark.full
def test_pressed_tile_looks_right_in_every_theme(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Picture
) -> None:
    page = new_page(sqlite_server, viewport=WINDOWS[0])
    become_guest(page)
    search(page, "Nine", "5 min", game="Morris")
    expect(tile(page, "Nine", "5 min", game="Morris")).to_have_attribute("aria-pressed", "true")
    check_looks(page, picture, "pairing")
