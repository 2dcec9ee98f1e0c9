"""The parts of pages as template tags."""

import re
import secrets

from django import forms, template
from django.template.context import Context
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from lobby.accounts import deletion
from lobby.people.models import User

register = template.Library()

INDENT = re.compile(r"\n\s+")

LETTER_AND_WORD = re.compile(r"\b[^\W\d_]-\w+")
"""What no line may end in the middle of: "e-mail"."""

NAME_AND_SCORE = re.compile(r"(?:[\w-]+: \d+|\w+(?:-\w+)+),?")
"""Nor of these: "Calm-Heron: 22,", "Calm-Heron"."""


def new_form_key() -> str:
    """A key that no other form has."""
    return secrets.token_urlsafe(12)


@register.simple_tag(takes_context=True)
def form_key(context: Context) -> SafeString:
    """What makes a form that is sent again lead to what it began the first time (`lobby.http.idempotency`).

    A part that is kept for many readers brings a `form_key` of its own, in whose place each gets a new one.
    """
    key = context.get("form_key") or new_form_key()
    return format_html('<input type="hidden" name="key" value="{}">', key)


@register.simple_tag
def control(field: forms.BoundField) -> SafeString:
    """The input of a field as our parts look; label, hint and error stand in `_field.html`."""
    widget = field.field.widget
    # A label that vanishes while one types is none.
    widget.attrs.pop("placeholder", None)
    if isinstance(widget, forms.CheckboxInput | forms.RadioSelect):
        return field.as_widget()
    return field.as_widget(attrs={"class": "select" if isinstance(widget, forms.Select) else "input"})


@register.simple_block_tag
def unindented(content: str) -> SafeString:
    """A part of a page without the indentation of its templates, which browsers would load for nothing."""
    return mark_safe(INDENT.sub("\n", content))  # noqa: S308 (rendered already)


@register.simple_tag
def matches_in_play(user: User) -> int:
    """How many matches somebody is in the middle of."""
    return deletion.plays_now(user)


@register.filter
def whole(words: str) -> SafeString:
    """Words with “e-mail” on one line."""
    return _together(LETTER_AND_WORD, words)


@register.filter
def whole_names(words: str) -> SafeString:
    """Words with each name, and the score beside it, on one line."""
    return _together(NAME_AND_SCORE, words)


def _together(kept: re.Pattern[str], words: str) -> SafeString:
    together = kept.sub(r'<span class="whole">\g<0></span>', conditional_escape(words))
    return mark_safe(together)  # noqa: S308 (escaped above)
