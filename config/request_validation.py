"""Refuses malformed requests with 400 before any view sees them."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from channels.security.websocket import WebsocketDenier
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port
from django.views.defaults import bad_request

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

NUL = "\0"
"""PostgreSQL cannot store it in text, so any query with it would fail."""
UTF_8 = "utf-8"
PORT_DIGITS = 5
BACK = "next"
"""The parameter with the address to redirect to; allauth and Django parse it."""


class RequestValidation:
    """Middleware that refuses requests no view can read.

    These are NUL, numbers longer than Python reads, invalid ports, a `next` that is no address, and forms
    with files in another encoding than UTF-8.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer malformed requests with 400."""
        try:
            # First, because the error page reads the form.
            _check_encoding(request)
            _check_text(request.path_info, *request.COOKIES.values())
            _check_port(request.META.get("HTTP_HOST", ""))
            _check_fields(request.GET)
        except BadRequest as error:
            return bad_request(request, error)
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Any, *_arguments: Any) -> HttpResponse | None:
        """Check the form. Views with other content types read the body themselves."""
        if getattr(view, "csrf_exempt", False):
            return None
        try:
            _check_fields(request.POST)
            _check_text(*(file.name or "" for _, file in _pairs(request.FILES)))
        except BadRequest as error:
            return bad_request(request, error)
        return None


class WebSocketValidation:
    """The same for sockets, which have no forms and no redirects."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Deny malformed handshakes."""
        try:
            _check_text(scope["path"], *_values(scope))
        except BadRequest:
            denier: Any = WebsocketDenier()
            await denier(scope, receive, send)
            return
        await self._application(scope, receive, send)


def _values(scope: dict[str, Any]) -> Iterator[str]:
    for pair in parse_qsl(scope["query_string"].decode("latin-1")):
        yield from pair
    for name, value in scope["headers"]:
        if name == b"cookie":
            yield from parse_cookie(value.decode("latin-1")).values()


def _check_port(host: str) -> None:
    """Check the port: it is used in addresses with any number of digits, and compared only later."""
    _, port = split_domain_port(host)
    if len(port) > PORT_DIGITS:
        raise BadRequest("a port of too many digits")


def _check_encoding(request: HttpRequest) -> None:
    """Django decodes a form with files by any of Python's codecs, and some of them do not decode text."""
    named = request.content_params.get("charset", UTF_8) if request.content_params else UTF_8
    if request.content_type == "multipart/form-data" and named.lower() != UTF_8:
        # The error page reads the form as well.
        request.encoding = UTF_8
        raise BadRequest(f"a form in {named}")


def _check_fields(fields: QueryDict) -> None:
    for name, value in _pairs(fields):
        _check_text(name, value)
        if _is_too_long_a_number(value):
            raise BadRequest(f"{name} has too many digits")
        if name == BACK:
            _check_address(value)


def _pairs(fields: Any) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, values in fields.lists() for value in values)


def _check_text(*texts: str) -> None:
    if any(NUL in text for text in texts):
        raise BadRequest("a NUL byte")


def _is_too_long_a_number(value: str) -> bool:
    """Whether `int(value)` would raise ValueError because the number is too long."""
    if len(value) <= sys.get_int_max_str_digits():
        return False
    return value.strip().lstrip("+-").replace("_", "").isdecimal()


def _check_address(value: str) -> None:
    try:
        _ = urlsplit(value).port
    except ValueError:
        raise BadRequest(f"{BACK} is no address") from None
