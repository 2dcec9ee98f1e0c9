"""Responses with pictures as PNG."""

from __future__ import annotations

import time
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.computers.pool import Busy
from games.net.limits import limiter, network_of
from games.share.painter import painter

_paintings = limiter(settings.PICTURE_LIMIT)


async def painted(request: HttpRequest, content: str, response: HttpResponse) -> HttpResponse:
    """The response with an SVG document rendered to PNG; 429 or 503 if there are too many requests."""
    if not _paintings.take(network_of(request), time.monotonic()):
        return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS, headers=settings.PICTURE_LIMIT.retry_after)
    try:
        response.content = await painter.png(content)
    except Busy:
        return HttpResponse(status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": "10"})
    return response
