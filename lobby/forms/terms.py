"""The part of the form of a table that is about its terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.law import clock
from lobby.tables.terms import DELAYS, HIGHEST_RATING, TableTerms, delay_in_words

NOBODY = "nobody"
"""Stands beside the delays of watchers: there are none."""


class TermsForm(forms.Form):
    """All terms of a table; those that are left out are as usual.

    Args:
        data: what was sent, if anything was.
        why_casual: why the match cannot be rated, whatever its rules; "" if it can.
        challenge: whether the table is for one other person, which leaves less to settle.
        initial: what the fields show at first, where that is not the usual.
    """

    listed = forms.ChoiceField(
        label=_("Who may sit down?"),
        choices=[("yes", _("Everyone in the lobby")), ("no", _("Whoever I invite"))],
        widget=forms.RadioSelect,
        initial="yes",
        required=False,
    )
    rated = forms.ChoiceField(
        label=_("Does it count?"),
        choices=[("no", _("Casual")), ("yes", _("Rated"))],
        widget=forms.RadioSelect,
        initial="no",
        required=False,
    )
    clock = forms.ChoiceField(
        label=_("Clock"), required=False, widget=forms.Select(attrs={"class": "select"})
    )
    lowest = forms.IntegerField(
        label=_("Lowest rating"), min_value=0, max_value=HIGHEST_RATING, required=False
    )
    highest = forms.IntegerField(
        label=_("Highest rating"), min_value=0, max_value=HIGHEST_RATING, required=False
    )
    opens = forms.ChoiceField(
        label=_("Who moves first?"), widget=forms.RadioSelect, initial="0", required=False
    )
    watchers = forms.ChoiceField(
        label=_("Who may watch?"), required=False, widget=forms.Select(attrs={"class": "select"})
    )

    chat = forms.ChoiceField(
        label=_("Chat"),
        choices=[("yes", _("Players and watchers may talk")), ("no", _("No chat"))],
        widget=forms.Select(attrs={"class": "select"}),
        initial="yes",
        required=False,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        why_casual: str,
        challenge: bool,
        initial: dict[str, Any] | None,
    ) -> None:
        super().__init__(data, initial=initial)
        self.why_casual = why_casual
        if why_casual:
            self.initial["rated"] = "no"
        self._add_choices()
        if challenge:
            for name in ("listed", "lowest", "highest"):
                del self.fields[name]
        if not settings.CHAT:
            del self.fields["chat"]

    def _add_choices(self) -> None:
        self._set_choices("clock", [(each, gettext(clock.in_words(each))) for each in clock.CONTROLS])
        delays = [(str(delay), delay_in_words(delay)) for delay in DELAYS if delay]
        self._set_choices(
            "watchers", [("0", _("Everyone, live")), *delays, (NOBODY, _("Nobody"))], initial="0"
        )
        for name in ("lowest", "highest"):
            self.fields[name].widget.attrs["class"] = "input"

    def _set_choices(self, name: str, choices: list[tuple[Any, Any]], initial: str | None = None) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        if initial is not None:
            field.initial = initial

    def terms(self) -> TableTerms:
        """The terms that a valid form asks for."""
        data = self.cleaned_data
        watchers = data["watchers"] or "0"
        return TableTerms(
            listed=data.get("listed") != "no",
            clock=data["clock"],
            rated=data["rated"] == "yes",
            watchable=watchers != NOBODY,
            delay=0 if watchers == NOBODY else int(watchers),
            chat=data.get("chat") != "no",
            lowest_rating=data.get("lowest"),
            highest_rating=data.get("highest"),
            opens=int(data.get("opens") or 0),
        )

    def more_has_errors(self) -> bool:
        """Whether any of the terms that are folded away was refused."""
        names = ("listed", "rated", "clock", "first", "opens", "lowest", "highest", "watchers", "chat")
        return any(self[name].errors for name in names if name in self.fields)


def shown_terms(terms: TableTerms) -> dict[str, Any]:
    """What the fields show for these terms."""
    return {
        "listed": "yes" if terms.listed else "no",
        "rated": "yes" if terms.rated else "no",
        "clock": terms.clock,
        "watchers": str(terms.delay) if terms.watchable else NOBODY,
        "chat": "yes" if terms.chat else "no",
        "lowest": terms.lowest_rating,
        "highest": terms.highest_rating,
        "opens": str(terms.opens),
    }
