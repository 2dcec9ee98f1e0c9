"""Bundles with the translations inlined.

`pages/match.ru.js` and others stand beside `pages/match.js`, English too. They are hardly larger than the
module and need no catalogue script (`.js_catalog`). In development there are none.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from babel.messages.catalog import Catalog
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

from config.assets.bundle import LATER
from config.assets.storage import BundledStorage
from config.i18n.js_catalog import ENGLISH, INTERPOLATE, catalogue

WRITTEN = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.)*`)"""
ONE = re.compile(rf"\bgettext\({WRITTEN}\)")
MANY = re.compile(rf"\bngettext\({WRITTEN},\s*{WRITTEN},")
UNHEARD = re.compile(r"\bn?gettext\([^)]{,60}")
FORMS = "globalThis.formOf = (forms, n) => forms[Number(%s)];\n"


class SpokenStorage(BundledStorage):
    """Stores each bundle in every language."""

    def complete(self, made: Path) -> None:
        for path in sorted(made.rglob("*.js")):
            for language, _name in settings.LANGUAGES:
                spoken = path.with_name(in_language(path.name, language))
                text = naming_bundles_in(language, path.read_text())
                spoken.write_text(translated(text, catalogue(language)))


def in_language(name: str, language: str) -> str:
    """The file name of a module's bundle in a language."""
    return f"{name.removesuffix('.js')}.{language}.js"


def naming_bundles_in(language: str, module: str) -> str:
    """A module whose dynamic imports name the bundles of a language."""

    def named(found: re.Match[str]) -> str:
        return found[0].replace(found["url"], in_language(found["url"], language))

    return LATER.sub(named, module)


def bundle_in(name: str, language: str) -> str | None:
    """The bundle of a module in a language; None if nothing was bundled."""
    spoken = in_language(name, language)
    return spoken if spoken in getattr(staticfiles_storage, "hashed_files", {}) else None


def translated(module: str, catalog: Catalog | None) -> str:
    """A module with its sentences translated by a catalogue, or in English, and without lookups.

    Raises ValueError for a sentence that is not a literal in its call.
    """
    said = (
        {} if catalog is None else {_first(each.id): each for each in catalog if each.id and not each.fuzzy}
    )
    count = 2 if catalog is None else catalog.num_plurals

    def one(call: re.Match[str]) -> str:
        english = _text(call[1])
        return _literal((english in said and said[english].string) or english)

    def many(call: re.Match[str]) -> str:
        english, others = _text(call[1]), _text(call[2])
        told = said[english].string if english in said else ()
        forms = list(told) if told and all(told) else [english, *[others] * (count - 1)]
        return f"formOf({_literal(forms)},"

    text = MANY.sub(many, ONE.sub(one, module))
    if unheard := UNHEARD.search(text):
        raise ValueError(f"This sentence is not written out where it is asked for: {unheard[0]}")
    plural = ENGLISH if catalog is None else catalog.plural_expr
    return (
        (FORMS % plural if "formOf(" in text else "") + (INTERPOLATE if "interpolate(" in text else "") + text
    )


def _first(english: str | tuple[str, ...] | list[str]) -> str:
    return english if isinstance(english, str) else english[0]


def _text(written: str) -> str:
    """The value of a JavaScript string literal, with any quotes."""
    inner = re.sub(r"""\\(['`$])|(")""", lambda found: found[1] or '\\"', written[1:-1])
    return str(json.loads(written if written[0] == '"' else f'"{inner}"'))


def _literal(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
