"""The pages of evenings: for hosts and for guests. `lobby.evenings` decides."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from games.domain import clock_words, texts
from games.domain.refusals import Refused
from games.net.limits import network_of
from games.registry import GAMES
from games.share import addresses
from lobby.accounts import guests
from lobby.accounts.guests import NameTaken, TooManyGuests, TooManyNames
from lobby.evenings import codes, erasure, evenings
from lobby.evenings.forms import OpenForm, PlanForm
from lobby.evenings.models import Evening
from lobby.evenings.refusals import BadPlan, NotHost, RemovedByHost, TooManyTries, UnknownEvening
from lobby.front.views import too_many_guests
from lobby.http.idempotency import Act, command_of, once_for_visitor, without_fields
from lobby.people import naming
from lobby.people.models import User
from lobby.tournaments import entries, tables, visibility
from lobby.tournaments.formats.base import Kind, Pairing
from lobby.tournaments.formats.words import WORDS
from lobby.tournaments.models import Tournament
from lobby.tournaments.sheet import Sheet, sheets


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Host an evening, or enter the code of one (`?code=`)."""
    if "code" in request.GET:
        code = codes.normal(request.GET["code"])
        return redirect("evening", code) if code else redirect("evenings")
    return _home(request, _open_form(request))


def _open_form(request: HttpRequest, data: QueryDict | None = None) -> OpenForm:
    return OpenForm(data, is_visitor=not request.user.is_authenticated)


def _home(
    request: HttpRequest, form: OpenForm, problem: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    context = {"form": form, "problem": problem, "mine": evenings.hosted_by(request.user)}
    return render(request, "evenings/evenings.html", context, status=status)


@require_POST
def open_evening(request: HttpRequest) -> HttpResponse:
    """Open an evening; a visitor becomes a guest."""
    form = _open_form(request, request.POST)
    if not form.is_valid():
        return _home(request, form, status=HTTPStatus.BAD_REQUEST)
    asked = form.cleaned_data

    def begin() -> tuple[User, Evening]:
        name = asked.get("name", "")
        host = _guest(request, name) if name else guests.person(request)
        command = command_of(request)
        return host, evenings.open_evening(host, asked["game"], asked["minutes"], command, asked["title"])

    try:
        host, opened = once_for_visitor(request, begin)
    except TooManyGuests:
        return too_many_guests(request)
    except ValidationError as error:
        form.add_error(None, error)
        return _home(request, form, status=HTTPStatus.BAD_REQUEST)
    except Refused as error:
        form.add_error(None, error.words)
        return _home(request, form, status=HTTPStatus.BAD_REQUEST)
    guests.remember(request, host)
    return redirect("evening", opened.code)


def _of_evening(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the evening of the code to a view; without one the form to enter a code says why."""

    @wraps(view)
    def of_evening(request: HttpRequest, code: str, **values: Any) -> HttpResponse:
        try:
            found = _found(request, code)
        except (RemovedByHost, UnknownEvening) as error:
            return _home(request, _open_form(request), error.words, error.status)
        return view(request, found, **values)

    return of_evening


@require_safe
@_of_evening
def evening(request: HttpRequest, found: Evening) -> HttpResponse:
    """The host's page, or that of a guest."""
    return _evening(request, found)


def _evening(
    request: HttpRequest, found: Evening, refused: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    """The same; the name that was sent with the action `refused` is there to be corrected."""
    hosts = request.user == found.host
    context = {
        "evening": found,
        "refused": refused,
        "typed": request.POST.get("name", ""),
        "renamed": request.POST.get("person", ""),
        "token": _token(request),
        "version": evenings.version(found),
        "tournament": found.tournament,
        "lets_in": found.tournament is None or entries.lets_in(found.tournament),
        **_of_tournament(request, found),
        **(_for_host(request, found) if hosts else _for_guest(request, found)),
    }
    template = "evenings/host.html" if hosts else "evenings/guest.html"
    return render(request, template, context, status=status)


@require_safe
def version(request: HttpRequest, code: str) -> HttpResponse:
    """The version of the evening, which its pages poll; for its host and guests only.

    Others get an error, but no try of a code is counted: open pages of an erased evening would use up the
    limit.
    """
    try:
        return JsonResponse({"version": evenings.version(evenings.find_mine(code, request.user))})
    except Refused as error:
        return JsonResponse({"code": error.code, "detail": error.words}, status=error.status)


def _found(request: HttpRequest, code: str) -> Evening:
    return evenings.find(code, request.user, network_of(request), _token(request))


def _token(request: HttpRequest) -> str:
    """The token of the QR code in the request; "" without one."""
    sent = request.POST if request.method == "POST" else request.GET
    return sent.get("token", "")


def _for_host(request: HttpRequest, found: Evening) -> dict[str, Any]:
    there = evenings.people(found)
    plan = evenings.plan_of(found, len(there))
    address = addresses.for_others(request, reverse("evening", args=[found.code]))
    return {
        "people": there,
        "plays": any(person.user == found.host for person in there),
        "plan": plan,
        "format": WORDS[plan.format],
        "game_title": gettext(GAMES[found.game].title),
        "clock": clock_words.in_words(plan.clock),
        "form": PlanForm(found),
        "preview": [] if found.tournament else evenings.first_round(found),
        "obstacle": "" if found.tournament else evenings.obstacle(found, plan, len(there)),
        "address": address,
        "scanned": addresses.for_others(request, codes.link(found)),
        "minutes_left": evenings.minutes_left(found),
        "wall": visibility.wall_link(found.tournament) if found.tournament else "",
    }


def _for_guest(request: HttpRequest, found: Evening) -> dict[str, Any]:
    there = evenings.people(found)
    return {"is_here": any(person.user == request.user for person in there), "people": there}


def _of_tournament(request: HttpRequest, found: Evening) -> dict[str, Any]:
    """Standings, the match of the reader, and for hosts the boards at their device."""
    if found.tournament is None:
        return {}
    _version, known, order = sheets.cached(found.tournament, exact=True)
    mine = [each for each in known.open if _plays(known, each, request.user.pk)]
    kept = [each for each in known.open if _keeps(known, each, request.user.pk)]
    lines = tables.standings(known, order, request.user.pk)
    return {
        "lines": lines,
        "arena": known.form.ARENA,
        "number": known.round,
        "mine": [tables.shown(known, each) for each in mine if each not in kept],
        "kept": [each for each in (tables.shown(known, each) for each in kept) if each.match],
        "away": _is_away(found.tournament, known, request.user.pk),
        "my_bye": _has_bye(known, request.user.pk),
        "my_line": next((line for line in lines if line.player.mine), None),
        "over": found.tournament.state not in (Tournament.State.OPEN, Tournament.State.RUNNING),
        "finished": found.tournament.state == Tournament.State.FINISHED,
    }


def _plays(known: Sheet, pairing: Pairing, user_id: int | None) -> bool:
    return any(known.entrants[player].user_id == user_id for player in pairing.seats)


def _keeps(known: Sheet, pairing: Pairing, user_id: int | None) -> bool:
    return user_id is not None and any(
        known.entrants[player].keeper_id == user_id for player in pairing.seats
    )


def _is_away(tournament: Tournament, known: Sheet, user_id: int | None) -> bool:
    mine = [each for each in known.entrants.values() if each.user_id == user_id and not each.removed]
    return tournament.state == Tournament.State.RUNNING and any(each.away for each in mine)


def _has_bye(known: Sheet, user_id: int | None) -> bool:
    last = [each for each in known.pairings if each.round == known.round]
    return any(each.kind in (Kind.BYE, Kind.HALF_BYE) and _plays(known, each, user_id) for each in last)


@require_POST
@_of_evening
def act(request: HttpRequest, found: Evening, act: str) -> HttpResponse:
    """Join an evening, or carry out an action of its host."""

    def begin() -> tuple[User, Evening]:
        user = _joining(request) if act == "join" else _host(request, found)
        ACTIONS[act](request, user, found.code, command_of(request))
        return user, found

    try:
        user, _found = once_for_visitor(request, begin)
    except TooManyGuests:
        return too_many_guests(request)
    except UnknownEvening as error:
        return _home(request, _open_form(request), error.words, HTTPStatus.NOT_FOUND)
    except (Refused, ValidationError, NameTaken, TooManyNames) as error:
        messages.error(request, _why(error))
        if act in NAMING:
            return _evening(request, found, act, HTTPStatus.BAD_REQUEST)
    else:
        guests.remember(request, user)
    page = reverse("evening", args=[found.code])
    token = _token(request)
    return redirect(f"{page}?{urlencode({'token': token})}" if token else page)


def _why(error: Exception) -> str:
    """Why an action was refused, as a sentence."""
    match error:
        case Refused():
            return error.words
        case ValidationError():
            return " ".join(error.messages)
        case NameTaken():
            return gettext("That name has just been taken. Please choose another.")
        case _:
            return gettext("Too many name changes. Please wait a few minutes.")


def _host(request: HttpRequest, found: Evening) -> User:
    if not request.user.is_authenticated or request.user != found.host:
        raise NotHost
    return request.user


def _joining(request: HttpRequest) -> User:
    """The user who joins: visitors and guests with the name in the form, accounts with their own."""
    name = request.POST.get("name", "")
    if not request.user.is_authenticated:
        return _guest(request, name)
    if request.user.is_guest and name:
        first = naming.choose_first_name(name, request.user)
        guests.rename(request.user.pk, first.username, first.shown)
        request.user.refresh_from_db()
    return request.user


def _guest(request: HttpRequest, name: str) -> User:
    """A new guest, who is called by a name at the evening."""
    first = naming.choose_first_name(name)
    return guests.named(first.username, network_of(request), first.shown)


def _add(request: HttpRequest, user: User, code: str, command: str) -> None:
    evenings.add(user, code, request.POST.get("name", ""), network_of(request), command)


def _remove(request: HttpRequest, user: User, code: str, command: str) -> None:
    evenings.remove(user, code, texts.number(request.POST.get("person", "")), command)


def _rename(request: HttpRequest, user: User, code: str, command: str) -> None:
    person, name = texts.number(request.POST.get("person", "")), request.POST.get("name", "")
    evenings.rename(user, code, person, name, command)


def _plan(request: HttpRequest, user: User, code: str, command: str) -> None:
    form = PlanForm(evenings.hosted(user, code), request.POST)
    if not form.is_valid():
        raise BadPlan
    data = form.cleaned_data
    evenings.change(user, code, data["game"], data["minutes"], form.chosen(), data["chat"], command)


ACTIONS: dict[str, Act] = {
    "join": without_fields(evenings.join),
    "add": _add,
    "remove": _remove,
    "rename": _rename,
    "plan": _plan,
    "draw": without_fields(evenings.draw),
    "start": without_fields(evenings.start),
}
"""Actions at an evening, by the end of the URL."""
NAMING = ("join", "add", "rename")
"""Those with a form for a name, which is shown again if it is refused."""


@require_POST
def erase(request: HttpRequest, code: str) -> HttpResponse:
    """Erase everything about an evening. A guest who hosts it is logged out, as they are erased as well."""
    try:
        host = _host(request, _found(request, code))
        # In the server's event loop, which holds the matches in memory.
        async_to_sync(erasure.erase)(host, code)
    except TooManyTries:
        raise
    except Refused as error:
        messages.error(request, error.words)
        return redirect("evenings")
    if not User.objects.filter(pk=host.pk).exists():
        logout(request)
    messages.success(request, gettext("The evening has been deleted."))
    return redirect("evenings")
