"""What templates need to know of two people."""

from typing import Any

from django import template

from lobby import ties
from lobby.models import User

register = template.Library()


@register.simple_tag(takes_context=True)
def ties_to(context: dict[str, Any], person: User) -> frozenset[str]:
    """What whoever reads the page decided about a person: some of "follow", "block", "mute"."""
    reader = context["request"].user
    return ties.kinds_to(reader.pk, person.pk) if reader.is_authenticated else frozenset()
