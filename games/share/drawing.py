"""Pictures of positions: self-contained SVG documents (`games.share.painter` renders them to PNG).

The colours are those of the light theme, as other sites show the pictures. A document refers to nothing
outside of it.
"""

from __future__ import annotations

import importlib
import re
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol, cast

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.pictures import any_game
from games.pictures.shapes import Look, rect, tag
from games.rules.base import Outcome
from games.share import colours

XMLNS = "http://www.w3.org/2000/svg"
CARD = (1200, 630)
"""Width and height of a preview card in pixels, as link previews recommend it."""
CARD_MARGIN = 40
CARD_WORDS = 150
"""Height of the words below the board of a card in pixels."""
HEADLINE, NOTE = 54, 34
"""Font sizes of the words of a card in pixels."""
WIDEST = 0.66
"""Width of a character in font sizes, as an upper estimate."""
FONTS = "DejaVu Sans, Noto Sans, Liberation Sans, Arial, Helvetica, sans-serif"
"""The first that the server has draws the words of cards. All of them have Latin and Cyrillic letters."""

_NAMED = re.compile(r"""\bid="|\burl\(#""")
_USE = re.compile(r"var\(--([a-z0-9-]+)\)")


class CardWords(NamedTuple):
    """The words below the board of a card: a large line and a small one."""

    headline: str
    note: str


class PictureModule(Protocol):
    """A module of `games.pictures`."""

    def size(self, state: Any) -> tuple[float, float]:
        """Width and height of the picture, in its own units."""

    def draw(self, state: Any, outcome: Outcome | None) -> str:
        """The picture of a position as SVG elements; `outcome` is None before the end."""

    @property
    def ICON(self) -> str:  # noqa: N802
        """SVG shapes in a square of 24 by 24 units."""


@cache
def picture_module(slug: str) -> PictureModule:
    """The picture module of a game: its own, or the generic one."""
    name = f"games.pictures.{slug}"
    return cast(PictureModule, any_game if find_spec(name) is None else importlib.import_module(name))


def picture(slug: str, state: Any, outcome: Outcome | None, title: str) -> str:
    """A position as an SVG document; `title` is its text alternative."""
    module = picture_module(slug)
    width, height = module.size(state)
    return _document(width, height, tag("title", escape(title)), module.draw(state, outcome))


def icon(slug: str) -> str:
    """The SVG shapes of a game's icon: its own, or the generic ones."""
    return picture_module(slug).ICON


def card(slug: str, state: Any, outcome: Outcome | None, words: CardWords | None = None) -> str:
    """A position on a preview card, as an SVG document, with `words` below the board."""
    module, (wide, high) = picture_module(slug), CARD
    width, height = module.size(state)
    room = high - 2 * CARD_MARGIN - (CARD_WORDS if words else 0)
    scale = min((wide - 2 * CARD_MARGIN) / width, room / height)
    left, top = (wide - width * scale) / 2, CARD_MARGIN + (room - height * scale) / 2
    place = f"translate({left:g} {top:g}) scale({scale:g})"
    ground = rect(0, 0, wide, high, fill="var(--paper)")
    drawn = tag("g", module.draw(state, outcome), transform=place)
    return _document(wide, high, ground, drawn, *(_lines(words) if words else ()))


def _lines(words: CardWords) -> list[str]:
    bottom = CARD[1] - CARD_MARGIN
    return [
        _line(
            words.headline, HEADLINE, y=bottom - NOTE - CARD_MARGIN / 2, font_weight="bold", fill="var(--ink)"
        ),
        _line(words.note, NOTE, y=bottom, fill="var(--ink-soft)"),
    ]


def _line(text: str, size: float, **look: float | str | None) -> str:
    """A centred line of text, smaller if it is long."""
    wide = CARD[0]
    fitting = (wide - 2 * CARD_MARGIN) / (WIDEST * max(1, len(text)))
    common: Look = {"text_anchor": "middle", "font_family": FONTS, "font_size": min(size, fitting)}
    return tag("text", escape(text), x=wide / 2, **common, **look)


def sample(slug: str, start: Any, name: str) -> SafeString:
    """A small picture of the rules of a match as inline `<svg>`, in the colours of the page.

    It has no text alternative, as the text beside it says the same. `name` must be unique on the page.
    """
    telling = getattr(picture_module(slug), "sample", None)
    state, outcome = (start, None) if telling is None else telling(start)
    return beside(slug, state, name, outcome)


def beside(slug: str, state: Any, name: str, outcome: Outcome | None = None) -> SafeString:
    """A position as inline `<svg>` in the colours of the page, without a text alternative.

    `name` must be unique on the page.
    """
    width, height, drawn = _drawn(slug, state, outcome)
    return _element(width, height, _NAMED.sub(rf"\g<0>{name}-", drawn), aria_hidden="true")


def board(slug: str, state: Any, title: str) -> SafeString:
    """A position as inline `<svg>` in the colours of the page; `title` is its text alternative."""
    width, height, drawn = _drawn(slug, state, None)
    return _element(width, height, drawn, role="img", aria_label=escape(title))


def _drawn(slug: str, state: Any, outcome: Outcome | None) -> tuple[float, float, str]:
    module = picture_module(slug)
    return *module.size(state), module.draw(state, outcome)


def _element(width: float, height: float, drawn: str, **about: str) -> SafeString:
    box = f"0 0 {width:g} {height:g}"
    return mark_safe(tag("svg", drawn, viewBox=box, **about))  # noqa: S308 - shapes and numbers


def _document(width: float, height: float, *shapes: str) -> str:
    box = f"0 0 {width:g} {height:g}"
    size = {"viewBox": box, "width": f"{width:g}", "height": f"{height:g}"}
    drawn = tag("svg", *shapes, xmlns=XMLNS, role="img", **size)
    return _USE.sub(lambda use: colours.by_day()[use[1]], drawn)
