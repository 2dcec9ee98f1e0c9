"""Tournaments on other sites: the card of a link, and the standings in a frame, for everybody alike."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from http import HTTPStatus

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import ResolverMatch, reverse
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games.registry import GAMES
from games.share.link_previews import FramedCard
from lobby.tournaments import tables, tournaments, visibility
from lobby.tournaments.models import Tournament
from lobby.tournaments.refusals import UnknownTournament
from lobby.tournaments.sheet import sheets
from lobby.tournaments.tables import Line

LEADERS = 3
"""Players of the standings that a card names."""
MAX_ROWS = 100
"""Lines of the standings in a frame."""
THEMES = ("light", "dark")
State = Tournament.State


def card_of(found: Tournament, lines: Sequence[Line], request: HttpRequest) -> FramedCard:
    """The card of a tournament: what is played and when, or who leads or has won.

    Args:
        lines: the standings, so far as there are any.
    """

    def whole(name: str, *arguments: object) -> str:
        return request.build_absolute_uri(reverse(name, args=arguments))

    address, game = whole("tournament", found.pk), GAMES[found.game]
    return FramedCard(
        title=found.title_in_words,
        description=_description(found, lines[:LEADERS]),
        address=address,
        image=whole("demonstration-card", found.game),
        picture=gettext(game.title),
        embed=whole("tournament-embed", found.pk),
        oembed=whole("oembed") + "?" + urlencode({"url": address, "format": "json"}),
    )


def card_at(page: ResolverMatch, request: HttpRequest) -> FramedCard | None:
    """The card of the tournament to whose page or frame an address leads; None for other addresses."""
    if page.url_name not in ("tournament", "tournament-embed"):
        return None
    try:
        found = visibility.find(page.kwargs["tournament_id"], None)
    except UnknownTournament:
        return None
    shown = sheets.cached(found)
    return card_of(found, tables.standings(shown.sheet, shown.standings), request)


def _description(found: Tournament, lines: Sequence[Line]) -> str:
    said = tables.described(found)
    terms = f"{said['game_title']}, {said['preset']} · {gettext(said['format'].title)} · {said['clock']}"
    if lines:
        leaders = ", ".join(
            f"{'–' if line.rank is None else line.rank}. {line.player.name} ({line.points})" for line in lines
        )
        return f"{terms} · {leaders}"
    if found.state == State.OPEN and found.starts is not None:
        starts = date_format(found.starts.astimezone(UTC), "DATETIME_FORMAT")
        return f"{terms} · {gettext('Starts:')} {starts} UTC"
    return terms


@require_safe
@xframe_options_exempt
def embed(request: HttpRequest, tournament_id: str) -> HttpResponseBase:
    """The standings and nothing else, kept up to date; `?theme=` is `light` or `dark`."""
    theme = request.GET.get("theme", "")
    framed = csp_replace({"frame-ancestors": settings.EMBED_ANCESTORS})
    return framed(lambda _: _embedded(tournament_id, theme if theme in THEMES else ""))(request)


def _embedded(tournament_id: str, theme: str) -> HttpResponse:
    try:
        found = visibility.find(tournament_id, None)
    except UnknownTournament as error:
        page = render_to_string("finished/embed_nothing.html", {"words": error.words})
        return HttpResponse(page, status=HTTPStatus.NOT_FOUND)
    shown = sheets.cached(found)
    context = {
        **tables.described(found),
        "theme": theme,
        "version": shown.version,
        "lines": tables.standings(shown.sheet, shown.standings[:MAX_ROWS]),
        "clubs": tables.clubs(shown.sheet, shown.standings),
        "number": shown.sheet.round,
        "entrants": tournaments.present(found).select_related("user").order_by("-rating")[:MAX_ROWS],
    }
    # Without the request: what a page says of whoever looks at it has no place here.
    page = render_to_string("tournaments/embed.html", context)
    return HttpResponse(page, headers={"Cache-Control": "no-cache"})
