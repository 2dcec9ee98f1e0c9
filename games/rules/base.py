"""The words every game is written in.

A rules *module* is the object: it offers the names listed by the protocol `Rules` below as plain
module-level values and functions. Everything here is immutable and pure; rules modules import the
standard library and this file, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

Seat: TypeAlias = int
"""A place at the match, 0 .. seats - 1 in turn order. The next seat sits to the left."""


def gettext_noop(sentence: str) -> str:
    """Mark a sentence for the translators; the server translates it when it shows it to someone."""
    return sentence


def ngettext_noop(one: str, many: str) -> tuple[str, str]:
    """The same for a sentence that counts something, `%d` of it, of one and of many."""
    return one, many


class IllegalMove(ValueError):
    """A refused action.

    `code` is for programs, `sentence % params` for people. The sentence is kept apart from its
    parameters so that it can be translated. `status` is what HTTP calls all of them.
    """

    status = 422

    def __init__(self, code: str, sentence: str, **params: object) -> None:
        super().__init__(sentence % params)
        self.code = code
        self.sentence = sentence
        self.params = params


class Unparseable(IllegalMove):
    """Text that is no move of this game in any position; quotes the text."""

    def __init__(self, text: str) -> None:
        super().__init__(
            "unparseable", gettext_noop("“%(text)s” is not a move in this game."), text=text[:20]
        )


SHARED_REFUSALS: Mapping[str, str] = {
    "game-over": gettext_noop("The match is over."),
    "no-dice-due": gettext_noop("This move needs no dice."),
    "wrong-dice": gettext_noop("This move needs %(count)d dice with %(sides)d sides."),
    "no-such-seat": gettext_noop("There is no seat %(seat)d."),
    "has-left": gettext_noop("This player has already left."),
}
"""What all games refuse alike: the sentence of each code."""


def refused(code: str, sentences: Mapping[str, str] = SHARED_REFUSALS, /, **params: object) -> IllegalMove:
    """A move refused with a code that all games share, or with one of the sentences of a game."""
    return IllegalMove(code, sentences[code], **params)


class BadOptions(ValueError):
    """Options outside their choices, or a number of seats the game does not have."""

    status = 422

    def __init__(self, code: str, sentence: str, **params: object) -> None:
        super().__init__(sentence % params)
        self.code = code
        self.sentence = sentence
        self.params = params


class BadTogether(BadOptions):
    """Options that are among their choices, each for itself, and that do not go together."""

    status = 409


UNFIT = gettext_noop("“%(place)s” is missing or not valid.")


class BadPosition(ValueError):
    """A position that no match of the game can have; `field` is the field of it that is wrong."""

    status = 422
    code = "bad-position"

    def __init__(self, field: str, sentence: str = UNFIT, **params: object) -> None:
        params = {"place": field, **params}
        super().__init__(sentence % params)
        self.field = field
        self.sentence = sentence
        self.params = params


def check_field(good: bool, field: str, sentence: str = UNFIT, **params: object) -> None:
    """Refuse a position in which this field has a value that it cannot have. Raises `BadPosition`.

    `sentence` says why, for people who set up a position.
    """
    if not good:
        raise BadPosition(field, sentence, **params)


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice that must be thrown before play goes on."""

    count: int
    sides: int = 6


@dataclass(frozen=True, slots=True)
class Roll:
    """The action of chance: the faces thrown, in order."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat stops playing for good: it resigned, ran out of time or went away.

    `reason` is one of "resigned", "time", "abandoned".
    """

    seat: Seat
    reason: str = "resigned"


@dataclass(frozen=True, slots=True)
class Left:
    """The event of it, in every game: a seat left the match."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    `winners` holds the seats that won; when it holds all of them, the match is drawn. `reason` is a word
    of the game (or the reason of the `Leave` that ended it); `scores` are the points by seat, or empty
    where the game counts none.
    """

    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...] = ()


ENDED = "ended"
"""The reason of a match that its players ended as it stood."""

Upgrade: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""The fields of a stored state, made into those of the next version of its rules."""


class Step(NamedTuple):
    """What an action led to: the next state and the past-tense facts that explain it."""

    state: Any
    events: tuple[Any, ...]


class Notation(NamedTuple):
    """How another program writes positions of a game for two.

    Attributes:
        program: the name of the program, or of its format.
        read: the state of a text, played by some options. Raises `BadPosition`.
        write: the text of a state. Raises `BadPosition` if there is none.
        write_line: the text of a match, from the state at its start and its moves; None if the program has
            none. Raises `BadPosition`.
    """

    program: str
    read: Callable[[str, Any], Any]
    write: Callable[[Any], str]
    write_line: Callable[[Any, Iterable[str]], str] | None = None


class Section(NamedTuple):
    """A part of the page that explains a game: a heading, and in order what stands under it.

    A text is a paragraph, a tuple of texts is a list. Headings and texts go through `gettext_noop`. In a
    text `**words**` are strong and words between backticks are what people type; nothing else is markup.
    """

    heading: str
    body: tuple[str | tuple[str, ...], ...]


class Lesson(NamedTuple):
    """A move that an introduction asks for, on the board of the game.

    Sentences go through `gettext_noop`. They are short: a phone shows `told` and the next `task` together.

    Attributes:
        task: what to do.
        moves: the moves that do it, in the notation of the game; none stands for every legal one.
        told: what the move did and why that matters.
        otherwise: the answer to any other legal move, which is not played; "" if there is none.
        then: what is played after it: moves, and throws as their faces.
        position: the state in which it begins; None for the one that the lesson before ended in.
    """

    task: str
    moves: tuple[str, ...]
    told: str
    otherwise: str = ""
    then: tuple[str | tuple[int, ...], ...] = ()
    position: Any = None


class Introduction(NamedTuple):
    """Lessons on the board for seat 0: the first minute of a game, or a course on how to play well.

    The first lesson has a position. `aim` is said at the end, through `gettext_noop`: what wins, or what to
    remember. `names` are those of the other seats where there are several.
    """

    lessons: tuple[Lesson, ...]
    aim: str
    names: tuple[str, ...] = ()


class State(Protocol):
    """What the service needs of the state of any game. Frozen, slotted, JSON-able by `games.domain.codec`."""

    @property
    def options(self) -> Any:
        """The options that the match is played with."""

    @property
    def turn(self) -> Seat:
        """The seat that must act next (meaningless once there is an outcome)."""


S = TypeVar("S", bound=State)
M = TypeVar("M")


class Rules(Protocol):
    """What a rules module offers. mypy holds every registered module against this."""

    @property
    def SEATS(self) -> range:  # noqa: N802 - names of a module
        """The numbers of seats a match may have."""

    @property
    def Options(self) -> type[Any]:  # noqa: N802
        """Frozen dataclass whose fields are made with `option`."""

    @property
    def PRESETS(self) -> Mapping[str, Any]:  # noqa: N802
        """Option sets people know, by slug. The first is the default."""

    @property
    def GUIDE(self) -> tuple[Section, ...]:  # noqa: N802
        """The page of rules, with a line `**Name:** …` for each preset. Options are on the page already."""

    @property
    def State(self) -> type[Any]:  # noqa: N802
        """Frozen, slotted dataclass, a `State` as above."""

    @property
    def FIELDS(self) -> Mapping[str, str]:  # noqa: N802
        """A short name of each field of `State` but `options`, `turn` and `ended`, through `gettext_noop`."""

    @property
    def UPGRADES(self) -> tuple[Upgrade, ...]:  # noqa: N802
        """How states that older rules stored are read: from version 1 to 2, from 2 to 3, and so on.

        A rule that is mended leaves them alone. A state that gets another shape does not: whoever
        changes it adds what turns the fields of the old one into those of the new.
        """

    @property
    def Move(self) -> type[Any]:  # noqa: N802
        """Frozen dataclass; `str(move)` is its notation and `parse` reads it back."""

    @property
    def EVENTS(self) -> tuple[type[Any], ...]:  # noqa: N802
        """The frozen dataclasses that may occur in `Step.events`."""

    @property
    def REFUSALS(self) -> Mapping[str, str]:  # noqa: N802
        """What the rules of this game forbid: the sentence of each code, which `refused` makes an error.

        The codes that all games share are not among them.
        """

    def setup(self, options: Any, seats: int, first: Seat = 0) -> Any:
        """The starting state. Raises `BadOptions`."""

    def check(self, state: Any, seats: int) -> None:
        """Refuse a state with which `play` could not go on, or that has more on the board than the game.

        The fields have their types, `turn` is one of the seats, and `setup` accepts the options. Raises
        `BadPosition`.
        """

    def legal_moves(self, state: Any) -> tuple[Any, ...]:
        """Moves open to `state.turn`; empty while dice are due and when the match is over."""

    def parse(self, text: str) -> Any:
        """The move written as `text`. Raises `Unparseable`."""

    def chance(self, state: Any) -> Dice | None:
        """The dice due now, if any."""

    def play(self, state: Any, action: Any) -> Step:
        """Apply a move, a roll or a leave. Raises `IllegalMove` and changes nothing."""

    def outcome(self, state: Any) -> Outcome | None:
        """The result, once there is one."""

    def standing(self, state: Any) -> Outcome:
        """The result, with the reason `ENDED`, if those who still play ended a running match now."""


Odds: TypeAlias = Callable[[Any], Fraction | None]
"""A chance that a game tells on request, where matches are casual: the registry names it.

A pure function of the state that answers within milliseconds: the chance from 0 to 1, or None in a position
in which the question makes no sense.
"""


class Choice(NamedTuple):
    """One option of a game, as the table form shows it.

    `choices` are all values the rules accept, `offered` those on the form, with their words
    (empty where the value speaks for itself).
    """

    name: str
    title: str
    sentence: str
    default: Any
    choices: tuple[Any, ...]
    offered: Mapping[Any, str]


def option(
    default: Any,
    *,
    title: str,
    sentence: str,
    choices: Iterable[Any] = (False, True),
    offered: Iterable[Any] | Mapping[Any, str] | None = None,
) -> Any:
    """A field of an `Options` dataclass.

    Args:
        default: the value when nothing is chosen.
        title: a short name, through `gettext_noop`.
        sentence: one plain sentence that says what it changes, through `gettext_noop`.
        choices: every value the rules accept.
        offered: the values the table form offers, all by default; a mapping names them.
    """
    choices = tuple(choices)
    shown = dict.fromkeys(choices if offered is None else offered, "")
    if isinstance(offered, Mapping):
        shown = dict(offered)
    return field(
        default=default,
        metadata={"title": title, "sentence": sentence, "choices": choices, "offered": shown},
    )


def choices_of(options: type) -> tuple[Choice, ...]:
    """The options of a game in the order in which its form shows them."""
    return tuple(
        Choice(f.name, default=f.default, **f.metadata) for f in fields(options) if f.default is not MISSING
    )


def check_options(options: Any, seats: int, allowed: range) -> None:
    """Refuse options outside their choices and impossible numbers of seats. Raises `BadOptions`."""
    for choice in choices_of(type(options)):
        value = getattr(options, choice.name)
        # `True == 1` in Python, so the type is compared as well.
        if not any(value == known and type(value) is type(known) for known in choice.choices):
            raise BadOptions(
                "bad-option",
                gettext_noop("%(option)s cannot be %(value)r."),
                option=choice.name,
                value=value,
            )
    if seats not in allowed:
        raise BadOptions(
            "bad-seats",
            gettext_noop("This game is for %(least)d to %(most)d players."),
            least=allowed[0],
            most=allowed[-1],
        )
