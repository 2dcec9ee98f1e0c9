"""The forms to appeal against a ban or a mute. `lobby.appeals.appeals` decides."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from lobby.appeals import appeals
from lobby.appeals.appeals import AppealError, Expired, NotBanned, NotMuted
from lobby.appeals.models import Appeal
from lobby.auth import banned
from lobby.chat import lines
from lobby.people.models import User


@require_POST
def appeal(request: HttpRequest) -> HttpResponse:
    """Send an appeal; the page of the ban then shows it, or the error."""
    try:
        person = banned.guest_of_session(request) or appeals.person_of(request.POST.get("token", ""))
    except Expired as error:
        return _to(request, "account_login", error)
    try:
        appeals.appeal(person, request.POST.get("text", ""))
    except NotBanned as error:
        # The session of a guest whose ban is lifted is valid again.
        return _to(request, "lobby" if person == request.user else "account_login", error)
    except AppealError as error:
        return banned.page(request, person, error)
    return banned.page(request, person, status=200)


@require_http_methods(["GET", "POST"])
@login_required
def mute(request: HttpRequest) -> HttpResponse:
    """Why and until when the user is muted, and the appeal against it."""
    person = request.user
    assert isinstance(person, User)
    muted = lines.mute_of(person)
    if muted is None:
        return _to(request, "lobby", NotMuted())
    error = None
    if request.method == "POST":
        try:
            appeals.appeal(person, request.POST.get("text", ""), Appeal.Against.MUTE)
        except AppealError as refused:
            error = refused
        else:
            return redirect("mute")
    context = {"mute": muted.words}
    return banned.with_appeal(
        request, "accounts/muted.html", context, person, Appeal.Against.MUTE, error, status=200
    )


def _to(request: HttpRequest, page: str, error: AppealError) -> HttpResponse:
    messages.error(request, error.words)
    return redirect(page)
