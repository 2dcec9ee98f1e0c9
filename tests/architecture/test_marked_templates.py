"""Every text of a template stands in a tag that translates it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from django.template.base import Lexer, TokenType

ROOT = Path(__file__).parents[2]
LETTERS = re.compile(r"[^\W\d_]{2,}")
SHOWN = {"title", "alt", "aria-label", "placeholder", "aria-roledescription", "aria-valuetext", "label"}
"""Attributes that people read or hear."""
NAMES = {"Otter", "Fox", "Samsung Internet", "Mac OS"}
"""The same in every language."""
SILENT = {"script", "style", "code", "pre", "kbd"}


class Text(HTMLParser):
    """The visible text of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        self.found += [value for name, value in attrs if name in SHOWN and value and LETTERS.search(value)]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if not self._silent and LETTERS.search(data):
            self.found.append(data.strip())


def unmarked(source: str) -> list[str]:
    """The texts of a template outside translation tags."""
    kept, inside = [], False
    for token in Lexer(source).tokenize():
        word = token.contents.split()[0] if token.token_type == TokenType.BLOCK and token.contents else ""
        inside = word not in ("endblocktranslate", "endcomment") and (
            inside or word in ("blocktranslate", "comment")
        )
        if token.token_type == TokenType.TEXT and not inside:
            kept.append(token.contents)
        elif not inside:
            # A tag separates the texts around it.
            kept.append("\N{ZERO WIDTH SPACE}")
    text = Text()
    text.feed("".join(kept))
    text.close()
    return text.found


def test_every_text_of_a_template_is_marked():
    paths = [path for kind in ("*.html", "*.txt") for path in sorted((ROOT / "templates").rglob(kind))]
    found = {path.relative_to(ROOT).as_posix(): unmarked(path.read_text()) for path in paths}
    assert {path: texts for path, texts in found.items() if set(texts) - NAMES} == {}
