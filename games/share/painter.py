"""Renders SVG to PNG in a separate process, as rendering blocks other threads."""

from __future__ import annotations

import time
from collections import OrderedDict
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.computers.pool import Busy, SerialPool
from games.net.limits import limiter, network_of
from games.net.process import process

_paintings = limiter(settings.PICTURE_LIMIT)

MOST_KEPT = 64
"""Maximum PNGs in the cache, about 100 kB each."""
MOST_WAITING = 8
"""Maximum queued PNGs; one takes 0.1 s. Below `PAGES_AT_ONCE`, so that other pages are served meanwhile."""


class Painter(SerialPool):
    """A process that renders PNGs, started on first use."""

    def __init__(self) -> None:
        super().__init__(MOST_WAITING)
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    async def png(self, svg: str) -> bytes:
        """Render an SVG document to PNG, in its own size. Raises `Busy`."""
        if svg not in self._kept:
            self._kept[svg] = await self.ask_in_line(paint, svg)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(svg)
        return self._kept[svg]


def paint(svg: str) -> bytes:
    """Render an SVG document to PNG. Call it in the painter's process only."""
    import resvg_py

    # The fonts are read each time: 10 ms that pictures without text need not wait.
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts="<text" not in svg))


painter = process.part(Painter)
"""The painter of this process."""


async def painted(request: HttpRequest, content: str, response: HttpResponse) -> HttpResponse:
    """The response with an SVG document rendered to PNG; 429 or 503 if there are too many requests."""
    if not _paintings.take(network_of(request), time.monotonic()):
        return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS, headers=settings.PICTURE_LIMIT.retry_after)
    try:
        response.content = await painter.png(content)
    except Busy:
        return HttpResponse(status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": "10"})
    return response
