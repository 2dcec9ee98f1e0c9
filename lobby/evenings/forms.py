"""The forms of an evening. `lobby.evenings` decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from games.domain import clock_words
from games.registry import GAMES
from lobby.evenings import plan as plans
from lobby.evenings.evenings import LEAST_MINUTES, MOST_MINUTES, MOST_ROUNDS, USUAL_MINUTES, formats_of
from lobby.evenings.models import Evening
from lobby.evenings.plan import Chosen
from lobby.people.spelling import MAX_CHARACTERS
from lobby.tournaments.formats.words import WORDS
from lobby.tournaments.models import TITLE_LENGTH

PACES = {
    "10+5": gettext_noop("Calm (%(clock)s)"),
    "5+3": gettext_noop("Normal (%(clock)s)"),
    "3+2": gettext_noop("Fast (%(clock)s)"),
}
"""What clocks are called for people who have never played with one."""


class OpenForm(forms.Form):
    """Opens an evening: its title, game and duration in minutes, and the name of a visitor who hosts it."""

    title = forms.CharField(
        label=_("Name of the evening"),
        max_length=TITLE_LENGTH,
        required=False,
        help_text=_("For example your class. You may leave it empty."),
    )
    game = forms.ChoiceField(label=_("Game"))
    minutes = forms.IntegerField(
        label=_("Length in minutes"), min_value=LEAST_MINUTES, max_value=MOST_MINUTES, initial=USUAL_MINUTES
    )

    name = forms.CharField(
        label=_("Your name"),
        max_length=MAX_CHARACTERS,
        required=False,
        help_text=_("Your guests see it, and it is on the certificates. You may leave it empty."),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, is_visitor: bool = False, **rest: Any
    ) -> None:
        super().__init__(data, **rest)
        if not is_visitor:
            del self.fields["name"]
        games = [(slug, gettext(game.title)) for slug, game in GAMES.items()]
        self.fields["game"] = forms.ChoiceField(label=_("Game"), choices=games)


class PlanForm(OpenForm):
    """The plan; fields that are left empty follow from the number of people."""

    format = forms.ChoiceField(label=_("Format"), required=False)
    rounds = forms.IntegerField(
        label=_("Rounds"),
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text=_("Leave it empty to get as many as fit."),
    )
    clock = forms.ChoiceField(label=_("Clock"), required=False)
    chat = forms.BooleanField(label=_("Players can chat during matches"), required=False)

    def __init__(self, evening: Evening, data: Mapping[str, Any] | None = None) -> None:
        initial = {
            "game": evening.game,
            "minutes": evening.minutes,
            "format": evening.format,
            "rounds": evening.rounds or None,
            "clock": evening.clock,
            "chat": evening.chat,
        }
        super().__init__(data, initial=initial)
        # Whoever has come knows the evening by its title.
        del self.fields["title"]
        by_plan = ("", gettext("Best fit"))
        # Of all games, as the game may change with the same press. The service refuses what does not fit.
        formats = {slug: None for game in GAMES.values() for slug in formats_of(game)}
        clocks = dict.fromkeys(
            notation for game in GAMES.values() for notation in plans.live_clocks(game.clocks)
        )
        shown = [(slug, gettext(WORDS[slug].title)) for slug in formats]
        timed = [(notation, _clock_words(notation)) for notation in clocks]
        self.fields["format"] = forms.ChoiceField(
            label=_("Format"), choices=[by_plan, *shown], required=False
        )
        self.fields["clock"] = forms.ChoiceField(label=_("Clock"), choices=[by_plan, *timed], required=False)

    def chosen(self) -> Chosen:
        """The choices in a valid form."""
        data = self.cleaned_data
        return Chosen(data["format"], data["rounds"] or 0, data["clock"])


def _clock_words(notation: str) -> str:
    words = clock_words.in_words(notation)
    return gettext(PACES[notation]) % {"clock": words} if notation in PACES else words
