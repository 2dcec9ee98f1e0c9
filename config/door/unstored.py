"""The pages of what went wrong. A store that is away or full is told in plain words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import get_template
from django.utils import translation
from django.views import defaults
from django.views.decorators.csrf import requires_csrf_token

from games.store.disk import disk, is_full

Page = Callable[..., HttpResponse]


def leaving_its_form(page: Page) -> Page:
    """The page does without the form that was sent there, which may be none that could be read."""

    @wraps(page)
    def shown(request: HttpRequest, **named: Exception) -> HttpResponse:
        request.csrf_processing_done = True  # type: ignore[attr-defined]
        return page(request, **named)

    return shown


@leaving_its_form
@requires_csrf_token
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What whoever asks for something that is not there is answered."""
    return defaults.page_not_found(request, exception)


@leaving_its_form
@requires_csrf_token
def something_failed(request: HttpRequest) -> HttpResponse:
    """What any page or form is answered that failed, as Django asks for it where the error is at hand."""
    error = sys.exc_info()[1]
    if isinstance(error, OperationalError | InterfaceError):
        return _unstored(error)
    return defaults.server_error(request)


@leaving_its_form
@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What a request is answered that is none; Django takes a session for that which was not stored."""
    if isinstance(exception, SessionInterrupted) and is_full(exception):
        return _unstored(exception)
    # A host that is not ours is refused before the reader's language is known.
    with translation.override(translation.get_language_from_request(request)):
        return defaults.bad_request(request, exception)


def _unstored(error: Exception) -> HttpResponse:
    disk.note(error)
    # Without the request: whoever sent it stands in the store.
    page = get_template("503.html").render({"full": is_full(error)})
    return HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": "5"})
