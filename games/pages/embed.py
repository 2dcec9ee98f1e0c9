"""Embedded boards: the page in the frame, and its oEmbed endpoint (https://oembed.com).

Both are the same for all readers. The page shows public data only, so any site may frame it, unless the host
of this site restricts that; no other page may be framed.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import urlsplit

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.translation import gettext
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games.domain import codec, texts
from games.domain.refusals import UnknownMatch
from games.share import link_previews
from games.store import history
from games.watch.positions import Position, position_of
from games.watch.visibility import PlayersOnly

CACHE_SECONDS = 3600
ASK_EACH_TIME, FOR_A_WHILE = "no-cache", "public, max-age=300"
"""`Cache-Control` of matches in play and of finished ones, in which only the players' names may change."""


@require_safe
@xframe_options_exempt
def embed(request: HttpRequest, match_id: str) -> HttpResponseBase:
    """The board of a match without the rest of the page: live, or as a replay once the match is over."""
    framed = csp_replace({"frame-ancestors": settings.EMBED_ANCESTORS})
    return framed(lambda _: _embedded(match_id))(request)


def _embedded(match_id: str) -> HttpResponse:
    try:
        shown = position_of(match_id, None, datetime.now(UTC))
    except (PlayersOnly, UnknownMatch) as error:
        return _nothing(error.words, error.status)
    context = {
        "shown": shown,
        "game": shown.game,
        "title": link_previews.title_of(shown),
        "score": None if shown.outcome is None else _score(shown),
    }
    # Render without the request: the page must not depend on the reader.
    page = render_to_string("finished/embed.html", context)
    if not shown.fixed:
        return HttpResponse(page, headers={"Cache-Control": ASK_EACH_TIME})
    # The language is the reader's choice on this site, so caches must not mix languages.
    return HttpResponse(page, headers={"Cache-Control": FOR_A_WHILE, "Vary": "Cookie"})


def _score(shown: Position) -> dict[str, object]:
    """The data for the replay of a finished match."""
    outcome = asdict(shown.outcome) if shown.outcome else None
    start, *plies = codec.plain(history.positions(shown.match_id))
    return {"players": shown.names, "outcome": outcome, "start": start["state"], "plies": plies}


def _nothing(words: str, status: int) -> HttpResponse:
    page = render_to_string("finished/embed_nothing.html", {"words": words})
    return HttpResponse(page, status=status)


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """The oEmbed response for the URL of a match or of another page with a frame.

    The errors are those of the specification.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=HTTPStatus.NOT_IMPLEMENTED)
    page = _page_at(request.GET.get("url", ""), request.get_host())
    width, height = link_previews.FRAME
    room = _room(request, "maxwidth", width), _room(request, "maxheight", height)
    if page is None:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    if 0 in room:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    try:
        card = _card_at(page, request)
    except PlayersOnly:
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    if card is None:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    return JsonResponse(_offered(card, room, request), headers={"Access-Control-Allow-Origin": "*"})


def _page_at(address: str, host: str) -> ResolverMatch | None:
    """Resolve a URL of this site; None for other sites and unknown paths."""
    try:
        parts = urlsplit(address)
        found = resolve(parts.path)
    except (ValueError, Resolver404):
        return None
    return found if parts.scheme in ("http", "https") and parts.netloc == host else None


def _card_at(page: ResolverMatch, request: HttpRequest) -> link_previews.FramedCard | None:
    """The card of a page that has a frame, or of the frame itself. Raises `PlayersOnly`."""
    if page.url_name not in ("match", "embed"):
        return next(filter(None, link_previews.framed_pages(page, request)), None)
    try:
        shown = position_of(page.kwargs["match_id"], None, datetime.now(UTC))
    except UnknownMatch:
        return None
    return link_previews.card_of(shown, request)


def _room(request: HttpRequest, name: str, usual: int) -> int:
    """The maximum width or height in pixels from the query, by default `usual`; 0 if it is not a number."""
    return min(usual, texts.number(request.GET.get(name, str(usual))))


def _offered(
    card: link_previews.FramedCard, room: tuple[int, int], request: HttpRequest
) -> dict[str, object]:
    width, height = room
    offered: dict[str, object] = {
        "version": "1.0",
        "type": "rich",
        "title": card.title,
        "provider_name": gettext("Parlour"),
        "provider_url": request.build_absolute_uri("/"),
        "cache_age": CACHE_SECONDS,
        "html": card.frame(width, height),
        "width": width,
        "height": height,
    }
    if "maxwidth" not in request.GET and "maxheight" not in request.GET:
        # Leave the thumbnail out if it does not fit into the maximum size.
        offered |= {
            "thumbnail_url": card.image,
            "thumbnail_width": card.width,
            "thumbnail_height": card.height,
        }
    return offered
