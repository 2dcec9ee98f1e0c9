"""The forms of classes. `lobby.classes` decides."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from lobby.classes.models import TITLE_LENGTH


class MakeForm(forms.Form):
    """Makes a class."""

    title = forms.CharField(
        label=_("Name of the class"),
        max_length=TITLE_LENGTH,
        help_text=_("For example 5b, or Board games on Tuesdays. Pupils and their parents see it."),
    )
