"""Translation catalogues for the browser's modules: a page gets only the sentences that its modules use.

Each is a script whose address contains the language and a hash of its content, so that it can be cached for
ever. English is the source language and needs the functions alone.

The English sentences are in the modules already. The script has short keys in their place, half as large,
which the browser computes from each sentence as `key` does (FNV-1a, 24 bits of it).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

import brotli
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from config.assets.bundle import modules

FUNCTIONS = """\
{
  const words = %(words)s;
  const form = (n) => Number(%(plural)s);
  const key = (one) => {
    let hash = 0x811c9dc5;
    for (let at = 0; at < one.length; at += 1) hash = Math.imul(hash ^ one.charCodeAt(at), 0x01000193);
    return (hash >>> 8).toString(36);
  };
  globalThis.gettext = (one) => words[key(one)] ?? one;
  globalThis.ngettext = (one, many, n) => words[key(one)]?.[form(n)] ?? (n === 1 ? one : many);
}
"""
INTERPOLATE = """\
globalThis.interpolate = (sentence, values, named) =>
  named
    ? sentence.replace(/%\\((\\w+)\\)s/g, (_, name) => String(values[name]))
    : sentence.replace(/%s/g, () => String(values.shift()));
"""
ENGLISH = "n !== 1"
A_YEAR = 60 * 60 * 24 * 365


def address(language: str, names: Iterable[str]) -> str:
    """The address of the catalogue of some modules and their imports, in its current version."""
    called = "+".join(name.removesuffix(".js") for name in names)
    return reverse("words", args=[language, called, version(script(language, called))])


@require_safe
def words(request: HttpRequest, language: str, names: str, digest: str) -> HttpResponse:
    """The catalogue of some modules. A page of an older version gets the current one, uncached."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    try:
        text = script(language, names)
    except LookupError:
        raise Http404 from None
    response = HttpResponse(text, content_type="text/javascript", headers={"Content-Language": language})
    if "br" in request.headers.get("Accept-Encoding", ""):
        response.content = compressed(text)
        response.headers["Content-Encoding"] = "br"
    patch_vary_headers(response, ["Accept-Encoding"])
    if digest == version(text):
        patch_cache_control(response, public=True, max_age=A_YEAR, immutable=True)
    else:
        patch_cache_control(response, no_cache=True)
    return response


@lru_cache(maxsize=256)
def script(language: str, names: str) -> str:
    """The catalogue script of modules, named without suffixes and joined by `+`.

    Raises LookupError for an unknown module.
    """
    said, catalog = needed(f"{name}.js" for name in names.split("+")), catalogue(language)
    found = {} if catalog is None else translations(catalog, said)
    plural = ENGLISH if catalog is None else catalog.plural_expr
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return FUNCTIONS % {"words": text, "plural": plural} + INTERPOLATE


@lru_cache(maxsize=256)
def compressed(text: str) -> bytes:
    """The script with the best compression: it is the same for everybody, so its length reveals nothing."""
    made: bytes = brotli.compress(text.encode())
    return made


def key(english: str) -> str:
    """The short key of an English sentence in the scripts."""
    units = english.encode("utf-16-le")
    found = 0x811C9DC5
    for low, high in zip(units[::2], units[1::2], strict=True):
        found = (found ^ (high << 8 | low)) * 0x01000193 & 0xFFFFFFFF
    return _in_base_36(found >> 8)


def _in_base_36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return (_in_base_36(number // 36) if number >= 36 else "") + digits[number % 36]


def version(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


def translations(catalog: Catalog, said: frozenset[str]) -> dict[str, str | list[str]]:
    """The translations of the given sentences, each by the key of its English singular."""
    found: dict[str, str | list[str]] = {}
    for message in catalog:
        english, told = message.id, message.string or ""
        where = {path.removeprefix("static/") for path, _line in message.locations}
        if (
            not english
            or message.fuzzy
            or not all([told] if isinstance(told, str) else told)
            or not where & said
        ):
            continue
        if isinstance(english, str):
            found[key(english)] = str(told)
        else:
            found[key(english[0])] = list(told)
    return found


def needed(names: Iterable[str]) -> frozenset[str]:
    """Some modules with all their imports, static and dynamic. Raises LookupError for an unknown module."""
    graph, found, ahead = _modules(), set[str](), list(names)
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += graph[name]
    return frozenset(found)


@cache
def catalogue(language: str) -> Catalog | None:
    """The catalogue of the modules in a language; None for the source language."""
    path = Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "djangojs.po"
    if not path.exists():
        return None
    with path.open("rb") as file:
        return read_po(file)


@cache
def _modules() -> dict[str, set[str]]:
    (directory,) = map(Path, settings.STATICFILES_DIRS)
    return modules(directory, later=True)
