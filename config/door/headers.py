"""What every answer tells browsers and programs beside what Django has them told."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

UNUSED = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer"),
    *("microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"),
)
"""What pages may never ask a device for, whatever got into them."""
FOR_OTHER_SITES = (".svg", ".png")
"""Ends of addresses, below that of matches, of pictures that other sites show."""


NO_DOCUMENTS = ("text/css", "text/javascript")
"""Types of what never is a page, nor part of one that could ask for a feature: a policy would only weigh."""


RETRY_SECONDS = "60"
"""When to come back who was refused for asking too often, where nothing closer is known: most limits refill
within that.
"""


class BrowserHeaders:
    """Middleware: no device features, and nothing of this site inside of others, but for pictures."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._policy = ", ".join(f"{feature}=()" for feature in UNUSED)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if not response.headers.get("Content-Type", "").startswith(NO_DOCUMENTS):
            response.headers.setdefault("Permissions-Policy", self._policy)
        picture = request.path_info.startswith("/m/") and request.path_info.endswith(FOR_OTHER_SITES)
        policy = "cross-origin" if picture else "same-origin"
        response.headers.setdefault("Cross-Origin-Resource-Policy", policy)
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            response.headers.setdefault("Retry-After", RETRY_SECONDS)
        return response
