"""Error pages. A database that is down or full is explained in plain words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import get_template
from django.utils import translation
from django.views import defaults
from django.views.decorators.csrf import requires_csrf_token

from games.domain.refusals import Refused
from games.store.disk import disk, is_full
from lobby.http.too_many import too_many as too_many_page

View = Callable[..., HttpResponse]


def without_form(view: View) -> View:
    """Keep Django from reading the form of the request, which may be malformed."""

    @wraps(view)
    def wrapped(request: HttpRequest, **options: Exception) -> HttpResponse:
        request.csrf_processing_done = True  # type: ignore[attr-defined]
        return view(request, **options)

    return wrapped


@without_form
@requires_csrf_token
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """`handler404`."""
    return defaults.page_not_found(request, exception)


@without_form
@requires_csrf_token
def server_error(request: HttpRequest) -> HttpResponse:
    """`handler500`. Django calls it while the exception is handled."""
    error = sys.exc_info()[1]
    if isinstance(error, OperationalError | InterfaceError):
        return _unavailable(error)
    return defaults.server_error(request)


@without_form
@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """`handler400`. Django also calls it for a session that could not be stored."""
    if isinstance(exception, SessionInterrupted) and is_full(exception):
        return _unavailable(exception)
    # An unknown host is refused before the reader's language is known.
    with translation.override(translation.get_language_from_request(request)):
        return defaults.bad_request(request, exception)


def unavailable(*, full: bool = False) -> HttpResponse:
    """A 503 that says to try again, for a server that is too busy or whose database does not answer.

    Args:
        full: the disk of the database is full.
    """
    # Without the request: its user would be read from the database.
    page = get_template("503.html").render({"full": full})
    return HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": "5"})


def too_many(error: Refused) -> HttpResponse:
    """A 429 for a user or an address whose requests have cost too much, which costs little itself."""
    page = get_template("429.html").render({"sentence": error.words})
    return HttpResponse(page, status=HTTPStatus.TOO_MANY_REQUESTS, headers=error.headers)


class RefusalPages:
    """Middleware for refusals that no view catches: what is not found, and exceeded rate limits."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Change nothing about the response."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page for a refusal with status 404 or 429; any other is a fault of the view."""
        if not isinstance(error, Refused):
            return None
        if error.status == HTTPStatus.NOT_FOUND:
            raise Http404 from error
        return too_many_page(request, error) if error.status == HTTPStatus.TOO_MANY_REQUESTS else None


def _unavailable(error: Exception) -> HttpResponse:
    disk.note(error)
    return unavailable(full=is_full(error))
