"""The language of whoever reads: chosen by an address, in a browser, with an account, or by the browser."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

from games.net.languages import PARAMETER, first_known, language_of
from lobby.models import User
from lobby.people import preferences


class LanguageOfReader(LocaleMiddleware):
    """Speaks it, for the length of a request.

    The language of an account comes into a browser as a cookie when its owner signs in, so that nobody has to
    be looked up for a picture. Whoever came by an address in a language and has chosen none goes on in it:
    search engines send them.
    """

    def process_request(self, request: HttpRequest) -> None:
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
        response = super().process_response(request, response)
        named = first_known([request.GET.get(PARAMETER, "")])
        if named and settings.LANGUAGE_COOKIE_NAME not in {*request.COOKIES, *response.cookies}:
            note(response, named)
        return response


def note(response: HttpResponseBase, language: str) -> None:
    """Have a browser remember a language."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
    )


def choose(request: HttpRequest, response: HttpResponse, language: str) -> None:
    """Remember what somebody chose: in their browser, and with their row for when they are away.

    Raises:
        PreferenceError: "unknown-value".
    """
    if isinstance(request.user, User):
        preferences.save(request.user, preferences.LANGUAGE, language)
    elif language not in preferences.values(preferences.LANGUAGE):
        raise preferences.UnknownValue
    note(response, language)
