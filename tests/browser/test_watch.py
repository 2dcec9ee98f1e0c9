"""What a page should never do does not go unnoticed."""

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from tests.browser.conftest import Watch


def test_an_error_in_the_console_is_a_complaint(page: Page, watch: Watch) -> None:
    watch.allow("^error: out of seeds")
    page.goto("/")
    page.evaluate("console.error('out of seeds')")
    assert any(complaint.startswith("error: out of seeds") for complaint in watch.complaints)


def test_an_uncaught_error_is_a_complaint(page: Page, watch: Watch) -> None:
    watch.allow("^uncaught: .*no such pit")
    page.goto("/")
    with page.context.expect_event("weberror"):
        page.evaluate("setTimeout(() => { throw new Error('no such pit'); })")
    assert len(watch.complaints) == 1


def test_a_request_to_somebody_else_is_a_complaint(page: Page, watch: Watch) -> None:
    watch.allow("elsewhere")
    with pytest.raises(PlaywrightError):
        page.goto("http://elsewhere.invalid/")
    assert any(complaint.startswith("request elsewhere") for complaint in watch.complaints)


def test_the_policy_keeps_scripts_from_asking_somebody_else(page: Page, watch: Watch) -> None:
    watch.allow("Content Security Policy")
    page.goto("/")
    page.evaluate("fetch('http://elsewhere.invalid/').catch(() => 0)")
    assert watch.complaints
