"""The presets of a game in forms, with picture and description."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.domain.options import sentence_of
from games.registry import GAMES, Game
from games.share import drawing


class Card(NamedTuple):
    """A preset: radio button, description, and picture."""

    radio: Any
    sentence: str
    picture: SafeString


def card(game: Game, radio: Any) -> Card:
    """The card of a preset, by its radio button."""
    slug = radio.data["value"]
    return Card(radio, sentence_of(game, slug), _picture(game.slug, slug))


@cache
def _picture(slug: str, preset: str) -> SafeString:
    rules = GAMES[slug].rules
    start = rules.setup(rules.PRESETS[preset], rules.SEATS[0])
    return drawing.sample(slug, start, f"{slug}-{preset}")
