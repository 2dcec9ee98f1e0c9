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
    """Middleware: works on `REQUESTS_AT_ONCE` requests at a time; others wait for their turn.

    Django gives each request a thread. Hundreds of them share one interpreter with the event loop, so that
    sockets wait for seconds, and requests wait in vain for a connection of the pool.

    Half of the turns are for safe methods: pages do not wait behind the forms of a crowd. A stream counts
    only until it begins. Static files and health probes are answered before this middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        half = max(1, settings.REQUESTS_AT_ONCE // 2)
        self._reading, self._writing = threading.Semaphore(half), threading.Semaphore(half)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        turns = self._reading if request.method in SAFE_METHODS else self._writing
        if not turns.acquire(timeout=WAIT_SECONDS):
            return unavailable()
        try:
            return self._get_response(request)
        finally:
            turns.release()
