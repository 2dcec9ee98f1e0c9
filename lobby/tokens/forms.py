"""The form that creates an API token."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.api.scopes import SCOPES
from games.domain.refusals import Refused
from lobby.tokens.models import TOKEN_NAME_LENGTH

FIELDS = {"empty": "name", "no-scope": "scopes"}
"""The field of a service error, by code."""


class TokenForm(forms.Form):
    """Name and scopes. `lobby.tokens.tokens` decides."""

    name = forms.CharField(
        label=_("Name"),
        max_length=TOKEN_NAME_LENGTH,
        required=False,
        help_text=_("A name to recognise it by."),
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it can do"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["scopes"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(scope, gettext(sentence)) for scope, sentence in SCOPES.items()]

    def refuse(self, error: Refused) -> None:
        """Show a service error at its field, or above the form."""
        self.add_error(FIELDS.get(error.code), error.words)
