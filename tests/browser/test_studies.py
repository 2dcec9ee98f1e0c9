"""A study that two people edit: each sees the other's moves, a lost line loses nothing, and one leads."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, Watch
from tests.browser.players import NO_ANIMATION, press, submit
from tests.helpers import accounts
from tools.harness.servers import ParlourServer


def shared(pages: list[Page], server: ParlourServer, names: tuple[str, str], role: str) -> None:
    """Sign two people in who share a study of Kalah, and show it to both."""
    for page, account in zip(pages, accounts.registered(server, *names), strict=True):
        accounts.sign_in(page, server, account)
        page.add_init_script(NO_ANIMATION)
    address = submit(pages[0], "/studies/new", game="kalah")
    submit(pages[0], f"{address}/member", name=names[1], role=role)
    for page in pages:
        page.goto(address)
        expect(page.locator("#study:not([data-loading])")).to_have_attribute("data-connection", "open")


@pytest.fixture
def two(new_page: NewPage, sqlite_server: ParlourServer) -> list[Page]:
    return [new_page(sqlite_server) for _ in range(2)]


def played(page: Page, *moves: str) -> None:
    """The moves of the list as it shows them."""
    expect(page.locator("#tree .ply")).to_have_text(list(moves))


def at_move(page: Page, move: str) -> None:
    """The board shows a move."""
    expect(page.locator("[aria-current=step]")).to_have_text(move)


def test_two_people_edit_at_once_and_one_is_offline_in_between(
    two: list[Page], sqlite_server: ParlourServer, watch: Watch
) -> None:
    first, second = two
    shared(two, sqlite_server, ("Olga", "Mart"), "write")
    press(first, "2")
    at_move(first, "1. 3")
    played(second, "1. 3")
    expect(second.locator("#people")).to_have_text("Olga")
    second.keyboard.press("ArrowRight")
    at_move(second, "1. 3")
    watch.allow("ERR_INTERNET_DISCONNECTED")
    second.context.set_offline(True)
    second.evaluate("dispatchEvent(new Event('offline'))")
    second.keyboard.press("1")
    first.keyboard.press("6")
    played(first, "1. 3", "2. 6")
    played(second, "1. 3")
    second.context.set_offline(False)
    for page in two:
        # Beside it is who looks at it, as soon as that is told.
        expect(page.get_by_role("list", name="Instead of 6").get_by_role("button")).to_have_text("2. 1")
    first.reload()
    played(first, "1. 3", "2. 6", "2. 1")


def test_who_follows_goes_where_the_leader_goes(two: list[Page], sqlite_server: ParlourServer) -> None:
    first, second = two
    shared(two, sqlite_server, ("Maie", "Igor"), "read")
    press(first, "2")
    at_move(first, "1. 3")
    first.keyboard.press("6")
    at_move(first, "2. 6")
    played(second, "1. 3", "2. 6")
    expect(second.get_by_role("button", name="Lead")).to_be_hidden()
    first.get_by_role("button", name="Lead").click()
    expect(second.locator("#people")).to_have_text("Maie leads the study")
    second.get_by_role("button", name="Follow").click()
    at_move(second, "2. 6")
    first.keyboard.press("ArrowLeft")
    at_move(second, "1. 3")
    press(second, "0")
    expect(second.locator("#notice")).to_have_text("You cannot add moves to this study.")


def test_keys_lead_to_the_other_chapters(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    page = new_page(sqlite_server)
    accounts.sign_in(page, sqlite_server, accounts.registered(sqlite_server, "Liis")[0])
    address = submit(page, "/studies/new", game="kalah")
    submit(page, f"{address}/add", title="Second")
    page.goto(address)
    chosen = page.locator(".study-choose > summary")
    expect(page.locator("#study:not([data-loading])")).to_have_attribute("data-connection", "open")
    page.keyboard.press("n")
    expect(chosen).to_contain_text("Second")
    expect(page.locator("#study:not([data-loading])")).to_have_attribute("data-connection", "open")
    page.keyboard.press("p")
    expect(chosen).not_to_contain_text("Second")
