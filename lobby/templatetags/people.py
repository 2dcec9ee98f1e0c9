"""Template tags and filters about users."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import template
from django.utils.translation import gettext

from lobby.accounts import browsers
from lobby.notices import devices
from lobby.people import relationships, words
from lobby.people.models import User
from lobby.webhooks import vapid

register = template.Library()


@register.simple_tag(takes_context=True)
def ties_to(context: dict[str, Any], person: User) -> frozenset[str]:
    """The relationships of the reader to `person`: a subset of "follow", "block", "mute"."""
    reader = context["request"].user
    return relationships.kinds_to(reader.pk, person.pk) if reader.is_authenticated else frozenset()


@register.filter
def ago(then: datetime) -> str:
    """The time since `then` in words, rounded."""
    return words.ago(then)


@register.filter
def browser_in_words(user_agent: str) -> str:
    """Browser and system in words, from a User-Agent header."""
    return browsers.in_words(user_agent)


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
