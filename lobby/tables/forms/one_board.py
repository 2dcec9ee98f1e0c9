"""The form for hot-seat matches, and its last values."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext

from games.models import NAME_LENGTH
from games.net.languages import listed
from games.registry import Game
from lobby.tables.forms.table import TableForm
from lobby.tables.forms.terms import CUSTOM_FIELDS

KEY = "one-board"
"""Session key of the last values, by game."""

NEEDS_OTHERS = (
    *("listed", "rated", "clock", "lowest", "highest", "opens", "watchers", "first"),
    *CUSTOM_FIELDS,
)
"""Fields of `TableForm` that do not apply to a hot-seat match."""


class BoardForm(TableForm):
    """Rules, number of players, and their names; the first player moves first.

    Args:
        game: the game.
        data: the submitted data, if any.
        last: the last values by field; values that are no longer offered are ignored.
    """

    def __init__(
        self, game: Game, data: Mapping[str, Any] | None = None, *, last: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(game, data)
        for name in NEEDS_OTHERS:
            self.fields.pop(name, None)
        for nth in range(game.rules.SEATS[-1]):
            self.fields[f"name_{nth}"] = _name_field(game, nth)
        self.show(last or {})

    def players(self) -> list[forms.BoundField]:
        """The name fields, by seat."""
        return [self[f"name_{nth}"] for nth in range(self.game.rules.SEATS[-1])]

    def names(self) -> list[str]:
        """The names in a valid form, by seat."""
        given = [self.cleaned_data[f"name_{nth}"] for nth in range(self.cleaned_data["seats"])]
        return [name or usual_name(self.game, nth) for nth, name in enumerate(given)]

    def says(self) -> str:
        """The initial names as short text."""
        shown = [str(self[f"name_{nth}"].value()) for nth in range(int(self["seats"].value()))]
        return listed(shown)


def usual_name(game: Game, nth: int) -> str:
    """What the player of a seat is called who has given no name."""
    if game.sides:
        return capfirst(gettext(game.sides[nth]))
    return gettext("Player %(number)d") % {"number": nth + 1}


def _name_field(game: Game, nth: int) -> forms.CharField:
    usual = usual_name(game, nth)
    words = gettext("%(side)s, moves first") if nth == 0 else "%(side)s"
    return forms.CharField(
        label=words % {"side": usual},
        initial=usual,
        max_length=NAME_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )


def remembered(session: Mapping[str, Any], game: Game) -> BoardForm:
    """The form with the last values for a game."""
    return BoardForm(game, last=session.get(KEY, {}).get(game.slug))


def remembered_players(session: Mapping[str, Any], game: Game) -> str:
    """The initial names as short text. Builds no form if there are no last values."""
    if game.slug in session.get(KEY, {}):
        return remembered(session, game).says()
    return listed(usual_name(game, nth) for nth in range(game.rules.SEATS[0]))


def at_once(session: Mapping[str, Any], game: Game) -> BoardForm:
    """The form of a one-click match, with the last values."""
    shown = remembered(session, game)
    return BoardForm(game, {name: shown[name].value() for name in shown.fields})


def remember(session: MutableMapping[str, Any], form: BoardForm) -> None:
    """Store the values of a valid form in the session."""
    names = {f"name_{seat}": name for seat, name in enumerate(form.names())}
    session[KEY] = {**session.get(KEY, {}), form.game.slug: {**form.cleaned_data, **names}}
