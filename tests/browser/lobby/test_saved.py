"""Saved matches in browsers: the shelf in the lobby, and the call that reaches one on any page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks_everywhere
from tests.browser.players import led_to
from tests.helpers import accounts
from tests.helpers.accounts import Account
from tools.harness import subprocess_call
from tools.harness.people import Person, Socket, command_id
from tools.harness.servers import ParlourServer


@pytest.fixture
def two(sqlite_server: ParlourServer) -> list[Account]:
    number = len(sqlite_server.rows("SELECT id FROM lobby_user"))
    return accounts.registered(sqlite_server, f"Patient-{number}", f"Busy-{number}")


@pytest.fixture
def match_id(sqlite_server: ParlourServer, two: list[Account]) -> str:
    """A match in which the second of them is to move."""
    begun = begin(sqlite_server, two)
    with person(sqlite_server, two[0]).watch(begun) as board:
        board.move(0, "1")
    return begun


@pytest.fixture
def page(new_page: NewPage, sqlite_server: ParlourServer, two: list[Account]) -> Page:
    """The first of them."""
    page = new_page(sqlite_server)
    accounts.sign_in(page, sqlite_server, two[0])
    return page


def person(server: ParlourServer, account: Account) -> Person:
    return accounts.person(server, account)


def begin(server: ParlourServer, two: list[Account]) -> str:
    """A casual match in which the first of them is to move."""
    ids = [account.user_id for account in two]
    return str(subprocess_call.call(server.database_url, accounts.begin_match, ids, "kalah", False))


def offer(socket: Socket, kind: str) -> None:
    ply = socket.snapshot["ply"]
    answer = socket.ask({"type": "offer", "id": command_id(), "after": ply, "kind": kind})
    assert answer["type"] == "accepted", answer


def save(other: Person, match_id: str) -> None:
    with other.watch(match_id) as board:
        offer(board, "save")


def invite(other: Person, match_id: str) -> None:
    with other.watch(match_id) as board:
        offer(board, "resume")


def row(page: Page, shelf: str, match_id: str) -> Locator:
    return page.locator(f"#{shelf} > [data-id='{match_id}']")


def test_a_match_goes_to_the_shelf_and_comes_back_without_a_reload(
    page: Page, sqlite_server: ParlourServer, two: list[Account], match_id: str
) -> None:
    other = person(sqlite_server, two[1])
    page.goto("/#mine")
    expect(row(page, "my-matches", match_id)).to_be_visible()
    expect(page.get_by_role("heading", name="Saved")).to_be_hidden()
    save(other, match_id)
    expect(row(page, "my-saved", match_id)).to_contain_text(f"{two[1].name}’s turn · saved a moment ago")
    expect(row(page, "my-matches", match_id)).to_have_count(0)
    invite(other, match_id)
    invite(person(sqlite_server, two[0]), match_id)
    expect(row(page, "my-matches", match_id)).to_be_visible()
    expect(page.get_by_role("heading", name="Saved")).to_be_hidden()


def test_the_call_reaches_one_on_another_page_and_leads_to_the_match(
    page: Page, sqlite_server: ParlourServer, two: list[Account], match_id: str
) -> None:
    other = person(sqlite_server, two[1])
    save(other, match_id)
    page.goto("/leaderboards")
    invite(other, match_id)
    call = page.locator("#challenges .toast")
    expect(call).to_contain_text(f"{two[1].name} invites you to resume your saved match: Kalah")
    page.goto("/people")
    call.get_by_role("link", name="Go to the match").click()
    led_to(page, f"/m/{match_id}")
    expect(page.locator("#match")).to_have_attribute("data-ply", "2")
    expect(call).to_have_count(0)


@pytest.mark.full
def test_rematch_begun_leads_player_from_other_page(
    page: Page, sqlite_server: ParlourServer, two: list[Account], match_id: str
) -> None:
    with person(sqlite_server, two[1]).watch(match_id) as board:
        board.move(1, "1")
        board.ask({"type": "resign", "id": command_id(), "after": 2})
        with person(sqlite_server, two[0]).watch(match_id) as mine:
            mine.ask({"type": "rematch", "id": command_id()})
        begin(sqlite_server, two)
        page.goto("/leaderboards")
        # That match waits for them, which is said on the connection.
        expect(page.locator("#waiting")).to_be_visible()
        board.ask({"type": "rematch", "id": command_id()})
    page.locator("#challenges .toast", has_text="Your rematch has begun").get_by_role("link").click()
    led_to(page, re.compile(f"/m/(?!{match_id})"))


def test_saved_matches_layout_and_accessibility(
    page: Page, sqlite_server: ParlourServer, two: list[Account], match_id: str, picture: Any
) -> None:
    other = person(sqlite_server, two[1])
    save(other, match_id)
    page.goto("/#mine")
    with other.me():
        expect(row(page, "my-saved", match_id)).to_contain_text("is here")
        invite(other, match_id)
        expect(page.locator("#challenges .toast")).to_be_visible()
        check_looks_everywhere(page, picture, "saved")
