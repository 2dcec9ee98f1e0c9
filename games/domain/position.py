"""Positions as one line of text, as docs/reference/position.md describes it.

    kalah.1 classic turn=0 board=4*6,0,4*6,0
    morris.1 nine turn=0 board=W.....................B hand=8,8 quiet=2 ; each has placed a man

Every game has this from the fields of its state: `parse` reads what `str` of a `Position` writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from games.bots.base import Proved
from games.domain import codec, field_values, texts
from games.domain.matchfile import rules_version
from games.domain.options import preset_of
from games.registry import GAMES, Game
from games.rules.base import BadOptions, BadPosition, Rules, check_field, gettext_noop

MOST_CHARACTERS = 2000
LONGEST_NOTE = 200

_NOTE = " ;"
"""What a note follows. Values have no spaces."""
_OURS = re.compile(r"\w+\.\d")
"""How a position in Parlour's form begins."""
_OPTIONS, _SEATS, _VERSION = "options", "seats", "version"


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game, with all that playing on by the rules needs. `str` writes it as text.

    Raises `BadPosition` if no match of the game can have it, and if the note is not one line of visible text.
    """

    game: Game
    state: Any
    seats: int
    note: str = ""

    def __post_init__(self) -> None:
        rules, state = self.game.rules, self.state
        _check_options(rules, state.options, self.seats)
        check_field(state.turn in range(self.seats), "turn")
        rules.check(state, self.seats)
        _check_outcome(rules, state, self.seats)
        check_field(self.note == texts.cleaned(self.note) and len(self.note) <= LONGEST_NOTE, "note")

    def __str__(self) -> str:
        rules = self.game.rules
        values = {_SEATS: self.seats} if len(rules.SEATS) > 1 else {}
        values |= _beside_defaults(self.state)
        del values[_OPTIONS]
        words = [
            f"{self.game.slug}.{rules_version(rules)}",
            preset_of(self.game, self.state.options)
            or ",".join(_words(_beside_defaults(self.state.options), ":")),
            *_words(values, "="),
        ]
        return " ".join(words) + (f"{_NOTE} {self.note}" if self.note else "")


def parse(text: str) -> Position:
    """Read a position. Raises `BadPosition`, which names the field that is wrong."""
    if len(text) > MOST_CHARACTERS:
        raise _too_long()
    line, _, note = text.partition(_NOTE)
    name, _, rest = line.strip().partition(" ")
    options, *words = rest.split() or [""]
    game, version = _game(name)
    values = _fields(words, "=")
    seats = values.pop(_SEATS, None) if len(game.rules.SEATS) > 1 else game.rules.SEATS[0]
    check_field(type(seats) is int, _SEATS)
    stored = {**values, _VERSION: version, _OPTIONS: _options(game.rules, options)}
    return Position(game, _state(game.rules, stored), seats, texts.cleaned(note))


def of_notation(game: Game, notation: str, text: str, options: Any = None) -> Position:
    """Read a position as another program writes it. Raises `BadPosition`.

    Args:
        notation: its name among those of the game.
        options: those of the match, as such texts leave them out; the first preset by default.
    """
    check_field(notation in game.notations, "notation")
    if len(text) > MOST_CHARACTERS:
        raise _too_long()
    preset = next(iter(game.rules.PRESETS.values()))
    return Position(game, game.notations[notation].read(text, options or preset), game.rules.SEATS[0])


def recognised(game: Game, text: str, notation: str = "", options: Any = None) -> Position:
    """Read a position of a game in Parlour's form, or as another program writes it. Raises `BadPosition`.

    Args:
        notation: the name of the other program; "" to find out who wrote the text.
        options: as of `of_notation`.
    """
    text = text.strip()
    if not notation and not _OURS.match(text):
        for name in game.notations:
            try:
                return of_notation(game, name, text, options)
            except BadPosition as error:
                refusal = error
        if game.notations:
            raise refusal
    return of_notation(game, notation, text, options) if notation else parse(text)


def at_start(game: Game, preset: str = "", seats: int = 0) -> Position:
    """The start position of a preset, by default of the first, with as few seats as the game allows.

    Raises `BadPosition` for an unknown preset, and for a number of seats that the game does not allow.
    """
    rules, seats = game.rules, seats or game.rules.SEATS[0]
    check_field(not preset or preset in rules.PRESETS, "preset")
    check_field(seats in rules.SEATS, "seats")
    options = rules.PRESETS[preset or next(iter(rules.PRESETS))]
    return Position(game, rules.setup(options, seats), seats)


def proved(position: Position) -> Proved | None:
    """The result with best play, for the seat to move; None if it is not proved, or nobody is to move."""
    rules, state = position.game.rules, position.state
    if rules.outcome(state) is not None or rules.chance(state) is not None:
        return None
    return position.game.proved(state)


def check_start(position: Position) -> None:
    """Refuse a position at which no match can begin. Raises `BadPosition`."""
    rules, state = position.game.rules, position.state
    if rules.outcome(state) is not None:
        raise BadPosition("ended", gettext_noop("The match is over."))
    if rules.chance(state) is not None:
        # Dice are rolled after the move that asks for them.
        raise BadPosition(
            "due", gettext_noop("A match cannot begin in the middle of a turn, with a roll still to come.")
        )


def of_start(game: Game, start: Any, seats: int) -> Position | None:
    """The position at which a match began; None if it began as its options set it up."""
    usual = game.rules.setup(start.options, seats, start.turn)
    return None if start == usual else Position(game, start, seats)


def _too_long() -> BadPosition:
    sentence = gettext_noop("A position has at most %(most)d characters.")
    return BadPosition("position", sentence, most=MOST_CHARACTERS)


def _beside_defaults(value: Any) -> dict[str, Any]:
    """The fields of a dataclass that do not have their defaults."""
    return {
        field.name: getattr(value, field.name)
        for field in fields(value)
        if getattr(value, field.name) != field.default
    }


def _words(values: Mapping[str, Any], mark: str) -> list[str]:
    plain = codec.plain(values)
    return [f"{name}{mark}{field_values.written(value)}" for name, value in plain.items()]


def _fields(words: Iterable[str], mark: str) -> dict[str, Any]:
    """What `_words` wrote."""
    values: dict[str, Any] = {}
    for word in words:
        name, _, text = word.partition(mark)
        check_field(name not in (*values, _OPTIONS, _VERSION), name)
        try:
            values[name] = field_values.read(text)
        except ValueError as error:
            raise BadPosition(name) from error
    return values


def _game(word: str) -> tuple[Game, int]:
    """A game and the version of its rules."""
    slug, _, version = word.partition(".")
    game = GAMES.get(slug)
    if game is None:
        sentence = gettext_noop("This site does not have the game “%(game)s”.")
        raise BadPosition("game", sentence, game=slug[:20])
    check_field(re.fullmatch("[1-9][0-9]{0,2}", version) is not None, "game")
    return game, int(version)


def _options(rules: Rules, word: str) -> dict[str, Any]:
    preset = rules.PRESETS.get(word)
    if preset is not None:
        return asdict(preset)
    check_field(":" in word, _OPTIONS)
    return _fields(word.split(","), ":")


def _state(rules: Rules, stored: dict[str, Any]) -> Any:
    try:
        return codec.decode_state(rules, stored)
    except codec.Undecodable as error:
        raise BadPosition(error.field or "game") from error
    # Upgrades expect well-formed states.
    except (LookupError, TypeError, AttributeError) as error:
        raise BadPosition("game") from error


def _check_options(rules: Rules, options: Any, seats: int) -> None:
    try:
        rules.setup(options, seats)
    except BadOptions as error:
        field = _SEATS if seats not in rules.SEATS else _OPTIONS
        raise BadPosition(field, error.sentence, **error.params) from error


def _check_outcome(rules: Rules, state: Any, seats: int) -> None:
    """A position has an outcome, or dice are due, or there is a move."""
    outcome = rules.outcome(state)
    if outcome is not None:
        winners = outcome.winners
        check_field(bool(winners) and [*winners] == sorted({*winners} & {*range(seats)}), "ended")
        check_field(len(outcome.scores) in (0, seats), "ended")
    elif rules.chance(state) is None and not rules.legal_moves(state):
        raise BadPosition("turn", gettext_noop("The player to move has no move."))
