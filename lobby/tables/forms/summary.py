"""A short summary of a form's collapsed fields."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from lobby.tables.models import Table

ANY = "*"
"""Key for all values without a text of their own; `%s` in its text is the value."""

Words = Mapping[str, Mapping[str, str]]
"""By field name, in order: the text of each value."""


def words_of(form: forms.Form, besides: Collection[str]) -> Words:
    """The texts of every field, except the visible ones in `besides`."""
    known: dict[str, Callable[[dict[str, str]], dict[str, str]]] = {
        "rated": dict,
        "listed": lambda _labels: {"yes": _("Open to everyone"), "no": _("By invitation")},
        "lowest": lambda _labels: {ANY: _("Ratings from %s")},
        "highest": lambda _labels: {ANY: _("Ratings up to %s")},
        "clock": dict,
        "first": _first,
        "opens": lambda labels: dict(list(labels.items())[1:]),
        "watchers": _watchers,
        "chat": lambda labels: {"no": labels["no"]},
    }
    asked = [name for name in known if name in form.fields and name not in besides]
    return {"preset": {"own": _("Custom")}, **{name: known[name](_labels(form, name)) for name in asked}}


def now(form: forms.Form, words: Words) -> list[str]:
    """The texts of the form's initial values."""
    said = (_said(known, form[name].value()) for name, known in words.items())
    return [each for each in said if each]


def _said(words: Mapping[str, str], value: object) -> str:
    text = "" if value is None else str(value)
    return words.get(text) or (words.get(ANY, "").replace("%s", text) if text else "")


def _labels(form: forms.Form, name: str) -> dict[str, str]:
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        return {}
    # In fact a list; Django's type also allows a callable.
    choices: Any = field.choices
    return {str(value): str(label) for value, label in choices}


def _first(labels: dict[str, str]) -> dict[str, str]:
    other = labels[Table.First.OTHER]
    return {
        Table.First.HOST: _("I move first"),
        Table.First.OTHER: _("%(who)s moves first") % {"who": other},
        Table.First.LOT: _("Random first move"),
    }


def _watchers(labels: dict[str, str]) -> dict[str, str]:
    later = {value: _("Spectators see it %(later)s") % {"later": label} for value, label in labels.items()}
    return {**later, "0": _("Everyone can watch"), "nobody": _("Nobody can watch")}
