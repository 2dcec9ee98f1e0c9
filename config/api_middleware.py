"""Middleware of the HTTP API: authentication, rate limits, and errors as problem documents."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from games.api.access import ANONYMOUS, BadToken, Caller, identify
from games.api.problems import CONTENT_TYPE, of_error, problem
from games.domain.refusals import Refused, SavingUnavailable
from games.net.limits import Bucket, Buckets, network_of
from games.rules.base import gettext_noop
from games.store.disk import unstored

PATH = "/api/"
BURST_SECONDS = 10
"""How many seconds of unused requests a token may save up."""


LARGEST_BODY = 128 * 1024
"""Bytes of a body. Bodies of asynchronous views are parsed in the event loop."""


class Malformed(Refused):
    """The request could not be parsed."""

    code, status = "malformed", 400
    sentence = gettext_noop("The server does not understand this request.")


class NotFound(Refused):
    """No route has this path."""

    code, status = "not-found", 404
    sentence = gettext_noop("Page not found.")


class WrongMethod(Refused):
    """The route does not have this method."""

    code, status = "method", 405
    sentence = gettext_noop("This address does not allow this method.")


class TooLarge(Refused):
    """The body is larger than the route allows."""

    code, status = "too-large", 413
    sentence = gettext_noop("This request is too large.")


class Internal(Refused):
    """An exception that no code has foreseen; it is logged."""

    code, status = "internal", 500
    sentence = gettext_noop("Something went wrong on our side. We have logged the error.")


class TooManyRequests(Refused):
    """The user or the network is above a rate limit; `seconds` until the next request is accepted."""

    code, status = "too-many-requests", 429
    sentence = gettext_noop("Too many requests. Try again in %(seconds)d s.")

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds=seconds)
        self.headers = {"Retry-After": str(seconds)}


BY_STATUS = {
    each.status: each for each in (Malformed, NotFound, WrongMethod, TooLarge, Internal, SavingUnavailable)
}
"""Errors raised outside the API's own views, by status."""


class Allowance(NamedTuple):
    """The state of a rate limit.

    `reset` and `wait` are the seconds until all requests, and until one, are available.
    """

    limit: int
    remaining: int
    reset: int
    wait: int

    @classmethod
    def of(cls, bucket: Bucket) -> Allowance:
        """The state of a token bucket, rounded to whole requests and seconds."""
        missing = (bucket.burst - bucket.tokens) / bucket.rate
        next_one = max(0.0, 1 - bucket.tokens) / bucket.rate
        return cls(int(bucket.burst), int(bucket.tokens), math.ceil(missing), math.ceil(next_one))

    def headers(self) -> dict[str, str]:
        """The headers of draft-ietf-httpapi-ratelimit-headers, in the form of its first drafts."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset),
        }


class ApiMiddleware:
    """Middleware for everything below `PATH`.

    Cookies are removed: pages of other sites must not act with them.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._buckets = Buckets(settings.API_RATE, settings.API_RATE * BURST_SECONDS)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle requests below `PATH`, without cookies and in the language they ask for."""
        if not request.path_info.startswith(PATH):
            return self._get_response(request)
        request.META.pop("HTTP_COOKIE", None)
        with translation.override(translation.get_language_from_request(request)):
            return self._let_in(request)

    def _let_in(self, request: HttpRequest) -> HttpResponse:
        refused = None
        try:
            caller = identify(request)
        except BadToken as error:
            # Clients that try out tokens are counted by address.
            caller, refused = ANONYMOUS, of_error(error)
        except (InterfaceError, OperationalError) as error:
            return of_error(unstored(error))
        bucket = self._bucket(request, caller)
        if not bucket.take(time.monotonic()):
            refused = of_error(TooManyRequests(Allowance.of(bucket).wait))
        elif _is_too_large(request):
            refused = of_error(TooLarge())
        response = refused or _as_problem(self._get_response(request))
        if settings.API_RATE:
            for name, value in Allowance.of(bucket).headers().items():
                response.headers[name] = value
        return response

    def _bucket(self, request: HttpRequest, caller: Caller) -> Bucket:
        address = network_of(request)
        key = f"address {address}" if caller.token is None else f"token {caller.token}"
        return self._buckets.of(key, time.monotonic())


def _is_too_large(request: HttpRequest) -> bool:
    try:
        return len(request.body) > LARGEST_BODY
    except RequestDataTooBig:
        return True


def _as_problem(response: HttpResponse) -> HttpResponse:
    """The response as a problem document, unless it is one already."""
    if response.status_code < 400 or response.headers.get("Content-Type") == CONTENT_TYPE:
        return response
    refusal = BY_STATUS.get(response.status_code, Malformed)()
    kept = {name: response.headers[name] for name in ("Allow", "Retry-After") if name in response.headers}
    return problem(response.status_code, refusal.code, refusal.words, kept)
