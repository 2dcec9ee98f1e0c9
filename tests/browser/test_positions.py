"""Positions in Chromium: played on from a ply, against the computer and with a friend by link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.browser.by_ear.listener import Listener
from tests.browser.by_ear.transcript import Transcript
from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import Picture, check_looks_everywhere
from tests.browser.players import NO_ANIMATION, led_to, press, wait_for_ply
from tests.helpers.samples import in_full
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer

NEEDED = """
    () => ['#board', '.match-line', '[data-place=row]:not([hidden])', '#editor:not([hidden])', '.match-title']
        .filter((each) => [...document.querySelectorAll(each)]
            .map((part) => part.getBoundingClientRect())
            .some(({left, top, right, bottom}) =>
                left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5))
"""
"""What somebody needs who plays, and is not in the window."""
WINDOWS = [(1280, 720), (1920, 1080), (390, 664), (360, 640), (844, 390), (768, 1024)]


def a_match() -> str:
    """To be called inside a process: a finished match of Kalah in which pits 1 and 2 were sown first."""
    from lobby.people.models import User
    from tests.helpers import finished

    users = [User.objects.create_user(name) for name in ("Heron-1", "Heron-2")]
    return str(finished.won(users).pk)


@pytest.fixture
def at(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    """A page on which nothing flies."""
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    return page


@pytest.fixture(scope="module")
def match(sqlite_server: ParlourServer) -> str:
    return str(subprocess_call.call(sqlite_server.database_url, a_match))


def come_to(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("#position-page")).to_have_attribute("data-ply", "0")


def seeds(page: Page) -> list[str | None]:
    """What every place of the board says to people who listen."""
    places: list[str | None] = page.locator("#board [data-cell]").evaluate_all(
        "places => places.map(place => place.getAttribute('aria-label'))"
    )
    return places


def test_a_ply_is_played_on_against_the_computer(at: Page, match: str) -> None:
    at.goto(f"/m/{match}#1")
    wait_for_ply(at, 1)
    at.get_by_role("link", name="Play from here").click()
    led_to(at, "/position/")
    expect(at.locator("#position-page")).to_have_attribute("data-ply", "0")
    press(at, "7")
    expect(at.locator("#position-page")).to_have_attribute("data-ply", "1")
    at.get_by_role("button", name="Undo").click()
    text = at.locator("#text").input_value()
    at.get_by_role("button", name="Play from here").click()
    dialog = at.get_by_role("dialog")
    dialog.get_by_label("Level of the computer").select_option("1")
    dialog.get_by_role("button", name="Play the computer").click()
    led_to(at, "/m/")
    wait_for_ply(at, 0)
    expect(at.locator("#match")).to_contain_text("From a position")
    # I have the seat whose turn it is, at the near side.
    press(at, "7")
    expect(at.locator("#match")).to_have_attribute("data-ply", re.compile("[1-9]"))
    assert "turn=1" in text


def test_a_friend_plays_on_by_link(new_page: NewPage, sqlite_server: ParlourServer, at: Page) -> None:
    text = "kalah.1 classic turn=1 board=0,5*4,4,0,4*6,0 ; one pit sown"
    come_to(at, f"/position/kalah?p={text}")
    expect(at.locator("#note")).to_have_text("one pit sown")
    at.get_by_role("button", name="Play from here").click()
    at.get_by_role("dialog").get_by_role("button", name="Play a friend").click()
    led_to(at, "/i/")
    link = at.locator("#table").get_attribute("data-invitation")
    friend = new_page(sqlite_server)
    friend.add_init_script(NO_ANIMATION)
    friend.goto(str(link))
    friend.get_by_role("button", name="Join").click()
    for page in (friend, at):
        led_to(page, "/m/")
        wait_for_ply(page, 0)
    press(at, "7")
    wait_for_ply(friend, 1)


def test_a_pasted_position_of_another_program_and_a_bad_one(at: Page, watch: object) -> None:
    watch.allow("400")  # type: ignore[attr-defined]
    come_to(at, "/position/kalah")
    field = at.get_by_label("Another position")
    field.fill("<3,10,2,1,2,3,4,2,0>")
    at.get_by_role("button", name="Show").click()
    expect(at.locator("#text")).to_have_value(re.compile(r"^kalah\.1 .* board=1,2,3,10,4,2,0,2$"))
    expect(at.locator("#position-page")).to_have_attribute("data-ply", "0")
    field.fill("kalah.1 classic turn=0 board=99")
    at.get_by_role("button", name="Show").click()
    expect(at.get_by_role("alert")).to_contain_text("board")
    expect(field).to_have_value("kalah.1 classic turn=0 board=99")


def test_a_position_is_set_up_by_mouse_and_keyboard(at: Page, watch: object) -> None:
    # That a match cannot have a draft is an answer, not an error.
    watch.allow("422")  # type: ignore[attr-defined]
    come_to(at, "/position/kalah")
    at.get_by_role("button", name="Edit the position").click()
    press(at, "0")
    expect(at.locator("#notice")).to_have_text("There are 49 seeds. These rules have 48.")
    expect(at.get_by_role("button", name="Done")).to_be_disabled()
    at.get_by_role("radio", name="No seeds").focus()
    at.keyboard.press("Space")
    at.locator("#board [data-cell='3']").focus()
    at.keyboard.press("Enter")
    at.get_by_label("Turn", exact=True).select_option("Player 2")
    at.get_by_role("button", name="Done").click()
    expect(at.locator("#text")).to_have_value("kalah.1 classic turn=1 board=5,4,4,0,4,4,0,4*6,0")
    press(at, "7")
    expect(at.locator("#position-page")).to_have_attribute("data-ply", "1")


def test_a_position_is_set_up_by_touch_and_heard(
    new_page: NewPage, sqlite_server: ParlourServer, watch: Watch
) -> None:
    watch.allow("422")
    page = new_page(sqlite_server, viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True)
    page.add_init_script(NO_ANIMATION)
    listener = Listener(page, Transcript("An editor by ear"))
    come_to(page, "/position/morris")
    page.get_by_role("button", name="Edit the position").tap()
    page.locator("#board [data-cell=a7]").tap()
    listener.hear("a7")
    page.locator("#tools label").nth(1).tap()
    page.locator("#board [data-cell=d7]").tap()
    listener.hear("d7")
    page.get_by_role("button", name="Done").tap()
    text = "morris.1 nine turn=0 board=WB...................... hand=8,8"
    expect(page.locator("#text")).to_have_value(text)


@pytest.mark.parametrize("slug", GAMES)
def test_what_play_needs_is_in_every_window(at: Page, slug: str) -> None:
    come_to(at, f"/position/{slug}")
    check_windows(at, slug)
    at.get_by_role("button", name="Edit the position").click()
    check_windows(at, f"the editor of {slug}")


def check_windows(page: Page, what: str) -> None:
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(rest)))")
        assert page.evaluate(NEEDED) == [], f"{what} at {width}x{height}"


@pytest.mark.parametrize("slug", in_full(*GAMES))
def test_position_pages_look_right(at: Page, picture: Picture, slug: str) -> None:
    come_to(at, f"/position/{slug}")
    check_looks_everywhere(at, picture, f"position-{slug}")
    at.get_by_role("button", name="Edit the position").click()
    expect(at.get_by_role("button", name="Done")).to_be_enabled()
    check_looks_everywhere(at, picture, f"position-{slug}-editor")
