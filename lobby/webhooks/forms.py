"""The form that adds a webhook. `lobby.webhooks.hooks` decides."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from lobby.webhooks.events import (
    FINISHED,
    TOURNAMENT_FINISHED,
    TOURNAMENT_ROUND,
    TOURNAMENT_STARTED,
    TURN,
)
from lobby.webhooks.hooks import HookError
from lobby.webhooks.models import URL_LENGTH
from lobby.webhooks.outgoing import Unsent

WORDS = {
    FINISHED: _("My match has ended"),
    TURN: _("It is my turn"),
    TOURNAMENT_STARTED: _("My tournament has begun"),
    TOURNAMENT_ROUND: _("I am paired in a tournament"),
    TOURNAMENT_FINISHED: _("My tournament is over"),
}
"""Labels of the events."""

FIELDS = {"no-events": "events"}
"""The field of an error, by code; other errors belong to the URL, and "too-many" to the whole form."""


class HookForm(forms.Form):
    """URL and events."""

    url = forms.CharField(
        label=_("Address"),
        max_length=URL_LENGTH,
        help_text=_("It must start with https:// and be reachable from the internet."),
        widget=forms.TextInput(
            attrs={"inputmode": "url", "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    events = forms.MultipleChoiceField(
        label=_("Send events when"),
        choices=list(WORDS.items()),
        initial=list(WORDS),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def refuse(self, error: HookError | Unsent) -> None:
        """Show an error at its field."""
        self.add_error(None if error.code == "too-many" else FIELDS.get(error.code, "url"), error.words)
