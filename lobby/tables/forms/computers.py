"""The form for matches against computer players, and its last values."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.domain.absence_words import idle_rule
from games.registry import GAMES, Game
from lobby.tables import computers
from lobby.tables.forms.table import TableForm
from lobby.tables.models import Table
from lobby.tables.table_template import Plan

KEY = "computer"
"""Session key of the last game and, by game, the last values of the form."""


class ComputerForm(TableForm):
    """Level, rules, number of opponents, and the terms that apply without other people.

    Args:
        game: the game.
        data: the submitted data, if any.
        last: the last values by field; values that are no longer offered are ignored.
        like: a match to take the initial values from, instead of `last`.
    """

    level = forms.TypedChoiceField(label=_("Level"), widget=forms.RadioSelect, coerce=int)

    def __init__(
        self,
        game: Game,
        data: Mapping[str, Any] | None = None,
        *,
        last: Mapping[str, Any] | None = None,
        like: Plan | None = None,
    ) -> None:
        super().__init__(game, data, like=like)
        for name in ("listed", "lowest", "highest"):
            del self.fields[name]
        self._add_levels()
        self._say_opponents()
        if like is None:
            self.show(last or {})
        elif like.levels:
            self.initial["level"] = like.levels[0]

    def _add_levels(self) -> None:
        levels = [(str(n), gettext(level.name)) for n, level in enumerate(self.game.levels, 1)]
        self._set_choices("level", levels, initial=str(computers.middle(self.game)))

    def _say_opponents(self) -> None:
        seats = self.game.rules.SEATS
        self.fields["seats"].label = gettext("Opponents")
        self._set_choices("seats", [(str(n), str(n - 1)) for n in seats])
        self._say_first(gettext("The computer") if seats[-1] == 2 else gettext("The next one"))

    def _unsaid(self) -> set[str]:
        return {"rated", *super()._unsaid()}

    def idle_rule(self) -> str:
        """The rule about idle players; computer players claim nothing."""
        return " ".join(idle_rule(0, settings.IDLE_END_DAYS, settings.IDLE_GUEST_END_DAYS))

    def levels_in_words(self) -> list[tuple[Any, str]]:
        """The radio buttons of the levels, with their descriptions."""
        sentences = [gettext(level.sentence) for level in self.game.levels]
        return list(zip(self["level"], sentences, strict=True))

    def plan(self) -> Plan:
        """The match that a valid form describes."""
        data = self.cleaned_data
        levels = (data["level"],) * (data["seats"] - 1)
        terms = self.terms()
        return Plan(
            self.game.slug, self.options(), data["seats"], data["first"], terms, levels, data["position"]
        )


class Opponent(NamedTuple):
    """The opponent of a one-click match: its level, and who moves first."""

    level: int
    first: str


def opponent(session: Mapping[str, Any], game: Game, near: int, newcomer: bool) -> Opponent:
    """The opponent of the last values, by default on level `near`. A newcomer moves first."""
    last = _chosen_last(session, game)
    first = Table.First.HOST if newcomer else Table.First.LOT
    level = int(last.get("level", near))
    if not 1 <= level <= len(game.levels):
        level = near
    return Opponent(level, str(last.get("first", first.value)))


def at_once(session: Mapping[str, Any], game: Game, near: int, newcomer: bool) -> ComputerForm:
    """The form of a one-click match: the last values, against `opponent`."""
    shown = remembered(session, game.slug)
    data = {name: shown[name].value() for name in shown.fields}
    level, first = opponent(session, game, near, newcomer)
    return ComputerForm(game, {**data, "level": level, "first": first})


def remembered(session: Mapping[str, Any], slug: str = "") -> ComputerForm:
    """The form with the last values for a game, by default the last game."""
    game = GAMES.get(slug) or remembered_game(session)
    return ComputerForm(game, last=_chosen_last(session, game))


def remembered_game(session: Mapping[str, Any]) -> Game:
    """The game of the last form, by default the first game."""
    return GAMES.get(session.get(KEY, {}).get("game", "")) or next(iter(GAMES.values()))


def _chosen_last(session: Mapping[str, Any], game: Game) -> Mapping[str, Any]:
    chosen: Mapping[str, Any] = session.get(KEY, {}).get("by_game", {}).get(game.slug, {})
    return chosen


def remember(session: MutableMapping[str, Any], form: ComputerForm) -> None:
    """Store the values of a valid form in the session."""
    by_game = session.get(KEY, {}).get("by_game", {})
    chosen = {name: value for name, value in form.cleaned_data.items() if name != "rated"}
    session[KEY] = {"game": form.game.slug, "by_game": {**by_game, form.game.slug: chosen}}
