"""Tells a page that was open during an upgrade that it asks for what the site no longer has."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from games.domain.refusals import Refused
from games.pages.json_response import refusal_response
from games.rules.base import gettext_noop

JSON = "application/json"
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)


class OutdatedPage(Refused):
    """A page asks for something at an address, or by a method, that the site does not have."""

    code, status = "outdated", HTTPStatus.NOT_FOUND
    sentence = gettext_noop("This page is out of date. Reload it.")


class OutdatedPages:
    """Middleware: requests of pages for JSON, as static/net/json.js sends them, are refused in words.

    Pages show the sentence of a refusal. Without one they would say that the server cannot be reached.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer by the sentence, unless a view has refused the request in its own words."""
        response = self._get_response(request)
        is_told = response.headers.get("Content-Type", "").startswith(JSON)
        if response.status_code not in GONE or request.headers.get("Accept") != JSON or is_told:
            return response
        allowed = {name: response.headers[name] for name in ("Allow",) if name in response.headers}
        return refusal_response(OutdatedPage(), response.status_code, allowed)
