"""The colours of static/css/tokens.css by token, for output without style sheets."""

from __future__ import annotations

import re
from functools import cache

from django.conf import settings

_COLOUR = r"#[0-9a-f]{6}"
_TOKEN = re.compile(rf"--([a-z0-9-]+):\s*(?:light-dark\(\s*)?({_COLOUR})(?:,\s*({_COLOUR})\s*\))?")


@cache
def by_day() -> dict[str, str]:
    """The default colours of the light theme."""
    return {name: day for name, day, _ in _tokens()}


@cache
def by_night() -> dict[str, str]:
    """The default colours of the dark theme."""
    return {name: night or day for name, day, night in _tokens()}


def _tokens() -> list[tuple[str, str, str]]:
    text = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text()
    # Later definitions belong to the other colour sets: keep the first of each token.
    return list(reversed(_TOKEN.findall(text)))
