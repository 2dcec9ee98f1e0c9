"""The form that begins a hot-seat match. `lobby.tables.one_board` decides."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_POST

from games.domain.refusals import Refused
from games.net.limits import limiter, network_of
from games.registry import GAMES
from lobby.people.models import User
from lobby.tables import one_board as service
from lobby.tables.forms import one_board
from lobby.tables.forms.one_board import BoardForm
from lobby.tables.refusals import TooManyBoards
from lobby.tables.views.new import begin_at, begin_or_show, says_if_unstored, show_form

begun = limiter(settings.BOARD_LIMIT)
"""Rate limit of hot-seat matches per network: they need no opponent, so nothing else slows them."""


@says_if_unstored
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, game: str) -> HttpResponse:
    """The form as last sent; a POST begins the match."""
    if game not in GAMES:
        raise Http404
    if request.method == "POST":
        return _begin(request, BoardForm(GAMES[game], request.POST))
    form = one_board.remembered(request.session, GAMES[game])
    begin_at(request, form)
    return _show(request, form)


@require_POST
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    """Begin a match with the last values, with one click."""
    if game not in GAMES:
        raise Http404
    return _begin(request, one_board.at_once(request.session, GAMES[game]))


def _begin(request: HttpRequest, form: BoardForm) -> HttpResponse:
    """Begin the match of a valid form and remember its values, or show the form with its errors."""
    if not begun.take(network_of(request), time.monotonic()):
        raise TooManyBoards

    def begin(holder: User) -> Any:
        start = form.cleaned_data["position"]
        match = service.play(holder, form.game.slug, form.options(), form.names(), start)
        if start is None:
            one_board.remember(request.session, form)
        return match

    return begin_or_show(request, form, begin, lambda failure: _show(request, form, failure))


def _show(request: HttpRequest, form: BoardForm, failure: Refused | None = None) -> HttpResponse:
    return show_form(request, "forms/one_board.html", form, failure)
