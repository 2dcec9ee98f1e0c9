"""The forms that set up tables: public, for a challenge, or like an earlier match. `lobby.tables` decides."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.db import DatabaseError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from games.domain.refusals import DiskFullUnavailable, Refused, SavingUnavailable
from games.models import Match
from games.net.limits import network_of
from games.registry import GAMES
from games.store.disk import disk, is_full, unstored
from lobby.accounts import guests
from lobby.accounts.guests import TooManyGuests
from lobby.clubs import lookup
from lobby.clubs.models import Club
from lobby.clubs.refusals import ClubError
from lobby.commands import CommandError
from lobby.front.views import too_many_guests
from lobby.http.idempotency import once
from lobby.people import circles
from lobby.people.models import User
from lobby.ratings.rated import NotRated, may_have_rating, may_play_rated
from lobby.tables import challenges, computers, invites, solo, table_template, tables
from lobby.tables.forms.table import TableForm
from lobby.tables.models import Table
from lobby.tables.refusals import TableError
from lobby.tables.table_template import Plan

logger = logging.getLogger(__name__)

FIRST_GAME = next(iter(GAMES))


def says_if_unstored(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: if the database fails, show a page that keeps the values of the form."""

    @wraps(view)
    def answer(request: HttpRequest, *arguments: str, **named: str) -> HttpResponse:
        try:
            return view(request, *arguments, **named)
        except DatabaseError as error:
            if request.method != "POST":
                raise
            logger.exception("nothing was set at %s", request.path, extra={"request": request})
            disk.note(error)
            sent = [(name, value) for name, value in request.POST.items() if name != "csrfmiddlewaretoken"]
            # Without the request: context processors would load its user from the database.
            context = {"sent": sent, "full": is_full(error), "csrf_token": get_token(request)}
            page = render_to_string("forms/unstored.html", context)
            return HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE)

    return answer


@says_if_unstored
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest, game: str = FIRST_GAME) -> HttpResponse:
    """The form that sets up a table."""
    if game not in GAMES:
        raise Http404
    plan = table_template.plan_like(request.GET["like"], request.user.pk) if "like" in request.GET else None
    form = TableForm(
        GAMES[game],
        request.POST if request.method == "POST" else None,
        casual=may_play_rated(request.user),
        like=plan if plan is not None and plan.game == game else None,
    )
    club = _club(request)
    if club is not None:
        del form.fields["listed"]
    elif _for_friend(request):
        form.initial["listed"] = "no"
    begin_at(request, form)
    return _answer(request, form, lambda host: _set(host, _plan(form), club), club=club)


@says_if_unstored
@require_http_methods(["GET", "HEAD", "POST"])
def challenge(request: HttpRequest, name: str, game: str = FIRST_GAME) -> HttpResponse:
    """The form for a challenge."""
    other = circles.named(name, request.user.pk)
    if other is None or other.is_deleted or not other.is_active:
        raise Http404
    if game not in GAMES or other == request.user:
        raise Http404
    if other.computer:
        return redirect(computers.address(other))
    form = TableForm(
        GAMES[game],
        request.POST if request.method == "POST" else None,
        casual=may_play_rated(request.user) or may_have_rating(other),
        challenge=True,
    )
    begin_at(request, form)

    def set_table(host: User) -> Table:
        first = form.cleaned_data["first"]
        position = form.cleaned_data["position"]
        return challenges.challenge(host, other, game, form.options(), first, form.terms(), position)

    return _answer(request, form, set_table, other)


@require_POST
def same_as(request: HttpRequest, match_id: str) -> HttpResponse:
    """Set up a table like that of a match, or begin a match if all opponents were computers, with one click.

    If that is refused, show the form, filled in.
    """
    plan = table_template.plan_like(match_id, request.user.pk)
    if plan is None:
        raise Http404
    alone = len(plan.levels) == plan.seats - 1
    if request.user.is_authenticated:
        user = request.user

        def begin() -> tuple[User, Table | Match]:
            if plan.levels:
                computers.check_seatings(network_of(request))
            return user, solo.play(user, plan) if alone else _set(user, plan)

        try:
            return redirect(once(request, begin)[1])
        except (CommandError, NotRated, TableError) as error:
            if error.status == HTTPStatus.TOO_MANY_REQUESTS:
                raise
            messages.error(request, error.words)
    form = reverse("play-computer-at" if alone else "new-table", args=[plan.game])
    return redirect(f"{form}?like={match_id}")


def begin_at(request: HttpRequest, form: TableForm) -> None:
    """Have the match of a form begin at the position `?position=`; 404 if no match can begin there."""
    if "position" in request.GET:
        form.initial["position"] = request.GET["position"]
        if form.start is None:
            raise Http404


def _answer(
    request: HttpRequest,
    form: TableForm,
    set_table: Callable[[User], Table],
    other: User | None = None,
    club: Club | None = None,
) -> HttpResponse:
    """Set up the table of a valid form, or show the form with its errors."""
    told = {"game": form.game, "other": other, "friend": _for_friend(request), "club": club}

    def show(failure: Refused | None) -> HttpResponse:
        return show_form(request, "forms/new_table.html", form, failure, **told)

    return begin_or_show(request, form, set_table, show)


def begin_or_show(
    request: HttpRequest,
    form: TableForm,
    begin: Callable[[User], Any],
    show: Callable[[Refused | None], HttpResponse],
) -> HttpResponse:
    """Redirect to the result of a valid form, or show the form with its errors.

    A visitor becomes a guest first.

    Args:
        request: the request.
        form: the form.
        begin: makes the table or match, for a user.
        show: renders the form; gets the storage failure or the rate limit, if there was one.
    """
    failure: Refused | None = None
    if form.is_valid():
        try:
            person, begun, _new = once(request, lambda: _begin(request, begin))
        except (CommandError, ClubError, NotRated, TableError) as error:
            form.refuse(error)
            failure = error if error.status == HTTPStatus.TOO_MANY_REQUESTS else None
        except TooManyGuests:
            return too_many_guests(request)
        except DatabaseError as error:
            logger.exception("nothing could begin at %s", request.path, extra={"request": request})
            failure = unstored(error)
        else:
            guests.remember(request, person)
            return redirect(begun)
    return show(failure)


def _begin(request: HttpRequest, begin: Callable[[User], Any]) -> tuple[User, Any]:
    person = guests.person(request)
    return person, begin(person)


def show_form(
    request: HttpRequest, template: str, form: TableForm, failure: Refused | None = None, **told: Any
) -> HttpResponse:
    """Render a form with its errors; `told` is additional context."""
    context = {
        "games": GAMES.values(),
        "form": form,
        "title": gettext(form.game.full_title),
        "unstored": isinstance(failure, SavingUnavailable),
        "full": isinstance(failure, DiskFullUnavailable),
        **told,
    }
    response = render(request, template, context, status=_status_of(form, failure))
    for name, value in failure.headers.items() if failure is not None else ():
        response[name] = value
    return response


def _status_of(form: TableForm, failure: Refused | None) -> int:
    """The HTTP status of a form that is shown again."""
    if failure is not None:
        return failure.status
    return HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK


def _for_friend(request: HttpRequest) -> bool:
    """Whether the form was opened by "Play a friend", which needs an invitation."""
    return request.GET.get("who") == "friend"


def _club(request: HttpRequest) -> Club | None:
    """The club for whose members the table is (`?club=`), by its id."""
    return lookup.find(request.GET["club"]) if "club" in request.GET else None


def _plan(form: TableForm) -> Plan:
    data = form.cleaned_data
    terms = form.terms()
    return Plan(
        form.game.slug, form.options(), data["seats"], data["first"], terms, position=data["position"]
    )


@transaction.atomic
def _set(host: User, plan: Plan, club: Club | None = None) -> Table:
    """Set up a table; one by invitation gets its first."""
    terms = (plan.game, plan.options, plan.seats, plan.first, plan.terms)
    club_id = None if club is None else club.pk
    table = tables.set_table(host, *terms, club_id=club_id, position=plan.position)
    if not table.listed and club is None:
        invites.invite(host, table.pk, timezone.now())
    for level in plan.levels:
        tables.add_computer(host, table.pk, level)
    return table
