"""Parts of pages that are drawn once for all who are shown the same.

Django's `{% cache %}` cannot keep them, because their forms hold a token and a key of the reader. Without
this tag the front page costs a visitor 20 ms instead of 7; on Django's local cache it costs 1 ms more, for a
lock, a hash and a copy each time.
"""

import re
import secrets
from functools import lru_cache
from typing import Any

import orjson
from django import template
from django.template.base import Template
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from lobby.templatetags.parts import new_form_key

register = template.Library()

KEPT = 2000
"""Parts that are kept, a few kilobytes each."""
CSRF_TOKEN = secrets.token_hex(16)
"""What stands in a kept part for the token of whoever is shown it. Nobody knows it, so nobody types it."""
FORM_KEY = secrets.token_hex(16)
"""The same for the keys of forms (`lobby.http.idempotency`), which are new on every page."""


@register.simple_tag(takes_context=True)
def cached_include(context: Context, template_name: str, **values: Any) -> SafeString:
    """A part of a page that knows these values alone, and of the page it stands on only the token of forms.

    The values are text, numbers, None, and lists, dictionaries and named tuples of those.
    """
    part = context.template.engine.get_template(template_name)  # type: ignore[union-attr]
    written = orjson.dumps(values, default=_by_names, option=orjson.OPT_PASSTHROUGH_DATETIME)
    html = _drawn(part, get_language(), written)
    if CSRF_TOKEN in html:
        html = html.replace(CSRF_TOKEN, str(context["csrf_token"]))
    if FORM_KEY in html:
        html = re.sub(FORM_KEY, lambda _: new_form_key(), html)
    return mark_safe(html)  # noqa: S308 (drawn by a template)


def _by_names(value: Any) -> dict[str, Any]:
    """What is no JSON by itself: named tuples, for which templates ask by name."""
    named: dict[str, Any] = value._asdict()
    return named


@lru_cache(KEPT)
def _drawn(part: Template, _language: str | None, written: bytes) -> str:
    # Of what it is kept by and nothing else, so that nobody is ever shown a part that is not theirs.
    return part.render(Context({**orjson.loads(written), "csrf_token": CSRF_TOKEN, "form_key": FORM_KEY}))
