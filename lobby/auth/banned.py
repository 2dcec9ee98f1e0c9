"""The page of a banned user: reason, end of the ban, and appeal."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare

from lobby.appeals import appeals
from lobby.appeals.appeals import AppealError
from lobby.appeals.models import Appeal
from lobby.chat.models import REASON_LENGTH
from lobby.moderation import moderation
from lobby.people.models import User


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
    context = {
        "ban": moderation.ban_in_words(person),
        "of_guest": person.is_guest,
        "token": appeals.token_for(person),
    }
    template = "account/account_inactive.html"
    return with_appeal(request, template, context, person, Appeal.Against.BAN, error, status)


def with_appeal(  # noqa: PLR0913 - what `render` takes, and the appeal
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    person: User,
    against: Appeal.Against,
    error: AppealError | None,
    status: int,
) -> HttpResponse:
    """A page with the last appeal against a ban or a mute, and the form for a new one (`_appeal.html`).

    Args:
        request: the request, whose text stays in the form after an error.
        template: of the page.
        context: what the page shows besides.
        person: who appeals.
        against: what the appeal is against.
        error: why the appeal that was sent is refused.
        status: HTTP status if there is no error.
    """
    last = appeals.latest(person, against)
    shown = {
        "appeal": last,
        "may_appeal": last is None or last.verdict == last.Verdict.DECLINED,
        "most": REASON_LENGTH,
        "text": request.POST.get("text", "") if error else "",
        "problem": error and error.words,
    }
    response = render(request, template, {**context, **shown}, status=error.status if error else status)
    for name, value in error.headers.items() if error else ():
        response[name] = value
    return response
