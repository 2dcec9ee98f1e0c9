"""The pages of the lobby. Who may do what is decided in `lobby.tables`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.registry import GAMES
from lobby import accounts, news
from lobby import tables as service
from lobby.accounts import TooManyGuests
from lobby.forms import TableForm
from lobby.models import Table
from lobby.tables import TableError

Item: TypeAlias = dict[str, Any]


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The front page: open tables, matches in play, and how to begin."""
    now = news.everything(request.user.pk)
    me = request.user.get_username()
    for each in now["tables"]:
        each["free"] = each["seats"] - len(each["taken"])
    my_tables, tables = _parted(now["tables"], lambda table: me in table["taken"])
    my_matches, matches = _parted(now["matches"], lambda match: me in match["players"])
    context = {
        "me": me,
        "games": GAMES.values(),
        "my_tables": my_tables,
        "tables": tables,
        "my_matches": my_matches,
        "matches": matches,
    }
    return render(request, "lobby/lobby.html", context)


def _parted(items: list[Item], is_mine: Callable[[Item], bool]) -> tuple[list[Item], list[Item]]:
    return [item for item in items if is_mine(item)], [item for item in items if not is_mine(item)]


@require_POST
def play_as_guest(request: HttpRequest) -> HttpResponse:
    """Make a guest of whoever asks, and take them back to where they were."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = reverse("lobby")
    try:
        accounts.remember(request, accounts.person(request))
    except TooManyGuests:
        return _too_many_guests(request)
    # Not `redirect`, which would take a bare word for the name of a view.
    return HttpResponseRedirect(back)


@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest, game: str = next(iter(GAMES))) -> HttpResponse:
    """The form that sets a table, and what becomes of it."""
    if game not in GAMES:
        raise Http404
    form = TableForm(GAMES[game], request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            return redirect(_set_table(request, form))
        except TableError as error:
            form.refuse(error.sentence, error.option)
        except TooManyGuests:
            return _too_many_guests(request)
    title = gettext(GAMES[game].title)
    context = {"games": GAMES.values(), "game": GAMES[game], "title": title, "form": form}
    return render(request, "lobby/new_table.html", context, status=400 if form.errors else 200)


def _set_table(request: HttpRequest, form: TableForm) -> Table:
    data = form.cleaned_data
    with transaction.atomic():
        host = accounts.person(request)
        table = service.set_table(host, form.game.slug, form.options(), data["seats"], data["first"])
    accounts.remember(request, host)
    return table


@require_safe
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """A table that waits; once its match has begun, the way there."""
    found = Table.objects.filter(pk=table_id, game__in=GAMES).select_related("match").first()
    if found is None:
        return _no_table(request)
    if found.match is not None:
        return redirect(found.match)
    fields = news.table_fields(found)
    me = request.user.get_username()
    context = {
        "me": me,
        "mine": me in fields["taken"],
        "table": fields,
        "chairs": [*fields["taken"], *[None] * (found.seats - len(fields["taken"]))],
        "first": found.get_first_display(),
        "game": GAMES[found.game],
        "fewest": GAMES[found.game].rules.SEATS[0],
        "address": request.build_absolute_uri(),
    }
    return render(request, "lobby/table.html", context)


@require_POST
def sit_down(request: HttpRequest, table_id: str) -> HttpResponse:
    """Take a chair; somebody who is nobody yet becomes a guest on the way."""
    try:
        with transaction.atomic():
            user = accounts.person(request)
            service.sit_down(user, table_id)
    except TooManyGuests:
        return _too_many_guests(request)
    except TableError as error:
        return _refused(request, table_id, error)
    accounts.remember(request, user)
    return redirect("table", table_id)


@require_POST
def stand_up(request: HttpRequest, table_id: str) -> HttpResponse:
    """Leave a chair, and with it the table if one is its host."""
    if not request.user.is_authenticated:
        return redirect("table", table_id)
    try:
        service.stand_up(request.user, table_id)
    except TableError as error:
        return _refused(request, table_id, error)
    return redirect("lobby")


@require_POST
def start(request: HttpRequest, table_id: str) -> HttpResponse:
    """Begin with those who are there."""
    if not request.user.is_authenticated:
        return redirect("table", table_id)
    try:
        service.start(request.user, table_id)
    except TableError as error:
        return _refused(request, table_id, error)
    return redirect("table", table_id)


def _refused(request: HttpRequest, table_id: str, error: TableError) -> HttpResponse:
    """Say why nothing happened, where that can be seen; pressing twice is no mistake."""
    if error.code == "gone":
        return _no_table(request)
    if error.code != "seated":
        messages.error(request, error.sentence)
    return redirect("table", table_id)


def _no_table(request: HttpRequest) -> HttpResponse:
    return render(request, "lobby/no_table.html", status=404)


def _too_many_guests(request: HttpRequest) -> HttpResponse:
    response = render(request, "lobby/too_many_guests.html", status=429)
    response["Retry-After"] = "3600"
    return response
