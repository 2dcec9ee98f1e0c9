"""Finds what people read and nobody has marked for the translators: in Python, templates and modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from babel.messages.jslexer import tokenize, unquote_string
from django.template.base import Lexer, TokenType

MARKS = {
    *("_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "ngettext_noop"),
    *("pgettext", "pgettext_lazy", "npgettext", "npgettext_lazy"),
}
"""The functions by which a sentence is marked."""
FOR_HOSTS = {
    "ImproperlyConfigured",
    "Error",
    "TypeError",
    "ValueError",
    "RuntimeError",
    "NotBundled",
    "Unusable",
}
FOR_HOSTS |= {
    "debug",
    "info",
    "warning",
    "error",
    "exception",
    "print",
    "warn",
    "exit",
    "write",
    "add_argument",
}
"""Who is told what is given to these runs the site or writes it, and reads English."""

LETTERS = re.compile(r"[^\W\d_]{2,}")
SENTENCE = re.compile(r"[A-Z][\w’'-]*[ ,].*\w.*|[A-Z][\w’'-]+[.!?…]|.*[a-z]{2,} [a-z]+.*[.!?…]", re.DOTALL)
"""Words that begin like a sentence and go on, or end like one; code has names, which have no spaces."""
CODE = re.compile(r"M-?\d.*|(SELECT|UPDATE|PRAGMA) .*", re.DOTALL)
"""What begins like a sentence and is none: the strokes of a drawing, SQL."""


def reads(text: str) -> bool:
    """Whether a text is one for people."""
    return SENTENCE.fullmatch(text) is not None and CODE.fullmatch(text) is None


# Templates

SHOWN = {"title", "alt", "aria-label", "placeholder", "aria-roledescription", "aria-valuetext", "label"}
"""Attributes that people read or hear."""
SILENT = {"script", "style", "code", "pre", "kbd"}


class Text(HTMLParser):
    """What stands in HTML to be read."""

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


def unmarked_in_template(source: str) -> list[str]:
    """The words of a template that stand in no tag that translates."""
    kept, inside = [], False
    for token in Lexer(source).tokenize():
        word = token.contents.split()[0] if token.token_type == TokenType.BLOCK and token.contents else ""
        inside = word not in ("endblocktranslate", "endcomment") and (
            inside or word in ("blocktranslate", "comment")
        )
        if token.token_type == TokenType.TEXT and not inside:
            kept.append(token.contents)
        elif not inside:
            # What a tag says is said by it; between two it keeps them apart.
            kept.append("\N{ZERO WIDTH SPACE}")
    text = Text()
    text.feed("".join(kept))
    text.close()
    return text.found


# Python


def unmarked_in_python(source: str) -> list[str]:
    """The sentences of a module that are no docstrings and are handed to no function that marks them."""
    return list(_sentences(ast.parse(source)))


def _sentences(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and _called(node.func) in MARKS | FOR_HOSTS:
        return
    if isinstance(node, ast.Raise | ast.Assert):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and reads(node.value):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from _sentences(child)


def _called(function: ast.expr) -> str:
    return getattr(function, "attr", "") or getattr(function, "id", "")


# Modules of the browser


def unmarked_in_script(source: str) -> list[str]:
    """The sentences of a module that are handed to no function that marks them."""
    found, calls, before = [], [""], ""
    for token in tokenize(source):
        if token.value == "(":
            calls.append(before)
        elif token.value == ")":
            calls.pop()
        elif token.type in ("string", "template_string") and not MARKS & set(calls):
            said = unquote_string(token.value) if token.type == "string" else token.value[1:-1]
            if reads(said) and calls[-1] not in FOR_HOSTS:
                found.append(said)
        before = token.value if token.type == "name" else ""
    return found


def files(root: Path, *kinds: str) -> Iterator[Path]:
    for kind in kinds:
        yield from sorted(path for path in root.rglob(kind) if "migrations" not in path.parts)
