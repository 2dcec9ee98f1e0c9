"""What a moderator is asked before a deed."""

from datetime import datetime, timedelta
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
    """An account that an administrator makes."""

    def clean_username(self) -> str:
        """Raises `ValidationError` if nobody may have the name."""
        return naming.choose(self.cleaned_data["username"])


class NoteForm(forms.Form):
    """Why, if there is anything to say."""

    reason = _reason(required=False)


class AnswerForm(forms.Form):
    """What somebody is answered who appeals."""

    answer = forms.CharField(
        label=_("Answer"),
        max_length=REASON_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"class": "vLargeTextField", "rows": 4}),
        help_text=_("The person will see this."),
    )


class BanForm(forms.Form):
    """Why, and for how long."""

    reason = _reason(help_text=_("The person will see this."))
    days = forms.ChoiceField(label=_("For how long?"), choices=DAYS, required=False, initial="7")

    def until(self) -> datetime | None:
        """When the ban ends; None: never."""
        days = self.cleaned_data["days"]
        return None if days == FOR_GOOD else timezone.now() + timedelta(days=int(days))


class MuteForm(forms.Form):
    """Why, and for how long. A mute always ends."""

    reason = _reason(help_text=_("The person will see this."))
    days = forms.ChoiceField(label=_("For how long?"), choices=FOR_DAYS, initial="1")

    def until(self) -> datetime:
        """When the mute ends."""
        return timezone.now() + timedelta(days=int(self.cleaned_data["days"]))


class RemarkForm(forms.Form):
    """A remark on a person."""

    text = forms.CharField(
        label=_("Remark"),
        max_length=REASON_LENGTH,
        widget=forms.Textarea(attrs={"class": "vLargeTextField", "rows": 4}),
        help_text=_("Only moderators see this. The person sees it if they download their data."),
    )


class RenameClubForm(forms.Form):
    """The new name, and why, if there is anything to say."""

    name = forms.CharField(label=_("New name"), max_length=CLUB_NAME_LENGTH)
    reason = _reason(required=False)


class RenameForm(forms.Form):
    """Why, and the new name."""

    reason = _reason()
    name = forms.CharField(
        label=_("New name"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=_("Leave empty to give them a random name."),
    )
