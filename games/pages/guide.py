"""The rules of a game as its page shows them: translated, the markup as HTML, and which have examples."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.examples.examples import rule_of
from games.registry import Game

_MARKED = re.compile(r"(\*\*.+?\*\*|`.+?`)")


class Text(NamedTuple):
    """A paragraph or an item of a list; `rule` is the number of its examples, None without any."""

    html: SafeString
    rule: int | None


class Part(NamedTuple):
    """A paragraph, or a list."""

    texts: list[Text]
    is_list: bool


class Shown(NamedTuple):
    """A section: its heading and content."""

    heading: str
    parts: list[Part]


def shown(game: Game) -> list[Shown]:
    """The sections of a game's guide in the active language."""
    return [
        Shown(gettext(section.heading), [_part(game.slug, each) for each in section.body])
        for section in game.rules.GUIDE
    ]


def in_html(text: str) -> SafeString:
    """Convert the markup that `Section` describes to HTML; all other text is escaped."""
    return format_html_join("", "{}", ((_element(piece),) for piece in _MARKED.split(text)))


def _part(slug: str, said: str | tuple[str, ...]) -> Part:
    texts, is_list = ((said,), False) if isinstance(said, str) else (said, True)
    return Part([_text(slug, text) for text in texts], is_list)


def _text(slug: str, text: str) -> Text:
    return Text(in_html(gettext(text)), rule_of(slug, text))


def _element(piece: str) -> str:
    """The element for a marked piece; other pieces are returned unchanged."""
    if not _MARKED.fullmatch(piece):
        return piece
    if piece.startswith("`"):
        return format_html("<code>{}</code>", piece[1:-1])
    return format_html("<strong>{}</strong>", piece[2:-2])
