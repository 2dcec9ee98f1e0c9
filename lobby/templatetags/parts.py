"""The parts of pages as template tags."""

import re
import secrets
from typing import Any

from django import forms, template
from django.template.context import Context
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.models import Match
from games.share import addresses, qr
from lobby.accounts import deletion
from lobby.chat.lines import mute_of
from lobby.chat.match_rooms import PRESETS
from lobby.classes import pictures
from lobby.people.models import User
from lobby.tournaments import next_matches
from lobby.tournaments.next_matches import WayBack

register = template.Library()
WAY_BACK = "way back"
"""Where a page keeps the link from a match to its tournament while it is rendered."""

INDENT = re.compile(r"\n\s+")

LETTER_AND_WORD = re.compile(r"\b[^\W\d_]-\w+")
"""A word that must not be broken at its hyphen, such as "e-mail"."""

NAME_AND_SCORE = re.compile(r"(?:[\w-]+: \d+|\w+(?:-\w+)+),?")
"""A name or a name with a score that must not be broken: "Calm-Heron", "Calm-Heron: 22,"."""


def new_form_key() -> str:
    """A random, unique form key."""
    return secrets.token_urlsafe(12)


@register.simple_tag(takes_context=True)
def form_key(context: Context) -> SafeString:
    """A hidden input that makes repeated submissions of a form idempotent (`lobby.http.idempotency`).

    In a cached fragment the context has a placeholder as `form_key`, which is replaced for each reader.
    """
    key = context.get("form_key") or new_form_key()
    return format_html('<input type="hidden" name="key" value="{}">', key)


@register.simple_tag
def control(field: forms.BoundField) -> SafeString:
    """The input of a form field in the site's style; `_field.html` adds label, hint and error."""
    widget = field.field.widget
    # A placeholder is not a label: it vanishes while the user types.
    widget.attrs.pop("placeholder", None)
    if isinstance(widget, forms.CheckboxInput | forms.RadioSelect):
        return field.as_widget()
    return field.as_widget(attrs={"class": "select" if isinstance(widget, forms.Select) else "input"})


@register.simple_block_tag
def unindented(content: str) -> SafeString:
    """Remove the indentation of templates from HTML, to save bytes."""
    return mark_safe(INDENT.sub("\n", content))  # noqa: S308 (rendered already)


@register.inclusion_tag("parts/_qr.html")
def qr_code(link: str) -> dict[str, Any]:
    """The QR code of a link."""
    return {"picture": qr.picture(link)}


@register.simple_tag
def pupil_picture(pupil: User) -> SafeString:
    """The picture on the card of a pupil."""
    return pictures.picture(pupil)


@register.inclusion_tag("parts/_reach.html", takes_context=True)
def reach_hint(context: Context) -> dict[str, Any]:
    """A hint beside a link, if other computers cannot open links to this site."""
    return {"reaches_nobody": addresses.reaches_nobody(context["request"])}


@register.simple_tag
def matches_in_play(user: User) -> int:
    """The number of a user's matches in play."""
    return deletion.plays_now(user)


@register.simple_tag
def presets() -> dict[str, str]:
    """The quick messages by key, in the active language."""
    return {key: gettext(sentence) for key, sentence in PRESETS.items()}


@register.filter
def mute_in_words(user: User) -> str:
    """Why and until when a signed-in user cannot chat; "" for others."""
    mute = mute_of(user)
    return "" if mute is None else mute.words


@register.simple_tag(takes_context=True)
def way_back(context: Context, match: Match) -> WayBack | None:
    """The link from a match back to its tournament, for one of its players; None without one.

    A page asks for it in several blocks, and it is read once.
    """
    read = context.render_context
    if WAY_BACK not in read:
        read[WAY_BACK] = next_matches.way_back(match.pk, context["user"])
    found: WayBack | None = read[WAY_BACK]
    return found


@register.filter
def whole(words: str) -> SafeString:
    """Keep hyphenated words such as “e-mail” on one line."""
    return _together(LETTER_AND_WORD, words)


@register.filter
def whole_names(words: str) -> SafeString:
    """Keep each name, and its score, on one line."""
    return _together(NAME_AND_SCORE, words)


def _together(kept: re.Pattern[str], words: str) -> SafeString:
    together = kept.sub(r'<span class="whole">\g<0></span>', conditional_escape(words))
    return mark_safe(together)  # noqa: S308 (escaped above)
