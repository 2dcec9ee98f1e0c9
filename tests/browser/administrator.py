"""An administrator in a browser, who comes in by the admin's own door."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.helpers.administrator import NAME, PASSWORD, make_administrator
from tests.helpers.second_factor import code_of
from tools.harness.servers import ParlourServer


def sign_in_as_administrator(new_page: NewPage, server: ParlourServer) -> Page:
    """A page of the admin; who has no second factor is asked for one on the way."""
    if server.rows("SELECT 1 FROM lobby_user WHERE username = ?", NAME):
        server.write(
            "DELETE FROM mfa_authenticator WHERE user_id = (SELECT id FROM lobby_user WHERE username = ?)",
            NAME,
        )
    else:
        make_administrator(server)
    page = new_page(server)
    page.goto("/admin/")
    page.get_by_label("Name or e-mail address").fill(NAME)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator("main")).to_contain_text("The admin needs two-factor authentication.")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    code = code_of(page.get_by_label("Secret").input_value())
    page.get_by_label("Code", exact=True).fill(code)
    page.get_by_role("button", name="Turn it on").click()
    expect(page.locator(".codes li")).to_have_count(10)
    page.goto("/admin/")
    page.get_by_label("Code", exact=True).fill(code)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Site administration")).to_be_visible()
    return page
