"""Context processor: the variables that every template gets."""

import json
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.urls import reverse

from games.net.languages import PARAMETER
from lobby.people import preferences as service
from lobby.people.models import User

SECTIONS = {
    "learn": {"rules", "puzzle", "puzzles", "studies", "study", "analysis", "position"},
    "people": {"people", "leaderboards", "@"},
}
"""The sections of the menu, and what the addresses of their pages begin with."""


def preferences(request: HttpRequest) -> dict[str, Any]:
    """A user's preferences, so that a new device paints its first page with them.

    `preferences` are the values that the user chose, `stored_preferences` the same as JSON, or None if only
    the browser stores them. `section` is the one of the menu that the page is in.
    """
    user = getattr(request, "user", None)
    account = isinstance(user, User) and not user.is_guest
    chosen = service.chosen(user) if account else {}
    return {
        "preferences": chosen,
        "stored_preferences": json.dumps(chosen) if account else None,
        "languages": settings.LANGUAGES,
        "chat_on": settings.CHAT and chosen.get("chat") != service.NOBODY,
        "section": _section(request.path),
        **_addresses(request),
        "social_login": settings.SOCIAL_LOGIN,
        "contact_set": bool(settings.CONTACT_EMAIL or settings.CONTACT_URL),
        "imprint_set": settings.IMPRINT_FILE is not None,
        "terms_set": settings.TERMS_FILE is not None,
    }


def _section(path: str) -> str:
    """The section of the menu that a page is in, if any."""
    first = path.split("/")[1]
    return next((section for section, words in SECTIONS.items() if first in words), "")


def _addresses(request: HttpRequest) -> dict[str, Any]:
    """The URLs of the page: `here` is its path without a language, `addresses` has absolute URLs by language.

    The one without a language is "x-default" for search engines.
    """
    asked = request.GET.copy()
    asked.pop(PARAMETER, None)
    path = f"{request.path}?{asked.urlencode()}" if asked else request.path
    try:
        whole = request.build_absolute_uri(path)
    except DisallowedHost:
        # The error page for an unknown host has no URL.
        return {"here": reverse("lobby"), "addresses": {}, "canonical": ""}
    beside = "&" if asked else "?"
    by_language = {code: f"{whole}{beside}{PARAMETER}={code}" for code, _name in settings.LANGUAGES}
    return {
        # A page that answers a POST cannot be returned to.
        "here": path if request.method in ("GET", "HEAD") else reverse("lobby"),
        "addresses": {**by_language, "x-default": whole},
        "canonical": by_language.get(request.GET.get(PARAMETER, ""), whole),
    }
