"""Pictures of positions. They do not depend on the session, so proxies can cache them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from games.net.threads import in_thread
from games.share import drawing, link_previews
from games.share.drawing import CardWords
from games.share.painter import painted
from games.watch.positions import Position, position_of
from games.watch.visibility import PlayersOnly

FOR_EVER = "public, max-age=31536000, immutable"
ASK_EACH_TIME = "public, no-cache"
LATE = 70
"""The position of a finished match on its card, in per cent of its plies, as the last one may be empty."""


@require_safe
def svg(request: HttpRequest, match_id: str, ply: int | None = None) -> HttpResponse:
    """A position of a match, by default the last one, as an SVG document."""
    shown = _shown(match_id, ply)
    return shown if isinstance(shown, HttpResponse) else drawn(request, shown)


def drawn(request: HttpRequest, shown: Position) -> HttpResponse:
    """A position as an SVG document."""
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


@require_safe
async def result(request: HttpRequest, match_id: str) -> HttpResponse:
    """The preview card of a finished match as PNG: a late position, and the result."""
    shown = await in_thread(_late)(match_id)
    if isinstance(shown, HttpResponse):
        return shown
    position, words = shown
    content = drawing.card(position.game.slug, position.state, None, words)
    # Players may change their names.
    known = _kept(request, replace(position, fixed=False), content, HttpResponse(content_type="image/png"))
    if known.status_code == HTTPStatus.NOT_MODIFIED:
        return known
    return await painted(request, content, known)


def _late(match_id: str) -> tuple[Position, CardWords] | HttpResponse:
    """A late position of a finished match, and its result in words."""
    last = _shown(match_id, None)
    if isinstance(last, HttpResponse):
        return last
    if last.outcome is None:
        raise Http404
    late = _shown(match_id, last.ply * LATE // 100)
    return late if isinstance(late, HttpResponse) else (late, link_previews.result_words(last))


def _shown(match_id: str, ply: int | None) -> Position | HttpResponse:
    try:
        return position_of(match_id, ply, datetime.now(UTC))
    except PlayersOnly:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)


def _kept(request: HttpRequest, shown: Position, content: str, response: HttpResponse) -> HttpResponse:
    """The response with its cache headers; 304 if the client has the current version."""
    response["ETag"] = f'"{sha256(content.encode()).hexdigest()[:32]}"'
    response["Cache-Control"] = FOR_EVER if shown.fixed else ASK_EACH_TIME
    known = get_conditional_response(request, etag=response["ETag"], response=response)
    assert isinstance(known, HttpResponse)
    return known
