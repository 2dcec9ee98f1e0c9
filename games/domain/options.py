"""Game options in the language of the user, for forms, tables and the match page."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext

from games.registry import Game
from games.rules.base import Choice, choices_of


class Explained(NamedTuple):
    """An option with its explanation.

    `values` are the choices of the table form, each with whether it is the default. `is_number` says that
    they are plain numbers, which need no explanation.
    """

    title: str
    sentence: str
    values: list[tuple[str, bool]]
    is_number: bool


def value_in_words(choice: Choice, value: Any) -> str:
    """One value of an option: its own label if it has one, else yes or no, else the value."""
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


def explained(options: type) -> list[Explained]:
    """Every option of a game with its explanation and its values, in the order of the form."""
    return [
        Explained(
            gettext(choice.title),
            gettext(choice.sentence),
            [(value_in_words(choice, value), value == choice.default) for value in choice.offered],
            type(choice.default) is int and not any(choice.offered.values()),
        )
        for choice in choices_of(options)
    ]


def preset_in_words(game: Game, preset: str | None) -> str:
    """The name of a preset as in the guide of its game. None stands for custom options."""
    if preset is None:
        return gettext("Custom")
    name = _point_about(game, preset).partition(":** ")[0].removeprefix("**") or preset.capitalize()
    return name.replace("-", " ")


def sentence_of(game: Game, preset: str) -> str:
    """What the guide says about a preset, as a complete sentence."""
    told = _point_about(game, preset).partition(":** ")[2]
    return told[:1].upper() + told[1:]


def _point_about(game: Game, preset: str) -> str:
    """The point of the guide that begins with the name of a preset; "" if there is none."""
    mark = f"**{preset.capitalize()}:** "
    points = (
        point
        for section in game.rules.GUIDE
        for said in section.body
        if isinstance(said, tuple)
        for point in said
        if point.startswith(mark)
    )
    point = next(points, None)
    return "" if point is None else gettext(point)


def preset_of(game: Game, options: Any) -> str | None:
    """The slug of the preset with exactly these options."""
    return next((slug for slug, preset in game.rules.PRESETS.items() if preset == options), None)
