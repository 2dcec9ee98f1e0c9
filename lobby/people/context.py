"""What every page knows beside what its view tells it."""

import json
from typing import Any

from django.conf import settings
from django.http import HttpRequest

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
        "language_cookie": settings.LANGUAGE_COOKIE_NAME,
        "social_login": settings.SOCIAL_LOGIN,
    }
