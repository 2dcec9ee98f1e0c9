"""The form with what the leaders of a ladder choose, built on the form of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.domain.refusals import Refused
from games.registry import Game
from lobby.ladders.ladders import LEAST_DAYS, MOST_DAYS, MOST_IDLE, Plan
from lobby.ratings.rated import NotRated
from lobby.tables import table_template
from lobby.tables.forms.table import TableForm
from lobby.tables.models import Table
from lobby.tables.terms import TableTerms

USUAL_CLOCK = "5+3"
DAYS = ("answer_days", "play_days", "idle_days")


class LadderForm(TableForm):
    """The rules and the clock of the matches, and the days that people have."""

    answer_days = forms.IntegerField(
        label=_("Days to answer a challenge"), min_value=LEAST_DAYS, max_value=MOST_DAYS, initial=3
    )
    play_days = forms.IntegerField(
        label=_("Days to play after that"), min_value=LEAST_DAYS, max_value=MOST_DAYS, initial=7
    )
    idle_days = forms.IntegerField(
        label=_("Days until idle members fall (0: never)"),
        min_value=0,
        max_value=MOST_IDLE,
        initial=30,
    )

    def __init__(
        self,
        game: Game,
        data: Mapping[str, Any] | None = None,
        *,
        casual: NotRated | None = None,
        before: Plan | None = None,
    ) -> None:
        like = before if before is not None and before.game == game.slug else None
        super().__init__(
            game, data, casual=casual, like=None if like is None else _table(like), challenge=True
        )
        for name in ("first", "opens", "watchers", "chat"):
            self.fields.pop(name, None)
        if before is not None:
            self.initial.update({name: getattr(before, name) for name in DAYS})
        if like is None and USUAL_CLOCK in game.clocks:
            self.fields["clock"].initial = USUAL_CLOCK

    def plan(self) -> Plan:
        """What a valid form describes."""
        days = {name: self.cleaned_data[name] for name in DAYS}
        terms = self.terms()
        return Plan(self.game.slug, self.options(), terms.clock, terms.rated, **days)

    def refuse(self, error: Refused) -> None:
        """Show a service error at its field, or above the form."""
        if error.code == "untimed-ladder":
            self.add_error("clock", error.words)
        else:
            super().refuse(error)


def _table(plan: Plan) -> table_template.Plan:
    """A table like those of a ladder."""
    terms = TableTerms(clock=plan.clock, rated=plan.rated)
    return table_template.Plan(plan.game, plan.options, 2, Table.First.LOT, terms)
