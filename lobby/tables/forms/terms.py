"""The fields of a table's terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.domain import clock_words
from games.domain.absence_words import idle_rule
from games.domain.clock import LEAST_MINUTES, MINUTE, MOST_MINUTES, MOST_SECONDS, SECOND, Control, parse
from lobby.tables.terms import DELAYS, HIGHEST_RATING, TableTerms, delay_in_words

NOBODY = "nobody"
"""Choice besides the delays of spectators: none may watch."""
CUSTOM = "custom"
"""Choice besides the suggested clocks: the custom fields define it."""
CUSTOM_FIELDS = ("clock_minutes", "clock_seconds", "clock_bonus")
_DELAY = "delay"


class TermsForm(forms.Form):
    """All terms of a table; those left out have their defaults.

    Args:
        data: the submitted data, if any.
        why_casual: the reason the match cannot be rated, whatever its rules; "" if it can.
        challenge: whether the table is for a challenge, which has fewer terms.
        initial: initial values.
        clocks: the clocks that the game suggests.
    """

    listed = forms.ChoiceField(
        label=_("Who can join?"),
        choices=[("yes", _("Everyone")), ("no", _("People I invite"))],
        widget=forms.RadioSelect,
        initial="yes",
        required=False,
    )
    rated = forms.ChoiceField(
        label=_("Rated or casual?"),
        choices=[("no", _("Casual")), ("yes", _("Rated"))],
        widget=forms.RadioSelect,
        initial="no",
        required=False,
    )
    clock = forms.ChoiceField(
        label=_("Clock"),
        required=False,
        widget=forms.Select(attrs={"class": "select", "aria-describedby": "clock-hint"}),
    )
    clock_minutes = forms.IntegerField(
        label=_("Minutes for each player"),
        min_value=LEAST_MINUTES,
        max_value=MOST_MINUTES,
        initial=5,
        required=False,
    )
    clock_seconds = forms.IntegerField(
        label=_("Seconds per move"), min_value=0, max_value=MOST_SECONDS, initial=0, required=False
    )
    clock_bonus = forms.ChoiceField(
        label=_("Increment or delay"),
        choices=[("increment", _("Increment")), (_DELAY, _("Delay"))],
        widget=forms.Select(attrs={"class": "select"}),
        initial="increment",
        required=False,
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
        label=_("Who can watch?"), required=False, widget=forms.Select(attrs={"class": "select"})
    )

    chat = forms.ChoiceField(
        label=_("Chat"),
        choices=[("yes", _("Players and spectators")), ("no", _("No chat"))],
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
        clocks: Sequence[str],
    ) -> None:
        super().__init__(data, initial=initial)
        self.why_casual = why_casual
        self._add_clocks(clocks)
        if why_casual:
            self.initial["rated"] = "no"
        self._add_choices()
        if challenge:
            for name in ("listed", "lowest", "highest"):
                del self.fields[name]
        if not settings.CHAT:
            del self.fields["chat"]

    def _add_choices(self) -> None:
        delays = [(str(delay), delay_in_words(delay)) for delay in DELAYS if delay]
        self._set_choices(
            "watchers", [("0", _("Everyone, live")), *delays, (NOBODY, _("Nobody"))], initial="0"
        )
        for name in ("lowest", "highest", "clock_minutes", "clock_seconds"):
            self.fields[name].widget.attrs["class"] = "input"

    def _add_clocks(self, suggested: Sequence[str]) -> None:
        offered = ["", *suggested]
        choices = [(notation, clock_words.in_words(notation)) for notation in offered]
        self._set_choices("clock", [*choices, (CUSTOM, gettext("Custom clock"))])
        shown = self.initial.get("clock", "")
        if shown not in offered:
            self.initial.update(_custom_fields(parse(shown)))

    def _set_choices(self, name: str, choices: list[tuple[Any, Any]], initial: str | None = None) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        if initial is not None:
            field.initial = initial

    def clean(self) -> dict[str, Any]:
        """Ignore errors of the custom clock's fields unless a custom clock is chosen."""
        data: dict[str, Any] = self.cleaned_data
        if data.get("clock") != CUSTOM:
            for name in CUSTOM_FIELDS:
                self.errors.pop(name, None)
        elif "clock_minutes" in data and data["clock_minutes"] is None:
            self.add_error("clock_minutes", self.fields["clock_minutes"].error_messages["required"])
        return data

    def idle_rule(self) -> str:
        """The rule about idle players in matches without a clock."""
        days = (settings.IDLE_CLAIM_DAYS, settings.IDLE_END_DAYS, settings.IDLE_GUEST_END_DAYS)
        return " ".join(idle_rule(*days))

    def terms(self) -> TableTerms:
        """The terms that a valid form describes."""
        data = self.cleaned_data
        watchers = data.get("watchers") or "0"
        return TableTerms(
            listed=data.get("listed") != "no",
            clock=data["clock"] if data["clock"] != CUSTOM else _custom_notation(data),
            rated=data["rated"] == "yes",
            watchable=watchers != NOBODY,
            delay=0 if watchers == NOBODY else int(watchers),
            chat=data.get("chat") != "no",
            lowest_rating=data.get("lowest"),
            highest_rating=data.get("highest"),
            opens=int(data.get("opens") or 0),
        )

    def more_has_errors(self) -> bool:
        """Whether any collapsed term has an error."""
        terms = ("listed", "rated", "clock", "first", "opens", "lowest", "highest", "watchers", "chat")
        names = (*terms, *CUSTOM_FIELDS)
        return any(self[name].errors for name in names if name in self.fields)


def _custom_notation(data: Mapping[str, Any]) -> str:
    milliseconds = (data.get("clock_seconds") or 0) * SECOND
    bonus = {"simple_delay" if data.get("clock_bonus") == _DELAY else "increment": milliseconds}
    return str(Control(initial=data["clock_minutes"] * MINUTE, **bonus))


def _custom_fields(control: Control) -> dict[str, Any]:
    """Initial values for a clock that the game does not suggest; one of days per move becomes no clock."""
    if not control.live:
        return {"clock": ""}
    return {
        "clock": CUSTOM,
        "clock_minutes": control.initial // MINUTE,
        "clock_seconds": max(control.increment, control.simple_delay) // SECOND,
        "clock_bonus": _DELAY if control.simple_delay else "increment",
    }


def shown_terms(terms: TableTerms) -> dict[str, Any]:
    """The initial values for these terms."""
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
