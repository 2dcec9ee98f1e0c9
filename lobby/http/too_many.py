"""The page for exceeded rate limits, with the reason and when to try again."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop

from games.domain.refusals import Refused

LOG_INS = gettext_noop("Too many logins from your network. Please wait a minute and try again.")
OF_ADDRESS = {
    "account_signup": gettext_noop(
        "Too many sign-ups from your network. Please wait a minute and try again."
    ),
    "account_login": LOG_INS,
    "mfa_login_webauthn": LOG_INS,
    "account_reset_password": gettext_noop(
        "Too many password resets from your network. Please wait a minute and try again."
    ),
    "account_reset_password_from_key": gettext_noop(
        "Too many password resets from your network. Please wait a minute and try again."
    ),
}
"""allauth's limits per address, by name of the page; all others are per user."""
OF_PERSON = gettext_noop("Too many attempts. Please wait a minute and try again.")


def too_many(request: HttpRequest, error: Refused) -> HttpResponse:
    """The page of a refusal with status 429."""
    page = _page(request, error.words)
    for name, value in error.headers.items():
        page[name] = value
    return page


def by_allauth(request: HttpRequest, *_exception: Any) -> HttpResponse:
    """The page of a rate limit of allauth (`handler429` in the URL configuration)."""
    name = request.resolver_match.url_name if request.resolver_match else None
    return _page(request, gettext(OF_ADDRESS.get(name or "", OF_PERSON)))


def _page(request: HttpRequest, sentence: str) -> HttpResponse:
    return render(request, "429.html", {"sentence": sentence}, status=HTTPStatus.TOO_MANY_REQUESTS)
