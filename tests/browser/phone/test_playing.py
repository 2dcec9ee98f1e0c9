"""What a phone does for whoever plays on it: the screen stays on, and links leave by its own sheet."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.players import at_board, press, seat_timed, swipe, wait_for_ply
from tools.harness.patience import wait_until
from tools.harness.servers import ParlourServer

COUNTED = """{
    globalThis.locks = [];
    const ask = WakeLock.prototype.request;
    WakeLock.prototype.request = async function (kind) {
        const lock = await ask.call(this, kind);
        locks.push(lock);
        return lock;
    };
}"""
HELD = "locks.some((lock) => !lock.released)"


def first_of(new_page: NewPage, server: ParlourServer, clock: str) -> Page:
    """The page of whoever moves first in a match with a clock, its wake locks counted."""

    def come(server: ParlourServer, **options: Any) -> Page:
        page = new_page(server, **options)
        # Without a window the browser asks nobody, and refuses.
        page.context.grant_permissions(["screen-wake-lock"])
        page.add_init_script(COUNTED)
        return page

    return seat_timed(come, server, clock).players[0]


def test_the_screen_stays_on_in_a_live_match_unless_one_says_otherwise(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    page = first_of(new_page, sqlite_server, "5+3")
    wait_until(lambda: page.evaluate(HELD), "a wake lock")
    page.get_by_role("link", name="Settings").click()
    screen = page.get_by_role("dialog").get_by_role("group", name="Keep the screen on")
    screen.get_by_label("Off").check()
    wait_until(lambda: not page.evaluate(HELD), "the end of the wake lock")
    screen.get_by_label("On").check()
    wait_until(lambda: page.evaluate(HELD), "a wake lock")


def test_screen_not_kept_on_in_correspondence_match(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    page = first_of(new_page, sqlite_server, "3d")
    assert page.evaluate("locks") == []


def test_share_without_system_dialog_copies_link(page: Page) -> None:
    page.add_init_script("delete Navigator.prototype.share")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/leaderboards")
    page.evaluate(
        """() => {
            const button = Object.assign(document.createElement("button"), { textContent: "Share" });
            button.dataset.share = "/m/somewhere";
            document.querySelector("main").append(button);
        }"""
    )
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").endswith("/m/somewhere")
    expect(page.get_by_role("button", name="Share")).to_be_visible()


def test_a_swipe_steps_through_the_moves_but_not_on_ones_own_turn(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    phone: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
    first, second = at_board(new_page, sqlite_server, "kalah", "circle", **phone).players
    press(first, "0")
    wait_for_ply(second, 1)
    wait_for_ply(first, 1)
    # It is the turn of the second: a finger of theirs that slips is no step.
    swipe(second, 200)
    swipe(first, 200)
    wait_for_ply(first, 0)
    wait_for_ply(second, 1)
    expect(first.locator("#live")).to_be_visible()
    # Neither a short way nor one that goes down as well is a swipe.
    swipe(first, -30)
    swipe(first, -100, down=90)
    wait_for_ply(first, 0)
    swipe(first, -200)
    wait_for_ply(first, 1)
    expect(first.locator("#live")).to_be_hidden()
    # Whoever looks back on their own turn swipes on.
    second.locator("#previous").click()
    wait_for_ply(second, 0)
    swipe(second, -200)
    wait_for_ply(second, 1)
