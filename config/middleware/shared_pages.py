"""Pages that a proxy may answer for a second: those of visitors without cookies."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers, set_response_etag

SHARED = "s-maxage"
"""The directive with which a view lets proxies answer (`games.net.shared_pages`)."""
PERSONAL = "private, no-cache"


class SharedPages:
    """Middleware: a page is shared only if no cookie came with the request and none goes with the response.

    A session, a chosen language and a message for the next page all need a cookie. Without any, a page
    depends on its URL and the browser's languages only. Its ETag lets browsers have a 304.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Keep the page from proxies, or give it an ETag."""
        response = self._get_response(request)
        if SHARED not in response.headers.get("Cache-Control", "") or not isinstance(response, HttpResponse):
            return response
        patch_vary_headers(response, ["Cookie"])
        if request.COOKIES or response.cookies or response.status_code != HTTPStatus.OK:
            response.headers["Cache-Control"] = PERSONAL
            return response
        set_response_etag(response)
        return get_conditional_response(request, response.headers["ETag"], response=response) or response
