"""Reads `Accept-Encoding`, for everything that compresses."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_header_parameters

HEADER = "HTTP_ACCEPT_ENCODING"
ALIASES = {"x-gzip": "gzip"}


def accepted(header: str) -> list[str]:
    """The codings that an `Accept-Encoding` names and does not refuse by `q=0` (RFC 9110, 12.5.3).

    `*` names none: what is not compressed suits everybody. So `*;q=0` refuses nothing that is named.
    """
    codings = []
    for element in header.split(","):
        name, parameters = parse_header_parameters(element.strip())
        if name not in ("", "*", "identity") and _weight(parameters.get("q", "1")) > 0:
            codings.append(ALIASES.get(name, name))
    return codings


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


class AcceptedCodings:
    """Middleware: leaves only `accepted` codings in the header.

    WhiteNoise, Django and our own code look for a name in it, whatever its weight.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Replace the header, before anything reads it."""
        if HEADER in request.META:
            request.META[HEADER] = ", ".join(accepted(request.META[HEADER]))
        return self._get_response(request)
