"""Selects the language of a client, and formats lists in it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from babel.lists import format_list
from django.conf import settings
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

PARAMETER = "lang"
"""Query parameter that selects the language, so that search engines index a page in every language."""

CUSTOMS = {"en": "en_GB"}
"""Regional variant used for list formatting: British English has no comma before the last "and"."""


def first_known(codes: Iterable[str]) -> str:
    """The first supported language, or a supported variant of it; "" if there is none."""
    for code in filter(None, codes):
        with contextlib.suppress(LookupError):
            return translation.get_supported_language_variant(code)
    return ""


def language_of(address: str, cookie: str, account: str, accepted: str) -> str:
    """The language named in the URL, else in the cookie, else in the account, else in Accept-Language."""
    asked_for = (code for code, _liking in parse_accept_lang_header(accepted.lower()))
    return first_known((address, cookie, account, *asked_for)) or settings.LANGUAGE_CODE


def listed(names: Iterable[str]) -> str:
    """Names joined in the style of the active language: "A, B and C"."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return format_list(list(names), locale=CUSTOMS.get(language, language))
