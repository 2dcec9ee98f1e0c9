"""Template tags and filters about users."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import template
from django.utils.translation import gettext

from lobby.notices import devices
from lobby.people import relationships, words
from lobby.people.models import User
from lobby.webhooks import vapid

register = template.Library()

# The first match wins: many browsers also name those further down.
BROWSERS = {
    "Edge": r"\bEdgA?/|\bEdgiOS/",
    "Opera": r"\bOPR/",
    "Samsung Internet": r"\bSamsungBrowser/",
    "Firefox": r"\bFirefox/|\bFxiOS/",
    "Chrome": r"\bChrome/|\bCriOS/|\bHeadlessChrome/",
    "Safari": r"\bSafari/",
}
SYSTEMS = {
    "iPhone": r"\biPhone\b",
    "iPad": r"\biPad\b",
    "Android": r"\bAndroid\b",
    "ChromeOS": r"\bCrOS\b",
    "Windows": r"\bWindows\b",
    "macOS": r"\bMac OS X\b",
    "Linux": r"\bLinux\b",
}


@register.simple_tag(takes_context=True)
def ties_to(context: dict[str, Any], person: User) -> frozenset[str]:
    """The relationships of the reader to `person`: a subset of "follow", "block", "mute".

    A page that lists people has read them all as `ties`.
    """
    if "ties" in context:
        kinds: frozenset[str] = context["ties"].get(person.pk, frozenset())
        return kinds
    reader = context["request"].user
    return relationships.kinds_to(reader.pk, person.pk) if reader.is_authenticated else frozenset()


@register.filter
def ago(then: datetime) -> str:
    """The time since `then` in words, rounded."""
    return words.ago(then)


@register.filter
def browser_in_words(user_agent: str) -> str:
    """A description such as "Firefox on Android", from a User-Agent header, which may lie."""
    browser, system = _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or gettext("An unknown browser")


@register.inclusion_tag("notices/_tell_my_turn.html", takes_context=True)
def tell_my_turn(context: dict[str, Any]) -> dict[str, Any]:
    """The button that turns on notifications on this device, in a correspondence match."""
    reader = context["request"].user
    return {"devices": devices.of(reader), "push_key": vapid.public()}


@register.simple_tag
def players_of(match: Mapping[str, Any] | None) -> str:
    """The players of a match (`lobby.sockets.messages.MatchFields`); computer players are marked.

    Must match static/match/computers.js.
    """
    if not match:
        return ""
    beside = gettext("%(name)s (computer)")
    named = zip(match["players"], match["levels"], strict=True)
    return " – ".join(name if level is None else beside % {"name": name} for name, level in named)


def _first(kinds: dict[str, str], user_agent: str) -> str:
    return next((name for name, sign in kinds.items() if re.search(sign, user_agent)), "")
