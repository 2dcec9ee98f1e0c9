"""The form with what the owner of a club chooses."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.domain.refusals import Refused
from games.registry import GAMES
from lobby.clubs.clubs import Charter
from lobby.clubs.models import ABOUT_LENGTH, CLUB_NAME_LENGTH, Club

FIELDS = {"bad-name": "name", "bad-about": "about", "unknown-game": "games", "bad-joining": "joining"}
"""The field of a service error, by code."""


class ClubForm(forms.Form):
    """Name, description and games of a club, and who can join; of an existing club where there is one."""

    name = forms.CharField(label=_("Name of the club"), max_length=CLUB_NAME_LENGTH)
    about = forms.CharField(
        label=_("About the club"),
        max_length=ABOUT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    games = forms.MultipleChoiceField(
        label=_("Games"),
        help_text=_("Choose none to allow all games."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    joining = forms.ChoiceField(
        label=_("Who can join the club?"),
        choices=Club.Joining.choices,
        initial=Club.Joining.OPEN.value,
        widget=forms.RadioSelect,
    )

    def __init__(self, data: Any = None, *, club: Club | None = None) -> None:
        shown = ("name", "about", "games", "joining")
        super().__init__(data, initial={} if club is None else {name: getattr(club, name) for name in shown})
        field = self.fields["games"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(slug, gettext(game.title)) for slug, game in GAMES.items()]

    def charter(self) -> Charter:
        """What a valid form says."""
        return Charter(**self.cleaned_data)

    def refuse(self, error: Refused) -> None:
        """Show a service error at its field, or above the form."""
        self.add_error(FIELDS.get(error.code), error.words)
