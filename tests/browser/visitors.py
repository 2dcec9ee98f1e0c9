"""Visitors whose pages are kept: to open a new one costs twice the processor's time of cleaning one.

A page whose test is over goes to a page of text on its site, forgets who visited, and waits for a test that
asks for one with the same options. What cannot be taken back closes it instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from playwright.sync_api import Error as PlaywrightError

from tools.harness.patience import patience

LASTING = {
    Page: ("clock", "expose_binding", "expose_function", "on", "once", "route", "route_web_socket"),
    BrowserContext: (
        *(
            "add_init_script",
            "clock",
            "expose_binding",
            "expose_function",
            "grant_permissions",
            "new_cdp_session",
        ),
        *("route", "route_web_socket", "set_extra_http_headers", "set_geolocation", "set_offline"),
    ),
}
"""What a test may do to a page that stays with it for good."""
WINDOW: ViewportSize = {"width": 1280, "height": 720}
"""What Playwright opens unless it is told otherwise."""
MOST = 6
"""So many wait at the same time."""

NO_WORKER = "delete Navigator.prototype.serviceWorker"
"""A browser without service workers: what they fetch beside the pages is the subject of few tests."""
FORGET = "localStorage.clear(), sessionStorage.clear()"


@dataclass(slots=True, eq=False)
class Visitor:
    """A page alone in its context."""

    options: dict[str, Any]
    page: Page
    scripts: list[Any] = field(default_factory=list)
    is_spoilt: bool = False

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def clean(self) -> None:
        """Leave the page as one that nobody has used, or raise Playwright's error."""
        for page in self.context.pages:
            if page != self.page:
                page.close()
        for script in self.scripts:
            script.close()
        self.scripts.clear()
        # A page of the same site, which keeps its process, and a page without a script.
        answer = self.page.goto(f"{self.options['base_url']}/healthz", timeout=patience(5) * 1000)
        if answer is None or not answer.ok:
            raise PlaywrightError("the server is not there")
        self.page.evaluate(FORGET)
        self.context.clear_cookies()
        self.page.mouse.move(-10, -10)
        self.page.emulate_media(
            color_scheme=self.options.get("color_scheme", "light"),
            reduced_motion=self.options.get("reduced_motion", "no-preference"),
        )
        self.page.set_viewport_size(self.options.get("viewport", WINDOW))


class Visitors:
    """The visitors of this browser, and the pages that wait for the next one."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._here: list[Visitor] = []
        self._waiting: list[Visitor] = []

    def come(self, **options: Any) -> Page:
        """A page of somebody who comes for the first time."""
        key = json.dumps(options, sort_keys=True)
        for visitor in reversed(self._waiting):
            if json.dumps(visitor.options, sort_keys=True) == key:
                self._waiting.remove(visitor)
                break
        else:
            context = self._browser.new_context(**options)
            context.add_init_script(NO_WORKER)
            visitor = Visitor(options, context.new_page())
        self._here.append(visitor)
        return visitor.page

    def all_leave(self) -> None:
        """Clean the pages of everybody, and keep them if that can be done."""
        while self._here:
            visitor = self._here.pop()
            if visitor.is_spoilt or not self._cleaned(visitor):
                visitor.context.close()
            else:
                self._waiting.append(visitor)
        while len(self._waiting) > MOST:
            self._waiting.pop(0).context.close()

    def _cleaned(self, visitor: Visitor) -> bool:
        try:
            visitor.clean()
        # It may be closed, or its server gone.
        except PlaywrightError:
            return False
        return True

    def of(self, context: BrowserContext) -> Visitor | None:
        return next((visitor for visitor in self._here if visitor.context == context), None)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note what tests do to pages that would outlast them."""
        before = [(kind, name, getattr(kind, name)) for kind, names in LASTING.items() for name in names]
        for kind, name, member in before:
            is_asked_for = isinstance(member, property)
            spoiling = property(self._spoiling(member.fget)) if is_asked_for else self._spoiling(member)
            setattr(kind, name, spoiling)
        add = Page.add_init_script
        Page.add_init_script = self._taken_back(add)
        yield
        Page.add_init_script = add
        for kind, name, member in before:
            setattr(kind, name, member)

    def _spoiling(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def noted(at: Page | BrowserContext, *arguments: Any, **options: Any) -> Any:
            visitor = self.of(at.context if isinstance(at, Page) else at)
            if visitor is not None:
                visitor.is_spoilt = True
            return method(at, *arguments, **options)

        return noted

    def _taken_back(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def noted(page: Page, *arguments: Any, **options: Any) -> Any:
            script = method(page, *arguments, **options)
            visitor = self.of(page.context)
            if visitor is not None and page == visitor.page:
                visitor.scripts.append(script)
            return script

        return noted
