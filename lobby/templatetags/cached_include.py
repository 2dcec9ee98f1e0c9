"""A cached `{% include %}` for fragments that are the same for many readers.

Django's `{% cache %}` cannot be used, as forms in the fragment contain the reader's CSRF token and a form
key. Without this tag the front page takes 20 ms instead of 7. Django's local-memory cache would add 1 ms, for
a lock, a hash and a copy each time.
"""

import re
import secrets
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import orjson
from django import template
from django.template.base import Template
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.net.process import process
from lobby.tables.forms.table import TableForm
from lobby.templatetags.parts import new_form_key

register = template.Library()

MAX_FRAGMENTS = 2000
"""Maximum fragments in the cache, a few kB each."""
MAX_FORMS = 200
"""Maximum forms in the cache, up to 60 kB each."""
CSRF_TOKEN = secrets.token_hex(16)
"""Placeholder for the reader's CSRF token in a cached fragment. Random, so that no text can contain it."""
FORM_KEY = secrets.token_hex(16)
"""Placeholder for form keys (`lobby.http.idempotency`), which are new on every page."""


@register.simple_tag(takes_context=True)
def cached_include(context: Context, template_name: str, **values: Any) -> SafeString:
    """Render a template, cached by its name, `values` and the active language.

    Args:
        context: the page's context; only its CSRF token is used.
        template_name: the template.
        values: its context: strings, numbers, None, and lists, dictionaries and named tuples of those.
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
    """JSON encoder for named tuples, whose fields templates read by name."""
    named: dict[str, Any] = value._asdict()
    return named


@lru_cache(MAX_FRAGMENTS)
def _drawn(part: Template, _language: str | None, written: bytes) -> str:
    # Render from the cache key only, so that no reader sees a fragment of another.
    return part.render(Context({**orjson.loads(written), "csrf_token": CSRF_TOKEN, "form_key": FORM_KEY}))


@dataclass(frozen=True, slots=True)
class _Unsent:
    """A form without submitted data. Two are equal if they show the same."""

    shows: str
    form: TableForm = field(compare=False)


@register.simple_tag(takes_context=True)
def cached_form(context: Context, template_name: str, form: TableForm) -> SafeString:
    """Render fields of a form. Without submitted data or a position they are cached by what the form shows.

    Args:
        context: the page's context, from which only the engine is used.
        template_name: a template whose only variable is `form`. It contains no `{% csrf_token %}`.
        form: the form.
    """
    part = context.template.engine.get_template(template_name)  # type: ignore[union-attr]
    if form.is_bound or form.start is not None:
        return part.render(Context({"form": form}))
    return _drawn_form(part, get_language(), _Unsent(form.shows(), form))


@lru_cache(MAX_FORMS)
def _drawn_form(part: Template, _language: str | None, unsent: _Unsent) -> SafeString:
    return part.render(Context({"form": unsent.form}))


process.at_start(_drawn_form.cache_clear)
