"""Chromium for tests, watched: no error, no warning and no request to anybody else goes unnoticed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from tests.browser.visitors import NO_WORKER, Visitors
from tools.harness.patience import patience
from tools.harness.servers import ParlourServer
from tools.programs import chromium

NewPage = Callable[..., Page]

# The browser of the system, kept from what it does for itself: updates, sign-in, its maker's news, compilers.
QUIET = [
    "--no-first-run",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page of a test is gone before what is compiled to be fast has paid for its compilation.
    "--js-flags=--no-maglev --no-opt",
]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    program = chromium()
    if program is None:
        pytest.skip("Chromium is not installed")
    # Chromium refuses to put root in a sandbox.
    unboxed = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {**browser_type_launch_args, "executable_path": program, "args": [*unboxed, *QUIET]}


class Watch:
    """Collects what a page should never do."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self._allowed: list[re.Pattern[str]] = []
        self._over: list[tuple[BrowserContext, str, Callable[..., None]]] = []

    def allow(self, pattern: str) -> None:
        """Expect complaints that match, for instance about the socket while the server is down."""
        self._allowed.append(re.compile(pattern))

    def over(self, context: BrowserContext, host: str) -> None:
        """Watch all pages of a context that may speak to `host` alone."""
        listeners: dict[str, Callable[..., None]] = {
            "console": self._on_console,
            "weberror": lambda web_error: self._complain(f"uncaught: {web_error.error}"),
            "request": lambda request: self._on_request(request, host),
        }
        for event, listener in listeners.items():
            context.on(event, listener)  # type: ignore[call-overload]
            self._over.append((context, event, listener))

    def end(self) -> None:
        """Leave the pages to whoever watches them next."""
        for context, event, listener in self._over:
            context.remove_listener(event, listener)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complain(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _on_request(self, request: Request, host: str) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.netloc != host:
            self._complain(f"request elsewhere: {request.url}")

    def _complain(self, complaint: str) -> None:
        self.complaints.append(complaint)

    def verdict(self) -> list[str]:
        """The complaints nobody expected."""
        return [
            text for text in self.complaints if not any(allowed.search(text) for allowed in self._allowed)
        ]


@pytest.fixture(autouse=True)
def expectations_are_patient() -> None:
    """A busy machine is slow; the load is that of the beginning of the test."""
    expect.set_options(timeout=patience(10) * 1000)


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch()
    yield watch
    watch.end()
    assert watch.verdict() == []


@pytest.fixture(scope="session")
def all_visitors(browser: Browser) -> Iterator[Visitors]:
    visitors = Visitors(browser)
    with visitors.noting():
        yield visitors


@pytest.fixture
def visitors(all_visitors: Visitors) -> Iterator[Visitors]:
    """Who comes during a test and leaves after it."""
    yield all_visitors
    all_visitors.all_leave()


@pytest.fixture
def new_page(request: pytest.FixtureRequest, new_context: Any, visitors: Visitors, watch: Watch) -> NewPage:
    """`new_page(server, **context)`: a page of one more person, with cookies of their own.

    Relative addresses are the server's, or those of a `base_url`; the context takes Playwright's options,
    such as `color_scheme="dark"`, `viewport={...}`, `reduced_motion="reduce"`. With `worker=True` the browser
    has service workers. Pages are kept for the tests that follow, each cleaned for the next, but for tests
    that are marked `new_pages`.
    """

    is_kept = request.node.get_closest_marker("new_pages") is None

    def opened(worker: bool, options: dict[str, Any]) -> Page:
        context: BrowserContext = new_context(**options)
        if not worker:
            context.add_init_script(NO_WORKER)
        return context.new_page()

    def open_page(server: ParlourServer, *, worker: bool = False, **options: Any) -> Page:
        options = {"base_url": server.url, "locale": "en-GB", **options}
        page = visitors.come(**options) if is_kept and not worker else opened(worker, options)
        page.context.set_default_timeout(patience(20) * 1000)
        watch.over(page.context, urlsplit(options["base_url"]).netloc)
        return page

    return open_page


@pytest.fixture
def page(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    """The page of somebody who comes to Parlour for the first time."""
    return new_page(sqlite_server)


SCREENS = {1280: 720, 390: 664}
"""How much of a page as wide as that a picture shows: a desktop's window, or a phone's with its bars."""


@pytest.fixture(scope="session")
def picture() -> Callable[[Page, str], None]:
    """`picture(page, "lobby-dark")` keeps a picture of the page in the directory PICTURES names, if any.

    It shows what is on the first screen of a desktop or of a phone, else the window as it is.
    """

    def take(page: Page, name: str) -> None:
        directory, size = os.environ.get("PICTURES"), page.viewport_size
        if directory and size:
            width, height = size["width"], size["height"]
            page.set_viewport_size({"width": width, "height": SCREENS.get(width, height)})
            page.screenshot(path=Path(directory) / f"{name}.png")
            page.set_viewport_size(size)

    return take
