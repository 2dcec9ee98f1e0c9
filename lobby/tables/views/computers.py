"""The form that begins a match against computer players. `lobby.tables.solo` decides."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_POST

from games.domain.refusals import Refused
from games.net.limits import network_of
from games.registry import GAMES
from lobby.pairing import offer
from lobby.people.models import User
from lobby.ratings import results
from lobby.tables import computers as seating
from lobby.tables import solo, table_template
from lobby.tables.forms import computers
from lobby.tables.forms.computers import ComputerForm
from lobby.tables.views.new import begin_at, begin_or_show, says_if_unstored, show_form


@says_if_unstored
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, game: str = "") -> HttpResponse:
    """The form, by default for the last game; a POST begins the match."""
    if game and game not in GAMES:
        raise Http404
    if request.method == "POST":
        return _begin(request, ComputerForm(GAMES[game], request.POST) if game else None)
    form = _form(request, game)
    begin_at(request, form)
    return _show(request, form)


@require_POST
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    """Begin a match against the suggested opponent with one click."""
    if game not in GAMES:
        raise Http404
    near = offer.level_for(request.user.pk, GAMES[game])
    form = computers.at_once(request.session, GAMES[game], near, results.is_newcomer(request.user))
    return _begin(request, form, remember=False)


def _form(request: HttpRequest, game: str) -> ComputerForm:
    """The form, filled in from the match `?like=`, or as last sent with the level `?level=`."""
    plan = table_template.plan_like(request.GET["like"], request.user.pk) if "like" in request.GET else None
    if plan is not None and plan.game == game:
        return ComputerForm(GAMES[game], like=plan)
    form = computers.remembered(request.session, game)
    if request.GET.get("level", "") in dict(form.fields["level"].choices):  # type: ignore[attr-defined]
        form.initial["level"] = request.GET["level"]
    return form


def _begin(request: HttpRequest, form: ComputerForm | None, remember: bool = True) -> HttpResponse:
    """Begin the match of a valid form and remember its values, or show the form with its errors."""
    if form is None:
        raise Http404
    if form.is_valid():
        seating.check_seatings(network_of(request))

    def begin(person: User) -> Any:
        match = solo.play(person, form.plan())
        if remember and form.start is None:
            computers.remember(request.session, form)
        return match

    return begin_or_show(request, form, begin, lambda failure: _show(request, form, failure))


def _show(request: HttpRequest, form: ComputerForm, failure: Refused | None = None) -> HttpResponse:
    return show_form(request, "forms/play_computer.html", form, failure)
