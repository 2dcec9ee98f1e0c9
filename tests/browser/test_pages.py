"""Pages that no story of people leads through: they look right too, and stand still as they come."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import PHONE, Picture, check_longer, check_looks_everywhere, fits, serious_violations
from tests.browser.players import come_in, post
from tests.helpers.samples import FULL, in_full
from tools.harness.servers import ParlourServer

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
        # eyes/test_every_page.py asks axe about all of them, and in the full run makes their words longer.
        if not FULL:
            check_longer(page)
        elif path in SHOWN:
            check_looks_everywhere(page, picture, path.strip("/").replace("/", "-"))


@contextmanager
def halting(server: ParlourServer, at: bytes) -> Iterator[tuple[str, threading.Event]]:
    """A slow wire to a server: pages come as far as some text, and the rest once an event is set."""
    go_on = threading.Event()

    class Wire(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with urlopen(server.url + self.path) as answer:
                first, *rest = answer.read().split(at, 1)
                self.send_response(200)
                self.send_header("Content-Type", answer.headers["Content-Type"])
            self.end_headers()
            self.wfile.write(first)
            for piece in rest:
                assert go_on.wait(60)
                self.wfile.write(at + piece)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Wire) as wire:
        threading.Thread(target=wire.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{wire.server_port}", go_on
        finally:
            go_on.set()
            wire.shutdown()


INSIDE = {
    "header": b"<summary",
    "tiles": b'<a class="tile" href="/rules/morris"',
    "footer": b'<div class="site-footer-inner',
}


@pytest.mark.parametrize("inside", in_full(*INSIDE))
def test_half_a_page_is_not_shown(sqlite_server: ParlourServer, new_page: NewPage, inside: str) -> None:
    with halting(sqlite_server, INSIDE[inside]) as (url, go_on):
        page = new_page(sqlite_server, base_url=url)
        page.add_init_script(SHIFTS)
        page.goto("/rules", wait_until="commit")
        # By a clock: of what is not shown there are no frames to look at.
        page.wait_for_function("document.styleSheets.length === 2", polling=50)
        page.wait_for_function("document.querySelector('.site-language')", polling=50)
        shown = "(resolve) => setTimeout(() => resolve(performance.getEntriesByType('paint').length), 300)"
        assert page.evaluate(f"new Promise({shown})") == 0
        go_on.set()
        page.wait_for_load_state("load")
        page.wait_for_function("performance.getEntriesByType('paint').length", polling=50)
        assert page.evaluate("window.shifts") == []


@pytest.mark.parametrize("path", in_full("/nothing", "/m/nothing", "/@/nobody"))
def test_an_address_without_anything_says_so(page: Page, watch: Watch, picture: Picture, path: str) -> None:
    watch.allow("status of 404")
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    if path == "/nothing":
        check_looks_everywhere(page, picture, "not-found")


@pytest.mark.full
def test_dialogs_layout_and_accessibility(page: Page, picture: Picture) -> None:
    """The settings, and a table that waits with its link and its code."""
    come_in(page)
    page.goto("/rules")
    page.locator("[data-dialog=settings]").click()
    expect(page.locator("#settings")).to_be_visible()
    check_looks_everywhere(page, picture, "settings-dialog")
    page.goto(post(page, "/new/kalah", preset="circle", seats="2", first="lot").url)
    assert serious_violations(page) == []
