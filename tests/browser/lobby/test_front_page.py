"""The front page in browsers: games as pictures, and how few presses it is to a board."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.browser.conftest import NewPage
from tests.browser.looks import Picture, check_looks, check_looks_everywhere
from tests.browser.players import at_board, at_the_lobby, become_guest, led_to, press, wait_for_ply
from tests.helpers.samples import FULL, in_full
from tools.harness.servers import ParlourServer

TITLES = [game.full_title for game in GAMES.values()]
KALAH, MORRIS, CANTSTOP = (GAMES[slug].full_title for slug in ("kalah", "morris", "cantstop"))
IN_SIGHT = 4
"""How many tiles the first window has room for."""
WINDOWS = {"desk": {"width": 1280, "height": 720}, "phone": {"width": 390, "height": 664}}


def open_sheet(page: Page, game: str) -> None:
    page.locator("#tiles").get_by_role("link", name=game).click()
    expect(page.get_by_role("dialog", name=game)).to_be_visible()


@pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS)
def test_every_game_is_a_picture_of_one_size_and_the_first_are_in_sight(
    page: Page, window: dict[str, int], picture: Picture
) -> None:
    page.set_viewport_size(window)  # type: ignore[arg-type]
    page.goto("/")
    tiles = page.locator("#tiles").get_by_role("link")
    expect(tiles).to_have_count(len(TITLES))
    expect(page.locator("#tiles .miniboard-svg")).to_have_count(len(TITLES))
    boxes = [art.bounding_box() for art in page.locator("#tiles [data-part=art]").all()]
    assert len({(round(box["width"]), round(box["height"])) for box in boxes if box}) == 1
    for nth, title in enumerate(TITLES):
        expect(tiles.nth(nth)).to_have_accessible_name(re.compile(re.escape(title) + ".*players"))
    for nth in range(IN_SIGHT):
        expect(tiles.nth(nth)).to_be_in_viewport(ratio=0.5)
    # In a usual run eyes/test_every_page.py alone asks axe about them.
    if FULL:
        check_looks(page, picture, "front-visitor")
    open_sheet(page, KALAH)
    for name in ("Play now", "A friend", "Computer"):
        expect(page.get_by_role("dialog").get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    if FULL:
        check_looks(page, picture, "front-sheet")


COUNTED = """
    addEventListener("click", ({isTrusted}) => {
        if (isTrusted) sessionStorage.presses = Number(sessionStorage.presses ?? 0) + 1;
    }, {capture: true});
"""


def presses(page: Page) -> int:
    """How often somebody with an empty browser has pressed anything since they came."""
    return int(page.evaluate("Number(sessionStorage.presses ?? 0)"))


class TestPresses:
    """From the front page to the first own move, counted by the page itself."""

    @pytest.mark.parametrize("window", in_full(*WINDOWS))
    def test_two_against_the_computer(self, page: Page, window: str) -> None:
        page.set_viewport_size(WINDOWS[window])  # type: ignore[arg-type]
        page.add_init_script(COUNTED)
        page.goto("/")
        open_sheet(page, KALAH)
        page.get_by_role("dialog").get_by_role("button", name="Computer").click()
        led_to(page, "/m/")
        wait_for_ply(page, 0)
        expect(page.locator(".player[data-bot]", has_text="level 1")).to_have_count(1)
        assert presses(page) == 2
        # The newcomer moves first, and needs to press nothing else before.
        press(page, "2")
        expect(page.locator("#match")).not_to_have_attribute("data-ply", "0")

    def test_two_with_that_move_where_one_begins_at_once(self, page: Page) -> None:
        page.add_init_script(COUNTED)
        page.goto("/")
        page.get_by_role("button", name="Play the computer: Kalah").click()
        led_to(page, "/m/")
        wait_for_ply(page, 0)
        press(page, "2")
        expect(page.locator("#match")).not_to_have_attribute("data-ply", "0")
        assert presses(page) == 2

    def test_two_to_a_link_for_a_friend_and_one_by_the_friend(
        self, new_page: NewPage, sqlite_server: ParlourServer
    ) -> None:
        host, friend = new_page(sqlite_server), new_page(sqlite_server)
        for page in (host, friend):
            page.add_init_script(COUNTED)
        host.goto("/")
        open_sheet(host, MORRIS)
        host.get_by_role("dialog").get_by_role("button", name="A friend").click()
        expect(host.get_by_role("img", name="QR code")).to_be_visible()
        assert presses(host) == 2
        friend.goto(host.locator("#link-1").input_value())
        friend.get_by_role("button", name="Join").click()
        for page in (host, friend):
            led_to(page, "/m/")
            wait_for_ply(page, 0)
        assert (presses(host), presses(friend)) == (2, 1)
        mover = next(page for page in (host, friend) if page.locator("#mine .player[data-turn]").count())
        press(mover, "a1")
        wait_for_ply(mover, 1)

    def test_the_keyboard_alone_is_enough(self, page: Page) -> None:
        page.goto("/")
        expect(page.locator("#lobby[data-ready]")).to_be_visible()
        page.locator("#tiles").get_by_role("link", name="Can’t Stop").focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        # It is the computer while nobody else is online.
        expect(dialog.locator(".way-first")).to_be_focused()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(page.locator("#tiles").get_by_role("link", name="Can’t Stop")).to_be_focused()

    @pytest.mark.full
    def test_other_choices_stand_behind_change(self, page: Page) -> None:
        page.goto("/")
        open_sheet(page, CANTSTOP)
        page.get_by_role("dialog").get_by_role("link", name="Change level and rules").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Can’t Stop against the computer")
        page.goto("/")
        open_sheet(page, MORRIS)
        page.get_by_role("dialog").get_by_role("link", name="Change rules and number of players").click()
        expect(page).to_have_url(re.compile(r"/new/morris\?who=friend"))


def test_an_address_may_name_a_sheet(page: Page) -> None:
    page.goto("/#play-aces")
    expect(page.get_by_role("dialog", name="Aces")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("/$"))


@pytest.mark.full
def test_front_page_without_scripts_offers_every_way_to_play(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    page = new_page(sqlite_server, java_script_enabled=False)
    page.goto("/")
    assert page.locator(".game-tile-picture").first.evaluate("image => image.naturalWidth") > 0
    page.locator("#tiles").get_by_role("link", name=MORRIS).click()
    page.locator("#play-morris").get_by_role("button", name="Computer").click()
    led_to(page, "/m/")


@pytest.mark.full
class TestTheBoards:
    def test_boards_show_demonstrations_without_matches(self, new_page: NewPage, launcher: object) -> None:
        server = launcher.open(launcher.store("sqlite"))  # type: ignore[attr-defined]
        page = new_page(server)
        page.goto("/")
        moved = page.locator("#tiles .miniboard-art:not([data-ply='0'])[data-ply]")
        expect(moved).not_to_have_count(0)
        # Once one is seen to move, as many stand still as do for whoever wants no motion.
        still = new_page(server, reduced_motion="reduce")
        still.goto("/")
        expect(still.locator("#tiles .miniboard-art[data-ply='0']")).to_have_count(len(TITLES))
        expect(moved).not_to_have_count(1)
        expect(still.locator("#tiles .miniboard-art[data-ply='0']")).to_have_count(len(TITLES))


def test_addresses_of_parts_lead_there(page: Page) -> None:
    become_guest(page)
    for part in ("tables", "mine", "watch", "pairing"):
        page.goto("about:blank")
        page.goto(f"/#{part}")
        expect(page.locator(f"#{part}")).to_be_in_viewport()


def test_a_guest_finds_the_finished_game_again(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Picture
) -> None:
    seats = at_board(new_page, sqlite_server, "kalah", "circle")
    page, other = seats.players
    page.keyboard.press("1")
    wait_for_ply(other, 1)
    other.keyboard.press("7")
    wait_for_ply(page, 2)
    tab = page.context.new_page()
    tab.goto("/#mine")
    at_the_lobby(tab)
    row = tab.locator(f"#my-matches > li[data-id='{seats.match_id}']")
    expect(row).to_contain_text("Your turn")
    expect(row.locator("[data-part=art] svg")).to_be_visible()
    page.keyboard.press("2")
    expect(row).not_to_contain_text("Your turn", use_inner_text=True)
    # The board in the row moves with the match.
    expect(row.locator("[data-part=art]")).to_have_attribute("data-ply", "3")
    resign(page)
    tab.reload()
    finished = tab.locator("#my-finished > li")
    expect(finished).to_contain_text(f"Kalah with {other.locator('body').get_attribute('data-me')}")
    expect(finished).to_contain_text("Lost · a moment ago")
    assert finished.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    check_looks_everywhere(tab, picture, "front-mine")
    finished.get_by_role("link").click()
    led_to(tab, f"/m/{seats.match_id}")


def resign(page: Page) -> None:
    """Give the match up, which takes two presses."""
    page.locator("#resign").click()
    page.locator("#resign").click()
    expect(page.locator("#headline")).to_contain_text("won")
