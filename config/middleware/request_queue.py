"""A queue for requests: a crowd starves neither the event loop nor the pool of database connections."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.error_views import unavailable

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
WAIT_SECONDS = 50.0
"""How long a request waits for its turn; proxies wait 60 s for its answer."""


class RequestQueue:
    """Middleware: works on `PAGES_AT_ONCE` and `FORMS_AT_ONCE` requests at a time; others wait their turn.

    Django gives each request a thread. Hundreds of them share one interpreter with the event loop, so that
    sockets wait for seconds, and requests wait in vain for a connection of the pool.

    Safe methods have turns of their own: pages do not wait behind the forms of a crowd. A stream counts only
    until it begins. Static files and health probes are answered before this middleware. Views that wait for
    another process must leave some turns to others (`games.share.painter`, `games.finished.checker`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._pages = threading.Semaphore(settings.PAGES_AT_ONCE)
        self._forms = threading.Semaphore(settings.FORMS_AT_ONCE)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        turns = self._pages if request.method in SAFE_METHODS else self._forms
        if not turns.acquire(timeout=WAIT_SECONDS):
            return unavailable()
        try:
            return self._get_response(request)
        finally:
            turns.release()
