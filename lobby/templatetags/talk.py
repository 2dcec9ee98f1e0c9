"""What the chat at a match can say with one press."""

from django import template
from django.utils.translation import gettext

from lobby.chat.match_rooms import PRESETS

register = template.Library()


@register.simple_tag
def presets() -> dict[str, str]:
    """The sentences by their keys, in the language of the page."""
    return {key: gettext(sentence) for key, sentence in PRESETS.items()}
