"""The language of a request: from the URL, the cookie, or the browser's Accept-Language header."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

from games.net.languages import PARAMETER, first_known, language_of
from lobby.people import preferences
from lobby.people.models import User


class LanguageOfReader(LocaleMiddleware):
    """Activate the language of a request.

    Signing in copies the account's language into a cookie, so that no request has to load the user for it.
    A visitor who comes by a URL with a language, as search engines link them, and has chosen none keeps it.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of the reader."""
        cookie = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
        translation.activate(
            language_of(
                request.GET.get(PARAMETER, ""),
                cookie,
                "",
                request.META.get("HTTP_ACCEPT_LANGUAGE", ""),
            )
        )
        request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Remember a language that the URL has named."""
        response = super().process_response(request, response)
        named = first_known([request.GET.get(PARAMETER, "")])
        if named and settings.LANGUAGE_COOKIE_NAME not in {*request.COOKIES, *response.cookies}:
            note(response, named)
        return response


def note(response: HttpResponseBase, language: str) -> None:
    """Set the language cookie."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
    )


def choose(request: HttpRequest, response: HttpResponse, language: str) -> None:
    """Store the chosen language: in a cookie, and in the user's row for messages sent while offline.

    Raises:
        PreferenceError: "unknown-value".
    """
    if isinstance(request.user, User):
        preferences.save(request.user, preferences.LANGUAGE, language)
    elif language not in preferences.values(preferences.LANGUAGE):
        raise preferences.UnknownValue
    note(response, language)
