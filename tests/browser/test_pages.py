"""Pages that no story of people leads through: they look right too, and stand still as they come."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch
from tests.browser.looks import PHONE, Picture, check_longer, check_looks_everywhere, fits, serious_violations
from tests.browser.players import come_in, post

SHIFTS = """
    window.shifts = [];
    const place = ({x, y, width, height}) => `${x}, ${y}, ${width} x ${height}`;
    const words = ({node, previousRect: before, currentRect: now}) =>
        `${(node?.outerHTML ?? node?.data ?? '').slice(0, 90)}: ${place(before)} to ${place(now)}`;
    new PerformanceObserver((list) => {
        const moved = list.getEntries().filter(({hadRecentInput}) => !hadRecentInput);
        window.shifts.push(...moved.map(({value, sources}) => [value, ...sources.map(words)].join('; ')));
    }).observe({type: 'layout-shift', buffered: true});
"""
"""What moved by itself, and from where to where."""
SHOWN = ["/rules", "/rules/kalah", "/accounts/login/"]
QUIET = ["/rules/aces", "/rules/morris", "/rules/cantstop", "/leaderboards", "/new/aces", "/computer/morris"]
QUIET += [
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/replay",
    "/settings",
    "/api",
    "/leaderboards/kalah",
]


def test_pages_for_everybody_stand_still_and_look_right(page: Page, picture: Picture) -> None:
    page.add_init_script(SHIFTS)
    for path in (*SHOWN, *QUIET, "/"):
        for width, height in ((1280, 720), (PHONE, 664))[path in QUIET :]:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(path, wait_until="networkidle" if path == "/" else "load")
            assert page.evaluate("window.shifts") == [], f"{path} at {width}"
            assert fits(page), path
        if path in SHOWN:
            check_looks_everywhere(page, picture, path.strip("/").replace("/", "-"))
        else:
            assert serious_violations(page) == [], path
        check_longer(page)


@pytest.mark.parametrize("path", ["/nothing", "/m/nothing", "/@/nobody"])
def test_an_address_without_anything_says_so(page: Page, watch: Watch, picture: Picture, path: str) -> None:
    watch.allow("status of 404")
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing at this address")
    assert serious_violations(page) == []
    if path == "/nothing":
        check_looks_everywhere(page, picture, "not-found")


def test_what_opens_over_a_page_is_as_clean_as_the_page(page: Page, picture: Picture) -> None:
    """The settings, and a table that waits with its link and its code."""
    come_in(page)
    page.goto("/rules")
    page.locator("[data-dialog=settings]").click()
    expect(page.locator("#settings")).to_be_visible()
    check_looks_everywhere(page, picture, "settings-dialog")
    page.goto(post(page, "/new/kalah", preset="circle", seats="2", first="lot").url)
    assert serious_violations(page) == []
