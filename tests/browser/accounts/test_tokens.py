"""The page of tokens, and the one that tells programmers what there is, in real browsers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accounts.test_accounts import PASSWORD, sign_up
from tests.browser.accounts.test_passkeys import give_password
from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import Picture, check_looks_everywhere
from tests.conftest import Launcher
from tests.helpers.programs import Program
from tools.harness.servers import ParlourServer


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"))


@pytest.fixture
def ulno(new_page: NewPage, server: ParlourServer) -> Page:
    """The page of somebody who has just signed up."""
    page = new_page(server)
    sign_up(page, "Ulno")
    page.goto("/accounts/reauthenticate/")
    give_password(page, PASSWORD)
    return page


def test_a_token_is_made_copied_used_and_revoked(
    ulno: Page, server: ParlourServer, picture: Picture, watch: Watch
) -> None:
    watch.allow("400 .*settings/tokens")
    ulno.goto("/settings")
    ulno.get_by_role("link", name="Change the tokens").click()
    expect(ulno.get_by_text("You have no tokens.")).to_be_visible()
    check_looks_everywhere(ulno, picture, "tokens-none")
    ulno.get_by_role("button", name="Create").click()
    expect(ulno.get_by_text("Give it a name.")).to_be_visible()
    check_looks_everywhere(ulno, picture, "tokens-wrong")
    ulno.get_by_label("Name", exact=True).fill("My first bot")
    # All of it by keys.
    box = ulno.get_by_label(re.compile("^read "))
    box.focus()
    ulno.keyboard.press("Space")
    ulno.get_by_role("button", name="Create").press("Enter")
    expect(ulno.get_by_role("heading", name="Your new token")).to_be_focused()
    token = ulno.get_by_label("Token", exact=True).input_value()
    ulno.get_by_role("button", name="Copy").click()
    expect(ulno.locator("#made [data-copy]")).to_have_text(re.compile(r"Copied|Press Ctrl\+C"))
    check_looks_everywhere(ulno, picture, "tokens-made")
    assert Program(server, token).get("/me").fields["name"] == "Ulno"
    ulno.goto("/settings/tokens")
    expect(ulno.get_by_text("last used a moment ago")).to_be_visible()
    assert token not in ulno.content()
    assert _low_targets(ulno) == []
    check_looks_everywhere(ulno, picture, "tokens")
    ulno.get_by_role("button", name="Revoke My first bot").click()
    expect(ulno.get_by_text("The token no longer works.")).to_be_visible()
    assert Program(server, token).get("/me").status == 401


def test_the_page_for_programmers(page: Page, picture: Picture) -> None:
    page.goto("/")
    page.get_by_role("link", name="For programs").click()
    expect(page.get_by_role("heading", name="For programs")).to_be_visible()
    check_looks_everywhere(page, picture, "api")
    page.get_by_role("link", name="Challenge somebody").click()
    operation = page.get_by_role("article", name="Challenge somebody")
    operation.get_by_text("What to send").click()
    sketch = operation.locator("pre").first
    expect(sketch).to_be_visible()
    expect(sketch).to_contain_text('"preset"?: string or null')
    assert _low_targets(page) == []
    picture(page, "api-operation")


def _low_targets(page: Page) -> list[str]:
    """What can be pressed in the page itself and is lower than 44 px, links in running text aside."""
    low: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("main :is(button, .input, .check, summary, a.button, li a)")]
            .filter(each => each.offsetParent && each.getBoundingClientRect().height < 43.5)
            .map(each => each.outerHTML.slice(0, 80))"""
    )
    return low
