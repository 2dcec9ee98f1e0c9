"""Pictures of positions. They do not depend on the session, so proxies can cache them."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from hashlib import sha256
from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from games.computers.pool import Busy
from games.domain.refusals import UnknownMatch
from games.net.limits import limiter, network_of
from games.net.threads import in_thread
from games.share import drawing, link_previews
from games.share.painter import painter
from games.watch.positions import Position, position_of
from games.watch.visibility import PlayersOnly

FOR_EVER = "public, max-age=31536000, immutable"
ASK_EACH_TIME = "public, no-cache"

_paintings = limiter(settings.PICTURE_LIMIT)


@require_safe
def svg(request: HttpRequest, match_id: str, ply: int | None = None) -> HttpResponse:
    """A position of a match, by default the last one, as an SVG document."""
    shown = _shown(match_id, ply)
    if isinstance(shown, HttpResponse):
        return shown
    content = drawing.picture(
        shown.game.slug, shown.state, shown.outcome, link_previews.picture_title(shown.game, shown.ply)
    )
    response = HttpResponse(content, content_type="image/svg+xml")
    return _kept(request, shown, content, response)


@require_safe
async def png(request: HttpRequest, match_id: str, ply: int | None = None) -> HttpResponse:
    """A position on a preview card as PNG, for sites that do not accept SVG."""
    shown = await in_thread(_shown)(match_id, ply)
    if isinstance(shown, HttpResponse):
        return shown
    content = drawing.card(shown.game.slug, shown.state, shown.outcome)
    known = _kept(request, shown, content, HttpResponse(content_type="image/png"))
    if known.status_code == HTTPStatus.NOT_MODIFIED:
        return known
    return await painted(request, content, known)


async def painted(request: HttpRequest, content: str, response: HttpResponse) -> HttpResponse:
    """The response with an SVG document rendered to PNG; 429 or 503 if there are too many requests."""
    if not _paintings.take(network_of(request), time.monotonic()):
        return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS, headers=settings.PICTURE_LIMIT.retry_after)
    try:
        response.content = await painter.png(content)
    except Busy:
        return HttpResponse(status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": "10"})
    return response


def _shown(match_id: str, ply: int | None) -> Position | HttpResponse:
    try:
        return position_of(match_id, ply, datetime.now(UTC))
    except PlayersOnly:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    except UnknownMatch as error:
        raise Http404 from error


def _kept(request: HttpRequest, shown: Position, content: str, response: HttpResponse) -> HttpResponse:
    """The response with its cache headers; 304 if the client has the current version."""
    response["ETag"] = f'"{sha256(content.encode()).hexdigest()[:32]}"'
    response["Cache-Control"] = FOR_EVER if shown.fixed else ASK_EACH_TIME
    known = get_conditional_response(request, etag=response["ETag"], response=response)
    assert isinstance(known, HttpResponse)
    return known
