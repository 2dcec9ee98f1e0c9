"""The page of a banned user: reason, end of the ban, and appeal."""

from __future__ import annotations

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare

from lobby.accounts import appeals
from lobby.accounts.appeals import AppealError
from lobby.models import REASON_LENGTH, User
from lobby.moderation import moderation


def guest_of_session(request: HttpRequest) -> User | None:
    """The banned guest whose session sent the request, or None.

    To Django a request with the session of a banned user is anonymous.
    """
    if SESSION_KEY not in request.session or request.user.is_authenticated:
        return None
    guest = User.objects.filter(
        pk=request.session[SESSION_KEY], is_guest=True, is_active=False, is_deleted=False
    ).first()
    credentials = request.session.get(HASH_SESSION_KEY, "")
    if guest is None or not constant_time_compare(credentials, guest.get_session_auth_hash()):
        return None
    return guest


def page(
    request: HttpRequest, person: User, error: AppealError | None = None, status: int = 403
) -> HttpResponse:
    """The page of a ban, with the last appeal, the form for a new one, and the error of a refused one."""
    last = appeals.latest(person)
    context = {
        "ban": moderation.ban_in_words(person),
        "of_guest": person.is_guest,
        "appeal": last,
        "may_appeal": last is None or last.verdict == last.Verdict.DECLINED,
        "token": appeals.token_for(person),
        "most": REASON_LENGTH,
        "text": request.POST.get("text", "") if error else "",
        "problem": error and error.words,
    }
    response = render(
        request, "account/account_inactive.html", context, status=error.status if error else status
    )
    for name, value in error.headers.items() if error else ():
        response[name] = value
    return response
