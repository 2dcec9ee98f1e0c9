"""Passkeys in a real browser, whose authenticator is a part of Chromium made for tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks_everywhere
from tests.conftest import Launcher
from tests.helpers.administrator import NAME, PASSWORD, make_administrator
from tools.harness.servers import ParlourServer


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"))


@pytest.fixture
def somebody(new_page: NewPage, server: ParlourServer) -> Page:
    """A browser with an authenticator, at the only name without https that browsers trust."""
    page = new_page(server, base_url=f"http://localhost:{server.port}")
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    return page


def log_in_by_passkey(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Use a passkey").click()


def log_out(page: Page) -> None:
    page.context.clear_cookies()


def give_password(page: Page, password: str) -> None:
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Continue").click()


def add_passkey(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/accounts/2fa/")
    page.get_by_role("link", name="Add a passkey").click()
    give_password(page, password)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Add it").click()
    expect(page.locator(".codes li")).to_have_count(10)


def test_a_passkey_is_added_opens_the_account_and_is_removed(
    somebody: Page, server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    page = somebody
    page.goto("/accounts/signup/")
    for label, text in (("Name", "Keyholder"), ("Password", PASSWORD), ("Repeat password", PASSWORD)):
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.goto("/settings")
    page.get_by_role("link", name="Change passkeys and two-factor authentication").click()
    check_looks_everywhere(page, picture, "mfa-none")
    add_passkey(page, "My laptop")

    log_out(page)
    log_in_by_passkey(page)
    expect(page.locator(".site-account .menu .site-name")).to_have_text("Keyholder")
    page.goto("/accounts/sessions/")
    check_looks_everywhere(page, picture, "sessions")

    log_out(page)
    page.goto("/accounts/login/")
    check_looks_everywhere(page, picture, "log-in-passkey")
    page.get_by_label("Name or e-mail address").fill("Keyholder")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Two-factor authentication")
    check_looks_everywhere(page, picture, "mfa-log-in-by-passkey")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator(".site-account .menu .site-name")).to_have_text("Keyholder")

    page.goto("/accounts/2fa/webauthn/")
    check_looks_everywhere(page, picture, "passkeys")
    page.get_by_role("link", name="Remove My laptop").click()
    give_password(page, PASSWORD)
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("status").filter(has_text="The passkey has been removed.")).to_be_visible()
    log_out(page)
    log_in_by_passkey(page)
    expect(page.get_by_role("main").get_by_role("status")).to_have_text("No account here uses this passkey.")


def test_no_passkey_is_said_in_words_and_the_form_stays(somebody: Page) -> None:
    log_in_by_passkey(somebody)
    expect(somebody.get_by_role("alert")).to_have_text("No passkey was used. You can try again.")


def test_an_address_without_a_name_has_no_passkeys(new_page: NewPage, server: ParlourServer) -> None:
    page = new_page(server)
    log_in_by_passkey(page)
    expect(page.get_by_role("alert")).to_have_text("This browser has no passkeys for this address.")


def test_a_passkey_is_a_second_factor_for_staff(somebody: Page, server: ParlourServer) -> None:
    make_administrator(server)
    page = somebody
    page.goto("/accounts/login/")
    page.get_by_label("Name or e-mail address").fill(NAME)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator(".site-account .menu .site-name")).to_have_text(NAME)
    add_passkey(page, "My laptop")
    page.goto("/admin/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Confirm it’s you")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="Site administration")).to_be_visible()
    log_out(page)
    log_in_by_passkey(page)
    expect(page.locator(".site-account .menu .site-name")).to_have_text(NAME)
    page.goto("/admin/")
    expect(page.get_by_role("heading", name="Site administration")).to_be_visible()
