"""The pages of webhooks, as people use them."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import check_looks_everywhere
from tests.helpers import accounts
from tools.harness.patience import wait_until
from tools.harness.servers import ParlourServer

# Nothing is ever sent there, and that is known at once.
URL = "https://localhost:9443/hooks/parlour?club=a-long-name-without-any-space-in-it&season=2026"


def at_home(new_page: NewPage, server: ParlourServer, name: str) -> Page:
    page = new_page(server)
    (account,) = accounts.registered(server, name)
    accounts.sign_in(page, server, account)
    return page


def add(page: Page) -> str:
    """Add a webhook by keyboard; its secret."""
    page.get_by_label("Address").fill(URL)
    page.keyboard.press("Enter")
    secret = page.get_by_label("Secret", exact=True).input_value()
    assert re.fullmatch(r"whsec_[\w-]{43}", secret)
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("[data-copy]")).to_have_text(re.compile(r"Copied|Press Ctrl\+C"))
    return secret


def test_a_webhook_is_added_tried_and_deleted(
    new_page: NewPage, sqlite_server: ParlourServer, watch: Watch, picture: Any
) -> None:
    watch.allow("status of 400")
    page = at_home(new_page, sqlite_server, "Hook-Owner")
    page.goto("/settings")
    page.get_by_role("link", name="Change the webhooks").click()
    check_looks_everywhere(page, picture, "hooks-none")
    secret = add(page)
    check_looks_everywhere(page, picture, "hook-secret")
    page.get_by_role("link", name="I have copied it").click()
    assert secret not in page.content()
    page.get_by_role("button", name="Send a ping").click()
    row = page.get_by_role("region", name="Recent deliveries").get_by_role("listitem")

    def tried() -> bool:
        page.get_by_role("link", name="Refresh").click()
        return "Sending" not in row.inner_text()

    wait_until(tried, "the first try to send it")
    expect(row).to_contain_text("Webhooks cannot go to a private network")
    expect(row).to_contain_text("Next try:")
    check_looks_everywhere(page, picture, "hook-log")
    page.get_by_role("button", name="Turn off").click()
    switched = page.get_by_role("status").filter(has_text="You turned this webhook off.")
    expect(switched).to_be_visible()
    page.get_by_role("link", name="Back to the webhooks").click()
    expect(page.get_by_role("region", name="My webhooks")).to_contain_text("Turned off by you")
    page.get_by_label("Address").fill("http://scores.example/")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("Webhook addresses must start with https://.")).to_be_visible()
    check_looks_everywhere(page, picture, "hooks-refused")
    page.get_by_role("link", name=f"Open {URL}").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("You have no webhooks yet.")).to_be_visible()
