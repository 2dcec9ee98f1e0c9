"""The form that sets up a table, built from the `Options` of any game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

from django import forms
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.domain.options import preset_in_words, preset_of, sentence_of, value_in_words
from games.domain.position import MOST_CHARACTERS, Position, check_start, parse
from games.domain.refusals import Refused, words_of
from games.registry import GAMES, Game
from games.rules.base import BadPosition, Choice, check_field, choices_of, gettext_noop
from games.share import drawing
from lobby.positions import addresses
from lobby.ratings.rated import NotRated, may_be_rated
from lobby.tables.forms import summary
from lobby.tables.forms.terms import TermsForm, shown_terms
from lobby.tables.models import Table
from lobby.tables.refusals import BadOption
from lobby.tables.table_template import Plan

_TAKE_TURNS = gettext_noop("Rated: the first move is random, then you take turns.")
_BY_LOT = gettext_noop("Rated: the first move is random.")
_USUAL_RULES = gettext_noop("Rated matches usually use “%(preset)s”: moving first is no advantage there.")

OWN = "own"
"""Choice besides the presets: custom rules."""
FIELDS = {
    "bad-clock": "clock",
    "bad-delay": "watchers",
    "delay-unwatched": "watchers",
    "bad-range": "lowest",
    "range-casual": "lowest",
    "guest": "rated",
    "conduct": "rated",
    "pure-luck": "rated",
    "own-rules": "rated",
    "rated-first": "first",
    "bad-level": "level",
    "bad-names": "name_0",
    "reserved-name": "name_0",
}
"""The field of a service error, by code."""


class PresetCard(NamedTuple):
    """A preset as the form shows it: radio button, description, and picture."""

    radio: Any
    sentence: str
    picture: SafeString


class TableForm(TermsForm):
    """Rules, number of seats, and all terms of a table.

    A chosen option overrides the preset. An open one is as in the preset or, with custom rules, the game's
    default. Terms left out have their defaults. A position at which the match begins has its own rules and
    number of seats.

    Args:
        game: the game.
        data: the submitted data, if any.
        casual: the reason the user may not play rated matches, if there is one.
        like: a plan to take the initial values from.
        challenge: whether the table is for a challenge, which has fewer terms.
    """

    preset = forms.ChoiceField(label=_("Rules"), widget=forms.RadioSelect)
    seats = forms.TypedChoiceField(label=_("Players"), widget=forms.RadioSelect, coerce=int)
    first = forms.ChoiceField(
        label=_("Who moves first?"), widget=forms.RadioSelect, initial=Table.First.LOT.value
    )
    position = forms.CharField(required=False, max_length=MOST_CHARACTERS, widget=forms.HiddenInput)

    def __init__(
        self,
        game: Game,
        data: Mapping[str, Any] | None = None,
        *,
        casual: NotRated | None = None,
        like: Plan | None = None,
        challenge: bool = False,
    ) -> None:
        initial = None if like is None else _shown(game, like)
        super().__init__(data, _why_casual(game, casual), challenge, initial, game.clocks)
        self.game = game
        self._add_presets()
        self._add_seats(range(2, 3) if challenge else game.rules.SEATS)
        for choice in choices_of(game.rules.Options):
            self.fields[_field_name(choice.name)] = _option_field(choice)

    @cached_property
    def start(self) -> Position | None:
        """The position at which the match begins; None if it begins as the rules say, or the text is bad."""
        try:
            return self._start(self["position"].value() or "")
        except BadPosition:
            return None

    def _start(self, text: str) -> Position | None:
        if not text:
            return None
        start = parse(text)
        check_field(start.game == self.game, "game")
        check_start(start)
        return start

    def clean_position(self) -> Position | None:
        """The position at which the match begins. Errors are shown above the form: the field is hidden."""
        try:
            return self._start(self.cleaned_data["position"])
        except BadPosition as error:
            self.add_error(None, words_of(error))
            return None

    def clean(self) -> dict[str, Any]:
        """Take the number of seats from the position, if there is one. Such a match is casual."""
        data = super().clean()
        if data.get("position") is not None:
            data |= {"seats": data["position"].seats, "rated": "no"}
        return data

    def start_picture(self) -> SafeString:
        """The position at which the match begins."""
        assert self.start is not None
        return drawing.beside(self.game.slug, self.start.state, "start")

    def start_address(self) -> str:
        """The address of the page of that position."""
        assert self.start is not None
        return addresses.address(self.start)

    def shows(self) -> str:
        """All that distinguishes this form from others without submitted data, as JSON."""
        kind = (type(self).__name__, self.game.slug, self.why_casual)
        return json.dumps([*kind, list(self.fields), self.initial], default=str, sort_keys=True)

    def show(self, last: Mapping[str, Any]) -> None:
        """Use earlier values by field as initial ones, as far as they are still offered."""
        self.initial.update({name: value for name, value in last.items() if self._is_offered(name, value)})

    def _is_offered(self, name: str, value: Any) -> bool:
        field = self.fields.get(name)
        return field.valid_value(value) if isinstance(field, forms.ChoiceField) else field is not None

    def _add_presets(self) -> None:
        known = [(slug, preset_in_words(self.game, slug)) for slug in self.game.rules.PRESETS]
        self._set_choices("preset", [*known, (OWN, preset_in_words(self.game, None))], initial=known[0][0])

    def _add_seats(self, seats: range) -> None:
        self._set_choices("seats", [(str(n), str(n)) for n in seats], initial=str(seats[0]))
        if len(seats) == 1:
            self.fields["seats"].widget = forms.HiddenInput()
        self._say_first(_("The other player") if seats[-1] == 2 else _("The next player to join"))

    def _say_first(self, other: str | Promise) -> None:
        """Set the choices of who moves first or, where sides have names, which side the host plays."""
        sides = [gettext(side) for side in self.game.sides]
        mine: str | Promise = _("I do")
        theirs = other
        if sides:
            self.fields["first"].label = gettext("Your side")
            mine, theirs = (gettext("I am %(side)s") % {"side": side} for side in sides)
            opens = [gettext("%(side)s moves first") % {"side": capfirst(side)} for side in sides]
            self._set_choices("opens", [(str(seat), words) for seat, words in enumerate(opens)])
        else:
            self.fields.pop("opens", None)
        first = {Table.First.HOST: mine, Table.First.OTHER: theirs, Table.First.LOT: _("Random")}
        self._set_choices("first", [(value.value, words) for value, words in first.items()])

    def shown_presets(self) -> list[PresetCard]:
        """The cards of the presets."""
        return [_preset_card(self.game, radio) for radio in self["preset"] if radio.data["value"] != OWN]

    def own(self) -> Any:
        """The radio button for custom rules."""
        return next(radio for radio in self["preset"] if radio.data["value"] == OWN)

    def summed_up(self) -> list[str]:
        """A summary of the collapsed fields, as short texts."""
        return summary.now(self, self._words())

    def words(self) -> str:
        """JSON for the script that keeps the summary up to date: {field name: {value: text}}."""
        return json.dumps(self._words())

    def _words(self) -> summary.Words:
        return summary.words_of(self, besides=self._unsaid())

    def _unsaid(self) -> set[str]:
        """Fields that the summary leaves out because they are visible."""
        return {"first"} if self.game.sides else set()

    def turn(self) -> forms.BoundField:
        """The field of who moves first, by player or by side."""
        return self["opens" if self.game.sides else "first"]

    def rules(self) -> list[forms.BoundField]:
        """The fields of the single options."""
        return [self[_field_name(choice.name)] for choice in choices_of(self.game.rules.Options)]

    def rules_have_errors(self) -> bool:
        """Whether any single option has an error."""
        return any(field.errors for field in self.rules())

    def presets(self) -> str:
        """JSON for the script that fills in the options: {preset: {field name: value as text}}."""
        return json.dumps(
            {
                slug: {_field_name(name): _text(value) for name, value in asdict(options).items()}
                for slug, options in self.game.rules.PRESETS.items()
            }
        )

    def options(self) -> Any:
        """The `Options` that a valid form describes."""
        if self.cleaned_data["position"] is not None:
            return self.cleaned_data["position"].state.options
        preset = self.game.rules.PRESETS.get(self.cleaned_data["preset"], self.game.rules.Options())
        picked = {}
        for choice in choices_of(self.game.rules.Options):
            text = self.cleaned_data[_field_name(choice.name)]
            if text:
                picked[choice.name] = _values(choice)[text]
        return replace(preset, **picked)

    def rated_rule(self) -> str:
        """The note on rated matches: who moves first, and the usual preset."""
        two = len(self.game.rules.SEATS) == 1
        said = [_TAKE_TURNS if two else _BY_LOT, *([_USUAL_RULES] if self.game.rated_preset else [])]
        preset = preset_in_words(self.game, self.game.usual_preset(rated=True))
        return " ".join(gettext(sentence) % {"preset": preset} for sentence in said)

    def own_rules_are_casual(self) -> str:
        """The note on rating for custom rules."""
        why = may_be_rated(self.game, None)
        return "" if why is None else why.words

    def refuse(self, error: Refused) -> None:
        """Show a service error at its field, or above the form."""
        option = error.option if isinstance(error, BadOption) else None
        name = FIELDS.get(error.code) if option is None else _field_name(option)
        self.add_error(name if name in self.fields else None, error.words)


def _why_casual(game: Game, casual: NotRated | None) -> str:
    """The reason the user cannot play this game rated, whatever its rules; "" if they can."""
    why = may_be_rated(game, next(iter(game.rules.PRESETS.values()))) or casual
    return "" if why is None else why.words


def _shown(game: Game, plan: Plan) -> dict[str, Any]:
    """The initial values of a form for a plan."""
    options = asdict(plan.options)
    return {
        "preset": preset_of(game, plan.options) or OWN,
        "seats": str(plan.seats),
        "first": plan.first,
        "position": "" if plan.position is None else str(plan.position),
        **shown_terms(plan.terms),
        **{_field_name(name): _text(value) for name, value in options.items()},
    }


def _option_field(choice: Choice) -> forms.ChoiceField:
    offered: list[tuple[str, str | Promise]] = [("", _("set by the rules above"))]
    offered += [(_text(value), value_in_words(choice, value)) for value in choice.offered]
    return forms.ChoiceField(
        label=gettext(choice.title),
        help_text=gettext(choice.sentence),
        choices=offered,
        required=False,
        widget=forms.Select(attrs={"class": "select"}),
    )


def _field_name(option: str) -> str:
    return f"rule_{option}"


def _text(value: Any) -> str:
    """A value of an option as form text."""
    return value if isinstance(value, str) else json.dumps(value)


def _values(choice: Choice) -> dict[str, Any]:
    return {_text(value): value for value in choice.offered}


def _preset_card(game: Game, radio: Any) -> PresetCard:
    """The card of a preset, by its radio button."""
    slug = radio.data["value"]
    return PresetCard(radio, sentence_of(game, slug), _picture(game.slug, slug))


@cache
def _picture(slug: str, preset: str) -> SafeString:
    rules = GAMES[slug].rules
    start = rules.setup(rules.PRESETS[preset], rules.SEATS[0])
    return drawing.sample(slug, start, f"{slug}-{preset}")
