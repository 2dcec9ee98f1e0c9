"""Preferences: names and values. static/parts/settings.js has the same list for the browser.

Accounts store theirs here; guests and visitors in the browser.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import get_language

from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby.people.models import User

EVERYONE, FOLLOWED, NOBODY = "everyone", "followed", "nobody"
"""Whose challenges or chat lines a user accepts."""
KNOWN = "known"
"""Whose messages a user accepts: people whom the user follows or has played."""
LISTED, HIDDEN = "listed", "hidden"
"""Whether others see that a user is online."""

SETTINGS: dict[str, tuple[str, ...]] = {
    "theme": ("system", "light", "dark"),
    "board": ("wood", "paper", "contrast"),
    "speed": ("normal", "slow", "fast", "off"),
    "sound": ("on", "off"),
    "volume": ("normal", "soft", "loud"),
    "vibration": ("on", "off"),
    "confirm": ("off", "on"),
    "premove": ("on", "off"),
    "awake": ("on", "off"),
    "typing": ("off", "on"),
    "pits": ("auto", "round", "side"),
    "coordinates": ("auto", "on", "off"),
    "keys": ("on", "off"),
    "challenges": (EVERYONE, FOLLOWED, NOBODY),
    "chat": (EVERYONE, FOLLOWED, NOBODY),
    "messages": (KNOWN, EVERYONE, NOBODY),
    "online": (LISTED, HIDDEN),
}
"""The values of every setting; the first is the default."""

RENAMED = {"board": {"slate": "paper"}}
"""Stored values that have been renamed since."""

LANGUAGE = "language"
"""The one preference whose values depend on the site's settings."""


class PreferenceError(Refused):
    """A preference cannot be set; nothing was changed."""


class UnknownSetting(PreferenceError):
    """There is no preference with this name."""

    code, status = "unknown-setting", 400
    sentence = gettext_noop("This setting does not exist.")


class UnknownValue(PreferenceError):
    """The preference does not have this value."""

    code, status = "unknown-value", 400
    sentence = gettext_noop("This setting cannot have this value.")


def values(name: str) -> tuple[str, ...]:
    """The possible values of a preference, the default first; empty for an unknown name."""
    if name == LANGUAGE:
        codes = [code for code, _name in settings.LANGUAGES]
        return tuple(sorted(codes, key=lambda code: code != settings.LANGUAGE_CODE))
    return SETTINGS.get(name, ())


def chosen(user: Any) -> dict[str, str]:
    """The valid values that a user has set; no defaults."""
    stored = {
        name: RENAMED.get(name, {}).get(value, value)
        for name, value in (getattr(user, "preferences", None) or {}).items()
    }
    return {name: stored[name] for name in (*SETTINGS, LANGUAGE) if stored.get(name) in values(name)}


def of(user: Any) -> dict[str, str]:
    """All preferences of a user, with defaults."""
    return {name: values(name)[0] for name in (*SETTINGS, LANGUAGE)} | chosen(user)


def value(user: Any, name: str) -> str:
    """One preference of a user, which costs less than `of`."""
    stored = (getattr(user, "preferences", None) or {}).get(name, "")
    stored = RENAMED.get(name, {}).get(stored, stored)
    return stored if stored in values(name) else values(name)[0]


def at_first() -> dict[str, str]:
    """Preferences of a new user: the language of the page, for messages sent while offline."""
    return {LANGUAGE: get_language() or settings.LANGUAGE_CODE}


@transaction.atomic
def save(user: User, name: str, value: str) -> None:
    """Store a preference of an account.

    Raises:
        PreferenceError: "unknown-setting" or "unknown-value".
    """
    if not values(name):
        raise UnknownSetting
    if value not in values(name):
        raise UnknownValue
    # Two tabs may save two preferences at once, and all are in one field.
    row = User.objects.select_for_update().get(pk=user.pk)
    row.preferences = {**row.preferences, name: value}
    row.save(update_fields=["preferences"])
