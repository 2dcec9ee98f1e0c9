"""The forms that give homework, by its kind. `lobby.homework.homework` decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.registry import GAMES
from lobby.homework import homework
from lobby.homework.homework import MOST_MATCHES, Kind, Task
from lobby.people.models import User
from lobby.studies.models import Study


class GiveForm(forms.Form):
    """Homework of any kind: until when it is to be done."""

    due = forms.DateField(label=_("To be done by"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"))

    def __init__(self, teacher: User, data: Mapping[str, Any] | None = None) -> None:
        self.teacher = teacher
        super().__init__(data, auto_id=f"{type(self).__name__.lower()}-%s")
        self.order_fields([name for name in self.fields if name != "due"])

    def task(self) -> Task:
        """What the class is to do, from a valid form. Raises ClassError."""
        raise NotImplementedError

    def clean_due(self) -> Any:
        """A day that is not over."""
        due = self.cleaned_data["due"]
        if due < timezone.localdate():
            raise forms.ValidationError(gettext("Choose today or a later day."))
        return due


def _games(*slugs: str) -> list[tuple[str, str]]:
    return [(slug, gettext(GAMES[slug].title)) for slug in slugs]


class PuzzlesForm(GiveForm):
    """A set of puzzles."""

    link = forms.CharField(
        label=_("Link to the set"),
        max_length=400,
        help_text=_("Make a set on the puzzle page of a game, and copy its link."),
    )

    def task(self) -> Task:
        """See `GiveForm`."""
        return homework.puzzle_set(self.cleaned_data["link"])


class CourseForm(GiveForm):
    """The course of a game."""

    game = forms.ChoiceField(label=_("Game"))

    def __init__(self, teacher: User, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(teacher, data)
        slugs = [slug for slug, game in GAMES.items() if game.course is not None]
        self.fields["game"] = forms.ChoiceField(label=_("Game"), choices=_games(*slugs))
        self.order_fields(["game", "due"])

    def task(self) -> Task:
        """See `GiveForm`."""
        return homework.course(self.cleaned_data["game"])


class StudyForm(GiveForm):
    """A study of the teacher."""

    study = forms.ModelChoiceField(
        Study.objects.none(),
        label=_("Study"),
        empty_label=None,
        help_text=_("One of your studies that everyone with the link can see."),
    )

    def __init__(self, teacher: User, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(teacher, data)
        mine: QuerySet[Study] = Study.objects.filter(owner=teacher)
        self.fields["study"].queryset = mine  # type: ignore[attr-defined]

    def task(self) -> Task:
        """See `GiveForm`."""
        return homework.study(self.teacher, self.cleaned_data["study"].pk)


class MatchesForm(GiveForm):
    """Matches against the computer."""

    game = forms.ChoiceField(label=_("Game"))
    level = forms.IntegerField(label=_("Level of the computer"), min_value=1, max_value=8, initial=1)
    # Not "matches": a form element has a function of that name.
    count = forms.IntegerField(label=_("Number of matches"), min_value=1, max_value=MOST_MATCHES, initial=3)

    def __init__(self, teacher: User, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(teacher, data)
        self.fields["game"] = forms.ChoiceField(label=_("Game"), choices=_games(*GAMES))
        self.order_fields(["game", "level", "count", "due"])

    def task(self) -> Task:
        """See `GiveForm`."""
        return homework.computer(**{name: self.cleaned_data[name] for name in ("game", "level", "count")})


FORMS: Mapping[str, type[GiveForm]] = {
    Kind.PUZZLES: PuzzlesForm,
    Kind.COURSE: CourseForm,
    Kind.STUDY: StudyForm,
    Kind.MATCHES: MatchesForm,
}
"""By the kind of homework."""
