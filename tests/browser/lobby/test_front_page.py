"""The front page opens in a browser, quietly."""

from playwright.sync_api import Page, expect


def test_front_page_opens(page: Page) -> None:
    answer = page.goto("/")
    assert answer is not None
    assert answer.status == 200
    expect(page.get_by_role("heading", level=1)).to_be_visible()
