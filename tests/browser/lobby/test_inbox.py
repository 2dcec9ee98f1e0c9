"""The inbox, as two people use it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import serious_violations
from tests.helpers import accounts
from tools.harness.servers import ParlourServer


def settled(page: Page) -> Page:
    """Wait until nothing changes how the page looks: fonts are there, and all transitions have ended."""
    page.evaluate(
        """() => Promise.all([
            document.fonts.ready,
            ...document.getAnimations()
                .filter(each => each.effect.getTiming().iterations !== Infinity)
                .map(each => each.finished.catch(() => null)),
        ]).then(() => null)"""
    )
    return page


def write(page: Page, name: str, text: str) -> None:
    page.get_by_label(f"Message to {name}").fill(text)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_label(f"Message to {name}")).to_have_value("")


def test_two_people_write_to_each_other_until_one_blocks_the_other(
    new_page: NewPage, sqlite_server: ParlourServer, watch: Watch, picture: Any
) -> None:
    watch.allow("status of 403")
    anna, ben = accounts.registered(sqlite_server, "Anna", "Ben")
    mine, theirs = new_page(sqlite_server), new_page(sqlite_server)
    accounts.sign_in(mine, sqlite_server, anna)
    accounts.sign_in(theirs, sqlite_server, ben)
    # They follow each other, so each accepts what the other writes.
    sqlite_server.write(
        "INSERT INTO lobby_tie (user_id, other_id, kind, created)"
        " SELECT a.id, b.id, 'follow', '2026-01-01' FROM lobby_user a, lobby_user b"
        " WHERE a.username IN ('Anna', 'Ben') AND b.username IN ('Anna', 'Ben') AND a.id <> b.id"
    )
    theirs.goto("/rules")
    expect(theirs.locator("#unread")).to_be_hidden()
    mine.goto("/@/Ben")
    mine.get_by_role("link", name="Message", exact=True).click()
    expect(mine.get_by_text("No messages yet.")).to_be_visible()
    write(mine, "Ben", "Shall we play on Friday?")
    expect(mine.locator("#messages")).to_contain_text("Shall we play on Friday?")
    badge = theirs.get_by_role("link", name="New messages 1")
    expect(badge).to_be_visible()
    badge.click()
    row = theirs.locator("#conversations .list-row", has_text="Anna")
    expect(row).to_contain_text("New")
    assert serious_violations(settled(theirs)) == []
    picture(theirs, "inbox")
    row.get_by_role("link", name="Anna").click()
    expect(theirs.locator("#messages")).to_contain_text("Shall we play on Friday?")
    expect(theirs.locator("#unread")).to_be_hidden()
    write(theirs, "Anna", "With pleasure.")
    expect(mine.locator("#messages")).to_contain_text("With pleasure.")
    # Read at once, because the page is open.
    expect(mine.locator("#unread")).to_be_hidden()
    assert serious_violations(settled(mine)) == []
    picture(mine, "conversation")
    theirs.goto("/@/Anna")
    theirs.get_by_label("More about Anna").click()
    theirs.get_by_role("button", name="Block").click()
    expect(theirs.get_by_role("link", name="Message", exact=True)).to_have_count(0)
    mine.get_by_label("Message to Ben").fill("Are you there?")
    mine.get_by_role("button", name="Send", exact=True).click()
    expect(mine.get_by_role("alert").filter(has_text="You cannot write to Ben.")).to_be_visible()
    expect(mine.get_by_label("Message to Ben")).to_have_value("Are you there?")
