"""Headers of every response: security policies, and `Retry-After`."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

UNUSED = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer"),
    *("microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"),
)
"""Device features that no page may use, also after an injection."""
FOR_OTHER_SITES = (".svg", ".png")
"""Suffixes of match pictures, which other sites may embed."""

PAGE = "text/html"
"""The content type of what can use the device or open windows."""

RETRY_SECONDS = "60"
"""`Retry-After` of a 429 that has none: most limits refill within that."""


class BrowserHeaders:
    """Middleware: no device features for pages, and nothing of this site embedded in others but pictures."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._policy = ", ".join(f"{feature}=()" for feature in UNUSED)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add the headers to the response."""
        response = self._get_response(request)
        if response.headers.get("Content-Type", "").startswith(PAGE):
            response.headers.setdefault("Permissions-Policy", self._policy)
        else:
            # Django sends it with everything.
            response.headers.pop("Cross-Origin-Opener-Policy", None)
        picture = request.path_info.startswith("/m/") and request.path_info.endswith(FOR_OTHER_SITES)
        policy = "cross-origin" if picture else "same-origin"
        response.headers.setdefault("Cross-Origin-Resource-Policy", policy)
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            response.headers.setdefault("Retry-After", RETRY_SECONDS)
        return response
