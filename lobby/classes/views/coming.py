"""The pages by which pupils come in. `lobby.classes.entrance` decides."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.domain.refusals import Refused
from games.net.limits import network_of
from lobby.accounts import guests
from lobby.classes import cards, classes, entrance, teachers
from lobby.classes.forms import MakeForm
from lobby.http.idempotency import once
from lobby.people.models import User


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The classes of a teacher, and the form by which pupils log in."""
    if request.user.is_authenticated and request.user.pupil_of is not None:
        return redirect(request.user.pupil_of)
    return home_page(request)


def home_page(request: HttpRequest, status: int = HTTPStatus.OK, **context: Any) -> HttpResponse:
    """The same, with a form that was refused, or the problem of another page."""
    context = {
        "form": MakeForm(),
        "may_make": classes.may_make(request.user),
        "mine": classes.taught_by(request.user),
        "invitations": teachers.invitations(request.user),
        "sent": request.POST,
        **context,
    }
    return render(request, "classes/classes.html", context, status=status)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is stored about pupils, for their parents."""
    return render(request, "classes/privacy.html")


@sensitive_post_parameters("pin")
@require_POST
def log_in(request: HttpRequest) -> HttpResponse:
    """Log a pupil in by the code of the class, the name and the PIN or the letters of the card."""
    code, name, typed = (request.POST.get(field, "") for field in ("code", "name", "pin"))
    by = entrance.by_pin if typed.strip().isdigit() else entrance.by_letters
    try:
        pupil = by(code, name, typed, network_of(request))
    except Refused as error:
        return _refused(request, error, "log-in")
    return _come_in(request, pupil)


@require_POST
def join(request: HttpRequest) -> HttpResponse:
    """Make a visitor a pupil of a class that lets pupils in. Sent again, it makes nobody else."""
    sent = request.POST

    def begin() -> tuple[User, Any]:
        pupil = entrance.join(sent.get("code", ""), sent.get("name", ""), network_of(request))
        return pupil, pupil.card

    if request.user.is_authenticated:
        return redirect("classes")
    try:
        pupil, _card, _now = once(request, begin)
    except Refused as error:
        return _refused(request, error, "join")
    return _come_in(request, pupil)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card(request: HttpRequest, class_code: str) -> HttpResponse:
    """The page of a card, which asks whether it is yours; a POST logs its pupil in.

    Programs that look at a link before it is opened log nobody in.
    """
    try:
        pupil = entrance.by_card(class_code, request.GET.get(cards.QUERY, ""), network_of(request))
    except Refused as error:
        return _refused(request, error, "card")
    if request.method == "POST" or request.user == pupil:
        return _come_in(request, pupil)
    return render(request, "classes/card.html", {"pupil": pupil})


def _come_in(request: HttpRequest, pupil: User) -> HttpResponse:
    if request.user.is_authenticated and request.user != pupil:
        logout(request)
    guests.remember(request, pupil)
    assert pupil.pupil_of is not None
    return redirect(pupil.pupil_of)


def _refused(request: HttpRequest, error: Refused, act: str) -> HttpResponse:
    page = home_page(request, error.status, refused=act, problem=error.words)
    for name, value in error.headers.items():
        page[name] = value
    return page
