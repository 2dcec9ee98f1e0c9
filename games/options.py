"""Options of a game in the words of whoever reads them, for forms, tables and the match page."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from games.registry import Game
from games.rules.base import Choice, choices_of


def value_in_words(choice: Choice, value: Any) -> str:
    """One value of an option: its own words if it has any, else yes and no, else the value itself."""
    words = choice.offered.get(value, "")
    if words:
        return gettext(words)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)


def in_words(options: Any) -> list[str]:
    """Every option as "Title: value", in the order of the form."""
    return [
        f"{gettext(choice.title)}: {value_in_words(choice, getattr(options, choice.name))}"
        for choice in choices_of(type(options))
    ]


def preset_of(game: Game, options: Any) -> str | None:
    """The slug of the preset with exactly these options."""
    return next((slug for slug, preset in game.rules.PRESETS.items() if preset == options), None)
