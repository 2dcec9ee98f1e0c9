"""What templates need to know of people."""

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
    """What whoever reads the page decided about a person: some of "follow", "block", "mute"."""
    reader = context["request"].user
    return relationships.kinds_to(reader.pk, person.pk) if reader.is_authenticated else frozenset()


@register.filter
def ago(then: datetime) -> str:
    """How long ago something was, roughly."""
    return words.ago(then)


@register.filter
def browser_in_words(user_agent: str) -> str:
    """A browser by what it says of itself."""
    return browsers.in_words(user_agent)


@register.inclusion_tag("notices/_tell_my_turn.html", takes_context=True)
def tell_my_turn(context: dict[str, Any]) -> dict[str, Any]:
    """A press that has whoever reads the page told on this device, for a match over days."""
    reader = context["request"].user
    return {"devices": devices.of(reader), "push_key": vapid.public()}


@register.simple_tag
def players_of(match: Mapping[str, Any] | None) -> str:
    """The players of a match (`lobby.sockets.messages.MatchFields`), with a word beside computers.

    static/match/computers.js says the same.
    """
    if not match:
        return ""
    beside = gettext("%(name)s (computer)")
    named = zip(match["players"], match["levels"], strict=True)
    return " – ".join(name if level is None else beside % {"name": name} for name, level in named)
