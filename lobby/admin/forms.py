"""The forms of admin actions."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth.forms import AdminUserCreationForm
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lobby.chat.models import REASON_LENGTH
from lobby.clubs.models import CLUB_NAME_LENGTH
from lobby.people import naming
from lobby.people.models import BAN_REASON_LENGTH, NAME_LENGTH

FOR_GOOD = ""
FOR_DAYS = (
    ("1", _("1 day")),
    ("3", _("3 days")),
    ("7", _("7 days")),
    ("30", _("30 days")),
)
DAYS = (*FOR_DAYS, (FOR_GOOD, _("permanently")))


def _reason(**changes: Any) -> forms.CharField:
    wide = forms.TextInput(attrs={"class": "vTextField"})
    return forms.CharField(label=_("Why?"), max_length=BAN_REASON_LENGTH, widget=wide, **changes)


class NewPersonForm(AdminUserCreationForm):  # type: ignore[type-arg]
    """Creates an account in the admin."""

    def clean_username(self) -> str:
        """Validate the name as at sign-up. Raises `ValidationError`."""
        return naming.choose(self.cleaned_data["username"])


class NoteForm(forms.Form):
    """An optional reason."""

    reason = _reason(required=False)


class AnswerForm(forms.Form):
    """The answer to an appeal."""

    answer = forms.CharField(
        label=_("Answer"),
        max_length=REASON_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"class": "vLargeTextField", "rows": 4}),
        help_text=_("The person will see this."),
    )


class BanForm(forms.Form):
    """The reason and the duration of a ban."""

    reason = _reason(help_text=_("The person will see this."))
    days = forms.ChoiceField(label=_("For how long?"), choices=DAYS, required=False, initial="7")

    def clean(self) -> dict[str, Any]:
        """The days as `until`, the end of the ban; None if it is permanent."""
        return _with_end(self.cleaned_data)


class MuteForm(forms.Form):
    """The reason and the duration of a mute, which is always limited."""

    reason = _reason(help_text=_("The person will see this."))
    days = forms.ChoiceField(label=_("For how long?"), choices=FOR_DAYS, initial="1")

    def clean(self) -> dict[str, Any]:
        """The days as `until`, the end of the mute."""
        return _with_end(self.cleaned_data)


def _with_end(cleaned: dict[str, Any]) -> dict[str, Any]:
    days = cleaned.pop("days", FOR_GOOD)
    return cleaned | {"until": None if days == FOR_GOOD else timezone.now() + timedelta(days=int(days))}


class RemarkForm(forms.Form):
    """A moderators' remark on a user."""

    text = forms.CharField(
        label=_("Remark"),
        max_length=REASON_LENGTH,
        widget=forms.Textarea(attrs={"class": "vLargeTextField", "rows": 4}),
        help_text=_("Only moderators see this. The person sees it if they download their data."),
    )


class RenameClubForm(forms.Form):
    """The new name of a club, and an optional reason."""

    name = forms.CharField(label=_("New name"), max_length=CLUB_NAME_LENGTH)
    reason = _reason(required=False)


class RenameForm(forms.Form):
    """The new name of a user, and the reason."""

    reason = _reason()
    name = forms.CharField(
        label=_("New name"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=_("Leave empty to give them a random name."),
    )
