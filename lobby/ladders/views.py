"""The pages of the ladders of clubs. `lobby.ladders.ladders` decides."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.domain import clock, clock_words
from games.domain.options import preset_in_words, preset_of
from games.domain.refusals import Refused
from games.registry import GAMES
from lobby.clubs import lookup
from lobby.clubs.lookup import RANKS, Role
from lobby.clubs.models import Club
from lobby.clubs.refusals import ClubError
from lobby.http.idempotency import Act, command_of, without_fields
from lobby.http.user_request import UserRequest
from lobby.ladders import challenges, ladders
from lobby.ladders.forms import LadderForm
from lobby.ladders.ladders import Plan
from lobby.ladders.models import ClubLadder, LadderChallenge, Rung
from lobby.people.models import User
from lobby.ratings.rated import may_play_rated
from lobby.tables.models import Table

FIRST_GAME = next(iter(GAMES))
HISTORY = 30
"""Past challenges on the page of a ladder."""


class Place(NamedTuple):
    """A place, its player, and whether the reader can challenge them; `busy`: they are in a challenge."""

    rung: Rung
    within_reach: bool
    busy: bool


def shown(ladder: ClubLadder, reader: User | None) -> dict[str, Any]:
    """What `ladders/_ladder.html` shows of a ladder. `reader` is a member; None: others."""
    plan, game = Plan.of(ladder), GAMES[ladder.game]
    open_ones = list(challenges.of(ladder).filter(ended=None).order_by("due"))
    busy = {pk for each in open_ones for pk in (each.challenger_id, each.defender_id)}
    reach = set() if reader is None else ladders.may_challenge(ladder, reader.pk)
    rungs = list(ladder.rungs.select_related("user"))
    past = challenges.of(ladder).filter(ended__isnull=False).exclude(ending=LadderChallenge.Ending.WITHDRAWN)
    mine = None if reader is None else next((each for each in rungs if each.user_id == reader.pk), None)
    return {
        "ladder": ladder,
        "game_title": _(game.title),
        "preset": preset_in_words(game, preset_of(game, plan.options)),
        "clock": clock_words.in_words(plan.clock),
        "live": clock.parse(plan.clock).live,
        "places": [Place(each, each.user_id in reach, each.user_id in busy) for each in rungs],
        "mine": mine,
        "may_join": reader is not None and mine is None,
        "my_challenge": next(
            (each for each in open_ones if mine and mine.user_id in (each.challenger_id, each.defender_id)),
            None,
        ),
        "open_challenges": open_ones,
        "past": past[:HISTORY],
        "reach": ladders.REACH,
    }


@require_safe
def ladder(request: HttpRequest, club: str) -> HttpResponse:
    """The ladder of a club: places, open challenges, the last ones that are over."""
    found = lookup.at(club)
    mine = lookup.membership(found, request.user.pk)
    of_club = ladder_of(found)
    leads = mine is not None and RANKS[mine.role] >= RANKS[Role.ORGANISER]
    if of_club is None and not leads:
        raise Http404
    context = {
        "club": found,
        "leads": leads,
    }
    if of_club is not None:
        context |= shown(of_club, None if mine is None else mine.user)
    return render(request, "ladders/club.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: UserRequest, club: str) -> HttpResponse:
    """The form that sets up the ladder of a club, for its organisers; `?game=` chooses the game."""
    found, leader = lookup.at(club), request.user
    try:
        lookup.needs(found, leader, Role.ORGANISER)
    except ClubError as error:
        messages.error(request, error.words)
        return redirect(found)
    of_club = ladder_of(found)
    before = None if of_club is None else Plan.of(of_club)
    game = GAMES.get(request.GET.get("game", before.game if before else _first_of(found)))
    if game is None:
        raise Http404
    posted = request.POST if request.method == "POST" else None
    form = LadderForm(game, posted, casual=may_play_rated(leader), before=before)
    if form.is_valid():
        try:
            ladders.set_up(leader, found.pk, form.plan(), command_of(request))
            return redirect("club-ladder", found.slug)
        except Refused as error:
            form.refuse(error)
    context = {
        "club": found,
        "ladder": of_club,
        "form": form,
        "game": game,
        "games": [each for each in GAMES.values() if found.plays(each.slug)],
        "title": _(game.full_title),
    }
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return render(request, "ladders/edit.html", context, status=status)


@require_POST
@login_required
def act(request: UserRequest, club: str, act: str) -> HttpResponse:
    """What members and leaders do on the ladder of a club."""
    found = lookup.at(club)
    table = None
    try:
        table = ACTIONS[act](request, request.user, found.pk, command_of(request))
    except Refused as error:
        messages.error(request, error.words)
    if isinstance(table, Table):
        return redirect(table.match or table)
    return redirect("club-ladder", found.slug)


@require_POST
@login_required
def close(request: UserRequest, club: str) -> HttpResponse:
    """Delete the ladder of a club, as an organiser."""
    found = lookup.at(club)
    try:
        ladders.close(request.user, found.pk, command_of(request))
    except Refused as error:
        messages.error(request, error.words)
    return redirect(found)


def ladder_of(club: Club) -> ClubLadder | None:
    """The ladder of a club."""
    return ClubLadder.objects.filter(club=club).first()


def _first_of(club: Club) -> str:
    return next((slug for slug in GAMES if club.plays(slug)), FIRST_GAME)


def _challenge(request: HttpRequest, user: User, pk: str, command: str) -> None:
    ladders.challenge(user, pk, request.POST.get("name", ""), command)


def _accept(request: HttpRequest, user: User, pk: str, command: str) -> None:
    ladders.answer(user, pk, True, command)


def _decline(request: HttpRequest, user: User, pk: str, command: str) -> None:
    ladders.answer(user, pk, False, command)


ACTIONS: dict[str, Act] = {
    "join": without_fields(ladders.join),
    "leave": without_fields(ladders.leave),
    "challenge": _challenge,
    "withdraw": without_fields(ladders.withdraw),
    "accept": _accept,
    "decline": _decline,
    "play": without_fields(ladders.play),
}
"""Actions on a ladder, by the end of the URL."""
