"""The form to appeal against a ban. `lobby.accounts.appeals` decides."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from lobby.accounts import appeals
from lobby.accounts.appeals import AppealError, Expired, NotBanned
from lobby.auth import banned


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


def _to(request: HttpRequest, page: str, error: AppealError) -> HttpResponse:
    messages.error(request, error.words)
    return redirect(page)
