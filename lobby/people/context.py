"""What every page knows beside what its view tells it."""

import json
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.urls import reverse

from games.net.languages import PARAMETER
from lobby.models import User
from lobby.people import preferences as service


def preferences(request: HttpRequest) -> dict[str, Any]:
    """The settings of an account, for the first paint of a page on a device that has not seen them yet.

    `preferences` is what was chosen, `stored_preferences` the same as JSON; None where the browser alone
    keeps them.
    """
    user = getattr(request, "user", None)
    account = isinstance(user, User) and not user.is_guest
    chosen = service.chosen(user) if account else {}
    return {
        "preferences": chosen,
        "stored_preferences": json.dumps(chosen) if account else None,
        "languages": settings.LANGUAGES,
        "chat_on": settings.CHAT and chosen.get("chat") != service.NOBODY,
        **_addresses(request),
        "social_login": settings.SOCIAL_LOGIN,
        "contact_set": bool(settings.CONTACT_EMAIL or settings.CONTACT_URL),
        "imprint_set": settings.IMPRINT_FILE is not None,
    }


def _addresses(request: HttpRequest) -> dict[str, Any]:
    """Where the page stands: `here` within the site, in whatever language, and whole `addresses` by language.

    One without a language is for all whose language is not spoken here, as search engines call it.
    """
    asked = request.GET.copy()
    asked.pop(PARAMETER, None)
    path = f"{request.path}?{asked.urlencode()}" if asked else request.path
    try:
        whole = request.build_absolute_uri(path)
    except DisallowedHost:
        # The page that says so has no address.
        return {"here": reverse("lobby"), "addresses": {}, "canonical": ""}
    beside = "&" if asked else "?"
    by_language = {code: f"{whole}{beside}{PARAMETER}={code}" for code, _name in settings.LANGUAGES}
    return {
        # What answers a form alone is no place to come back to.
        "here": path if request.method in ("GET", "HEAD") else reverse("lobby"),
        "addresses": {**by_language, "x-default": whole},
        "canonical": by_language.get(request.GET.get(PARAMETER, ""), whole),
    }
