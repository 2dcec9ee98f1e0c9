"""The page on which teachers end a class. `lobby.schoolyear` decides."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from games.domain.refusals import Refused
from games.registry import GAMES
from lobby.classes import classes
from lobby.http.idempotency import command_of
from lobby.http.user_request import UserRequest
from lobby.schoolyear import ends
from lobby.schoolyear.ends import NOTICE
from lobby.schoolyear.models import ClassEnd

SHOWN = 200
"""Rounds that are listed, the newest."""


@require_safe
def page(request: HttpRequest, class_code: str) -> HttpResponse:
    """How a class ends: archived or erased; and the results of its rounds."""
    found = classes.taught(request.user, class_code)
    end = ClassEnd.objects.filter(school_class=found).first()
    rounds = found.class_rounds.filter(tournament__game__in=GAMES).select_related("tournament")
    context = {
        "school_class": found,
        "end": end,
        "archived": end is not None and end.kind == ClassEnd.Kind.ARCHIVE and end.due is None,
        "until": end.noticed + NOTICE if end is not None and end.noticed is not None else None,
        "rounds": [
            (each, gettext(GAMES[each.tournament.game].title)) for each in rounds.order_by("-number")[:SHOWN]
        ],
    }
    return render(request, "schoolyear/end.html", context)


@require_POST
@login_required
def end(request: UserRequest, class_code: str) -> HttpResponse:
    """Have a class archived or erased."""
    found = classes.taught(request.user, class_code)
    kind, confirmed = request.POST.get("kind", ""), "confirmed" in request.POST
    try:
        ends.end(request.user, found.code, kind, confirmed, command_of(request))
    except Refused as error:
        messages.error(request, error.words)
        return redirect("class-ending", found.code)
    messages.success(request, gettext("The names will be gone in a moment."))
    return redirect("classes")


@require_POST
@login_required
def keep(request: UserRequest, class_code: str) -> HttpResponse:
    """Keep a class that nobody has used."""
    found = classes.taught(request.user, class_code)
    try:
        ends.keep(request.user, found.code, command_of(request))
    except Refused as error:
        messages.error(request, error.words)
    return redirect("class-ending", found.code)
