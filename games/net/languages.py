"""Which language whoever is at the other end reads, and how lists are written in it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from babel.lists import format_list
from django.conf import settings
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

PARAMETER = "lang"
"""What names a language in an address: a page by it is found in each language."""

CUSTOMS = {"en": "en_GB"}
"""Whose customs count where a language has several: no comma before the last "and"."""


def first_known(codes: Iterable[str]) -> str:
    """The first language that is spoken here, or a relative of it; "" if none is."""
    for code in filter(None, codes):
        with contextlib.suppress(LookupError):
            return translation.get_supported_language_variant(code)
    return ""


def language_of(address: str, cookie: str, account: str, accepted: str) -> str:
    """The language of an address, else what somebody chose in this browser, else with their account, else
    what their browser asks for (the header Accept-Language).
    """
    asked_for = (code for code, _liking in parse_accept_lang_header(accepted.lower()))
    return first_known((address, cookie, account, *asked_for)) or settings.LANGUAGE_CODE


def listed(names: Iterable[str]) -> str:
    """Names one after the other as the active language joins them: "A, B and C"."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return format_list(list(names), locale=CUSTOMS.get(language, language))
