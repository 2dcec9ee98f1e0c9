"""What a form asks for beside its presets, in a few words that stand where all that is folded away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from lobby.models import Table

ANY = "*"
"""Stands for every value without words of its own; `%s` in the words of it is the value."""

Words = Mapping[str, Mapping[str, str]]
"""By the name of a field, in the order in which they are said: the words of each of its values."""


def words_of(form: forms.Form, besides: Collection[str]) -> Words:
    """What is said of every field, but for those `besides` which are in sight."""
    known: dict[str, Callable[[dict[str, str]], dict[str, str]]] = {
        "rated": dict,
        "listed": lambda _labels: {"yes": _("Anyone may sit down"), "no": _("By invitation")},
        "lowest": lambda _labels: {ANY: _("Ratings from %s")},
        "highest": lambda _labels: {ANY: _("Ratings up to %s")},
        "clock": dict,
        "first": _first,
        "opens": lambda labels: dict(list(labels.items())[1:]),
        "watchers": _watchers,
        "chat": lambda labels: {"no": labels["no"]},
    }
    asked = [name for name in known if name in form.fields and name not in besides]
    return {"preset": {"own": _("Own rules")}, **{name: known[name](_labels(form, name)) for name in asked}}


def now(form: forms.Form, words: Words) -> list[str]:
    """The words of the values with which the form comes."""
    said = (_said(known, form[name].value()) for name, known in words.items())
    return [each for each in said if each]


def _said(words: Mapping[str, str], value: object) -> str:
    text = "" if value is None else str(value)
    return words.get(text) or (words.get(ANY, "").replace("%s", text) if text else "")


def _labels(form: forms.Form, name: str) -> dict[str, str]:
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        return {}
    # A list in fact; the types of Django also know it as what makes one.
    choices: Any = field.choices
    return {str(value): str(label) for value, label in choices}


def _first(labels: dict[str, str]) -> dict[str, str]:
    other = labels[Table.First.OTHER]
    return {
        Table.First.HOST: _("I move first"),
        Table.First.OTHER: _("%(who)s moves first") % {"who": other},
        Table.First.LOT: _("First move by lot"),
    }


def _watchers(labels: dict[str, str]) -> dict[str, str]:
    later = {value: _("Watchers see it %(later)s") % {"later": label} for value, label in labels.items()}
    return {**later, "0": _("Everyone may watch"), "nobody": _("Nobody may watch")}
