"""The page of a banned user: reason, end of the ban, and appeal."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from lobby.accounts import appeals
from lobby.accounts.appeals import AppealError
from lobby.models import REASON_LENGTH, User
from lobby.moderation import moderation


def page(
    request: HttpRequest, person: User, error: AppealError | None = None, status: int = 403
) -> HttpResponse:
    """The page of a ban, with the last appeal, the form for a new one, and the error of a refused one."""
    last = appeals.latest(person)
    context = {
        "ban": moderation.ban_in_words(person),
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
