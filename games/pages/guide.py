"""The rules of a game as its page shows them: translated, with the markup as HTML."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.rules.base import Section

_MARKED = re.compile(r"(\*\*.+?\*\*|`.+?`)")


class Part(NamedTuple):
    """A paragraph, or a list if it has `points`."""

    text: SafeString
    points: list[SafeString]


class Shown(NamedTuple):
    """A section: its heading and content."""

    heading: str
    parts: list[Part]


def shown(guide: tuple[Section, ...]) -> list[Shown]:
    """The sections of a guide in the active language."""
    return [Shown(gettext(section.heading), [_part(each) for each in section.body]) for section in guide]


def in_html(text: str) -> SafeString:
    """Convert the markup that `Section` describes to HTML; all other text is escaped."""
    return format_html_join("", "{}", ((_element(piece),) for piece in _MARKED.split(text)))


def _part(said: str | tuple[str, ...]) -> Part:
    if isinstance(said, str):
        return Part(in_html(gettext(said)), [])
    return Part(SafeString(), [in_html(gettext(point)) for point in said])


def _element(piece: str) -> str:
    """The element for a marked piece; other pieces are returned unchanged."""
    if not _MARKED.fullmatch(piece):
        return piece
    if piece.startswith("`"):
        return format_html("<code>{}</code>", piece[1:-1])
    return format_html("<strong>{}</strong>", piece[2:-2])
