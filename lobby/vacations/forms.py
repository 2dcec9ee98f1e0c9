"""The form that takes a vacation."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.domain.refusals import Refused
from lobby.vacations.vacations import DAYS_A_YEAR

FIELDS = {"bad-beginning": "begins", "too-long": "days"}
"""The field of a service error, by code."""


class VacationForm(forms.Form):
    """How long, and from when. `lobby.vacations.vacations` decides."""

    days = forms.IntegerField(label=_("Days"), min_value=1, max_value=DAYS_A_YEAR, initial=7)
    begins = forms.DateField(
        label=_("First day"),
        help_text=_("Leave it empty to begin now. Days begin at midnight UTC."),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def beginning(self) -> datetime | None:
        """When the vacation of a valid form begins; None: now."""
        day: Any = self.cleaned_data["begins"]
        return None if day is None else datetime.combine(day, time(), UTC)

    def refuse(self, error: Refused) -> None:
        """Show a service error at its field, or above the form."""
        self.add_error(FIELDS.get(error.code), error.words)
