"""The form that creates a tournament, built on the form of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.domain.refusals import Refused
from games.registry import Game
from lobby.clubs.models import Club
from lobby.clubs.refusals import ClubError
from lobby.ratings.rated import NotRated
from lobby.tables import table_template
from lobby.tables.forms.table import TableForm
from lobby.tournaments.formats import MOST_CLUBS
from lobby.tournaments.formats.words import WORDS
from lobby.tournaments.models import ABOUT_LENGTH, CODE_LENGTH, TITLE_LENGTH
from lobby.tournaments.plans import (
    LEAST_MINUTES,
    MOST_EXTRA,
    MOST_IN_TEAM,
    MOST_MINUTES,
    MOST_PAUSE,
    Plan,
)
from lobby.tournaments.refusals import TournamentError

MOST_ROUNDS = 30
USUAL_CLOCK = "5+3"
OWN_FIELDS = {
    "bad-title": "title",
    "bad-about": "about",
    "unknown-format": "format",
    "format-seats": "seats",
    "bad-rounds": "rounds",
    "slow-arena": "clock",
    "bad-minutes": "minutes",
    "bad-pause": "pause",
    "bad-start": "starts",
    "club-needed": "club",
    "bad-team-size": "team_size",
    "format-fixed": "format",
    "bad-level": "computer",
    "computers-casual": "computer",
    "simul-clock": "clock",
    "bad-host-seat": "host_seat",
    "bad-extra": "extra_minutes",
}
"""The field of a service error, by code, besides those of a table."""


FORMATS_WITH = {
    "rounds": ("swiss", "tables"),
    "seats": ("tables",),
    "minutes": ("arena", "team_battle"),
    "team_size": tuple(MOST_CLUBS),
    "computer": ("swiss", "arena", "simul"),
    "rated": tuple(each for each in WORDS if each != "simul"),
    "host_seat": ("simul",),
    "extra_minutes": ("simul",),
    "host_admits": ("simul",),
}
"""The fields that only some formats have."""


class TournamentForm(TableForm):
    """Name, format and terms of a tournament, and the rules of its matches.

    Times are entered in the time zone that the browser names; without a browser's word, in UTC. `clubs` are
    those of which the user is an organiser.
    """

    title = forms.CharField(label=_("Name of the tournament"), max_length=TITLE_LENGTH)
    about = forms.CharField(
        label=_("Description"),
        help_text=_("What players should know. Links are not allowed."),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=ABOUT_LENGTH,
        required=False,
    )
    format = forms.ChoiceField(label=_("Format"), widget=forms.RadioSelect, initial="swiss")
    rounds = forms.IntegerField(
        label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS, initial=5, required=False
    )
    minutes = forms.IntegerField(
        label=_("Minutes"), min_value=LEAST_MINUTES, max_value=MOST_MINUTES, initial=60, required=False
    )
    team_size = forms.IntegerField(
        label=_("Players of each club who count"),
        help_text=_("In a team match: the number of boards."),
        min_value=1,
        max_value=MOST_IN_TEAM,
        initial=5,
        required=False,
    )
    third_place = forms.BooleanField(label=_("Third-place match"), initial=True, required=False)
    starts = forms.DateTimeField(
        label=_("Start"),
        help_text=_("Leave it empty to start it yourself."),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    zone = forms.CharField(widget=forms.HiddenInput, required=False, max_length=60)
    code = forms.CharField(
        label=_("Entry code"),
        help_text=_("Only players who know it can enter. Leave it empty to let everyone in."),
        max_length=CODE_LENGTH,
        required=False,
    )
    club = forms.ChoiceField(
        label=_("Club"),
        help_text=_("Only its members can enter. In team battles and matches it invites other clubs."),
        required=False,
    )
    pause = forms.IntegerField(
        label=_("Minutes between two rounds"), min_value=0, max_value=MOST_PAUSE, initial=0, required=False
    )
    computer = forms.TypedChoiceField(
        label=_("If the number of players is odd"), coerce=int, initial="0", required=False
    )
    host = forms.TypedChoiceField(label=_("Host"), coerce=int, initial="0", required=False)
    host_seat = forms.ChoiceField(label=_("The host moves"), initial="alternating", required=False)
    extra_minutes = forms.IntegerField(
        label=_("More minutes for the host"), min_value=0, max_value=MOST_EXTRA, initial=0, required=False
    )
    host_admits = forms.BooleanField(label=_("The host chooses who plays"), required=False)
    late = forms.BooleanField(label=_("Players can enter after the start"), initial=True, required=False)
    vacations = forms.BooleanField(
        label=_("With days per move, clocks stand during vacations"), initial=True, required=False
    )
    guests = forms.BooleanField(label=_("Guests can enter"), initial=True, required=False)
    bots = forms.BooleanField(label=_("Programs can enter"), required=False)

    def __init__(
        self,
        game: Game,
        data: Mapping[str, Any] | None = None,
        *,
        casual: NotRated | None = None,
        before: Plan | None = None,
        clubs: Sequence[Club] = (),
    ) -> None:
        super().__init__(game, data, casual=casual, like=None if before is None else _table(before))
        everyone = ("", gettext("Everyone can enter"))
        self._set_choices("club", [everyone, *((club.pk, club.name) for club in clubs)], initial="")
        for name in ("first", "opens", "listed", "chat"):
            self.fields.pop(name, None)
        most = game.rules.SEATS[-1]
        offered = [
            (slug, gettext(words.title))
            for slug, words in WORDS.items()
            if (slug != "tables" or most > 2) and (slug not in MOST_CLUBS or clubs)
        ]
        self._set_choices("format", offered)
        self.fields["seats"].required = False
        self._set_choices("seats", [(str(n), str(n)) for n in game.rules.SEATS if n > 2], initial=str(most))
        levels = [(str(n), gettext(level.name)) for n, level in enumerate(game.levels, 1)]
        computer = gettext("The computer plays: %(level)s")
        self._set_choices(
            "computer",
            [
                ("0", gettext("One player has a bye")),
                *((n, computer % {"level": name}) for n, name in levels),
            ],
        )
        hosts = [(n, computer % {"level": name}) for n, name in levels]
        self._set_choices("host", [("0", gettext("You")), *hosts])
        self._set_choices(
            "host_seat",
            [
                ("first", gettext("first at all boards")),
                ("second", gettext("second at all boards")),
                ("alternating", gettext("first at every other board")),
            ],
        )
        if before is not None:
            self.initial.update(_shown(before))
        elif USUAL_CLOCK in game.clocks:
            self.fields["clock"].initial = USUAL_CLOCK

    def _unsaid(self) -> set[str]:
        return {"watchers", *super()._unsaid()}

    def formats_in_words(self) -> list[tuple[Any, str]]:
        """The radio buttons of the formats, with their sentences."""
        chosen = [(radio, WORDS[radio.data["value"]]) for radio in self["format"]]
        return [(radio, gettext(words.sentence)) for radio, words in chosen]

    def clean(self) -> dict[str, Any]:
        """Read the start in the time zone of the browser."""
        data = super().clean()
        starts = data.get("starts")
        if starts is not None:
            data["starts"] = starts.replace(tzinfo=_zone(data.get("zone", ""))).astimezone(UTC)
        return data

    def plan(self) -> Plan:
        """The tournament that a valid form describes."""
        data = self.cleaned_data
        names = {field.name for field in fields(Plan)}
        entered = {**data, **asdict(self.terms())}
        chosen = {name: entered[name] for name in names & entered.keys() if entered[name] not in (None, "")}
        if data["format"] == "tables":
            chosen.setdefault("seats", self.game.rules.SEATS[-1])
        if data["format"] == "simul":
            chosen["computer"] = data["host"] or 0
        for name, formats in FORMATS_WITH.items():
            if data["format"] not in formats:
                chosen.pop(name, None)
        club_id = data["club"] or None
        return Plan(**chosen, game=self.game.slug, options=self.options(), club_id=club_id)

    def refuse(self, error: Refused) -> None:
        """Show a service error at its field, or above the form."""
        name = OWN_FIELDS.get(error.code)
        if isinstance(error, ClubError):
            self.add_error("club", error.words)
        elif isinstance(error, TournamentError) or name is not None:
            self.add_error(name if name in self.fields else None, error.words)
        else:
            super().refuse(error)


def _table(plan: Plan) -> table_template.Plan:
    """A table like those of a tournament."""
    return table_template.Plan(plan.game, plan.options, plan.seats, "lot", plan.terms())


def _shown(plan: Plan) -> dict[str, Any]:
    """The initial values of the fields that a table has not. The browser moves the start to its own zone."""
    own = TournamentForm.base_fields.keys() - TableForm.base_fields.keys()
    shown = {field.name: getattr(plan, field.name) for field in fields(Plan) if field.name in own}
    for name in ("rounds", "minutes", "team_size"):
        # What the format does not have keeps its usual value.
        if not shown[name]:
            del shown[name]
    starts = None if plan.starts is None else plan.starts.astimezone(UTC).replace(tzinfo=None)
    club = plan.club_id or ""
    level = str(plan.computer)
    return {**shown, "computer": level, "host": level, "club": club, "starts": starts, "zone": "UTC"}


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")
