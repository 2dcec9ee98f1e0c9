"""The form for the next round of a class. `lobby.lessons.rounds` decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.domain import clock_words
from lobby.evenings.plan import live_clocks
from lobby.lessons.rounds import Chosen, games

LEVELS = 4
"""Levels of computer players that are offered: pupils are beginners."""


class RoundForm(forms.Form):
    """What is played in the next round, how long, and what an odd pupil does."""

    game = forms.ChoiceField(label=_("Game"))
    clock = forms.ChoiceField(label=_("Clock"), required=False)
    level = forms.TypedChoiceField(label=_("If one pupil is left over"), coerce=int)

    def __init__(self, data: Mapping[str, Any] | None = None, *, before: Chosen | None = None) -> None:
        super().__init__(data, initial=None if before is None else before._asdict())
        playable = games()
        clocks = dict.fromkeys(each for game in playable for each in live_clocks(game.clocks))
        self._choose_from("game", [(game.slug, gettext(game.title)) for game in playable])
        self._choose_from("clock", [(each, clock_words.in_words(each)) for each in ("", *clocks)])
        self._choose_from("level", [(level, _left_over(level)) for level in range(LEVELS + 1)])

    def _choose_from(self, name: str, choices: list[tuple[Any, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def chosen(self) -> Chosen:
        """The choices in a valid form."""
        return Chosen(**self.cleaned_data)


def _left_over(level: int) -> str:
    if level == 0:
        return gettext("The pupil waits")
    return gettext("The pupil plays the computer at level %(level)d") % {"level": level}
