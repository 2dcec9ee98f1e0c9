"""Template tags of chats: the quick messages and the notice that the reader is muted."""

from django import template
from django.utils.translation import gettext

from lobby.chat.lines import mute_of
from lobby.chat.match_rooms import PRESETS
from lobby.people.models import User

register = template.Library()


@register.simple_tag
def presets() -> dict[str, str]:
    """The quick messages by key, in the active language."""
    return {key: gettext(sentence) for key, sentence in PRESETS.items()}


@register.filter
def mute_in_words(user: User) -> str:
    """Why and until when a signed-in user cannot chat; "" for others."""
    mute = mute_of(user)
    return "" if mute is None else mute.words
