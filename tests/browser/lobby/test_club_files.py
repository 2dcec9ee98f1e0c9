"""What a club has brought along from another site, in a browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks_everywhere
from tests.helpers import accounts
from tests.helpers.club_files import bring_in_sample
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer


def test_an_archive_is_read_and_a_member_agrees(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    address = subprocess_call.at(sqlite_server, bring_in_sample)
    page = new_page(sqlite_server)
    accounts.sign_in(page, sqlite_server, accounts.registered(sqlite_server, "Siim")[0])
    page.goto(address)
    page.get_by_role("button", name="Join the club").click()
    page.get_by_role("button", name="Move my name too").click()
    expect(page.get_by_text("your name goes along.")).to_be_visible()
    check_looks_everywhere(page, picture, "club-consent")
    page.get_by_role("link", name="Archive").click()
    page.get_by_text("Friday cup").click()
    expect(page.get_by_role("row", name="Cleo")).to_be_visible()
    check_looks_everywhere(page, picture, "club-archive")
