"""Imports match files, and trusts nothing in them: every ply is replayed. Pure.

Names and times cannot be verified. Everything the rules determine is: the initial position, all moves, the
dice rolled and their faces by the server seed, all match actions, and the outcome.
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError

from games.domain import clock, codec, dice, match_actions, strict_json, texts
from games.domain.match_actions import Act, Logged, MatchFlags
from games.domain.matchfile import MOST_BYTES, MOST_PLIES, DicePart, MatchFile, PlyPart, rules_version
from games.domain.position import check_start, of_start
from games.registry import GAMES, Game
from games.rules.base import (
    UNFIT,
    BadOptions,
    BadPosition,
    IllegalMove,
    Leave,
    Outcome,
    Roll,
    Seat,
    Unparseable,
    check_field,
    gettext_noop,
)

CLOCKS_DIFFER = timedelta(seconds=2)
"""Tolerated clock difference between the processes of a site."""

REASONS_TO_LEAVE = ("resigned", "time", "abandoned")
WHILE_HALTED = (
    match_actions.RESUMED,
    match_actions.ABORTED,
    match_actions.EXPIRED,
    match_actions.STOPPED,
    match_actions.ABANDONED,
    match_actions.RECLAIMED,
)
"""Actions possible in a halted match, besides departures."""
OF_ONESELF = (match_actions.ABORTED, match_actions.RECLAIMED)
"""Acts that only the seat itself can cause."""


class FalseScore(ValueError):
    """The file is not a valid match.

    `code` is for programs, `sentence % params` for users. `ply` is the number of the first invalid ply, None
    if the error is elsewhere. `status` is the HTTP status.
    """

    status = 400

    def __init__(self, code: str, sentence: str, ply: int | None = None, **params: object) -> None:
        super().__init__(sentence % params)
        self.code = code
        self.sentence = sentence
        self.ply = ply
        self.params = params

    def __reduce__(self) -> tuple[Any, ...]:
        # By default, unpickling in the server process would call the class with the message only.
        return _false_score, (self.code, self.sentence, self.ply, self.params)


def _false_score(code: str, sentence: str, ply: int | None, params: dict[str, Any]) -> FalseScore:
    return FalseScore(code, sentence, ply, **params)


@dataclass(frozen=True, slots=True)
class Played:
    """One replayed ply of an imported match, and its result."""

    number: int
    seat: Seat | None
    text: str
    dice: tuple[int, ...] | None
    at: datetime
    events: tuple[Any, ...]
    state: Any


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """An imported match. Names, times and clocks are unverified claims; everything else was checked.

    `flags` is that after the last ply. `sealed` says that all dice rolls follow from the server seed in
    the file.
    """

    id: str
    game: Game
    start: Any
    names: tuple[str, ...]
    clock: str
    rated: bool
    begun: datetime
    ended: datetime
    plies: tuple[Played, ...]
    outcome: Outcome
    flags: MatchFlags
    sealed: bool


def read(document: bytes) -> ImportedMatch:
    """Read and check a file of the format "parlour-match". Raises `FalseScore`."""
    file = _parsed(document)
    _check_length(file)
    game = _game(file)
    start = _start(file, game)
    _check_terms(file)
    _check_dice(file, game)
    replay = _Replay(file, game, start)
    return ImportedMatch(
        id=file.id,
        game=game,
        start=start,
        names=_names(file),
        clock=file.terms.clock,
        rated=file.terms.rated,
        begun=file.begun,
        ended=file.ended,
        plies=tuple(replay.plies()),
        outcome=replay.end(),
        flags=replay.flags,
        sealed=file.dice is not None,
    )


# Checks outside the plies


def _parsed(document: bytes) -> MatchFile:
    if len(document) > MOST_BYTES:
        raise FalseScore(
            "too-large", gettext_noop("The file is larger than %(most)d bytes."), most=MOST_BYTES
        )
    try:
        return strict_json.model(MatchFile, _text(document))
    except ValidationError as error:
        raise _misshapen(error) from error


def _text(document: bytes) -> str:
    """Decode a file in UTF-8, or in the encoding of its byte order mark, as editors save it."""
    marked = document.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        return document.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise _no_json() from error


def _no_json() -> FalseScore:
    return FalseScore("not-json", gettext_noop("This is not a JSON file."))


def _misshapen(error: ValidationError) -> FalseScore:
    problems = error.errors(include_url=False, include_input=False)
    if problems[0]["type"] == "json_invalid":
        return _no_json()
    if problems[0]["type"] == strict_json.REPEATED:
        return FalseScore(
            "repeated-name",
            gettext_noop("“%(name)s” appears twice in an object of the file."),
            name=problems[0]["loc"][0],
        )
    places = [problem["loc"] for problem in problems]
    if ("format",) in places or not places[0]:
        return FalseScore("unknown-format", gettext_noop("This is not a Parlour match file."))
    if ("version",) in places:
        return FalseScore("unknown-version", gettext_noop("This file format version is not supported."))
    place = places[0]
    ply = place[1] + 1 if place[0] == "plies" and len(place) > 1 and isinstance(place[1], int) else None
    inner = place[2:] if ply else place
    return _unfit(".".join(map(str, inner)) or "plies", ply)


def _unfit(place: str, ply: int | None = None) -> FalseScore:
    return FalseScore("misshapen", UNFIT, ply, place=place)


def _check_length(file: MatchFile) -> None:
    if len(file.plies) > MOST_PLIES:
        raise FalseScore("too-long", gettext_noop("The match has more than %(most)d plies."), most=MOST_PLIES)


def _game(file: MatchFile) -> Game:
    game = GAMES.get(file.game)
    if game is None:
        raise FalseScore(
            "unknown-game", gettext_noop("This site does not have the game “%(game)s”."), game=file.game
        )
    if file.rules > rules_version(game.rules):
        raise FalseScore("newer-rules", gettext_noop("This file uses a newer version of the rules."))
    return game


def _start(file: MatchFile, game: Game) -> Any:
    """The initial position, checked against the options."""
    rules = game.rules
    start = _decoded("start", lambda: codec.decode_state(rules, {**file.start, "version": file.rules}))
    options = start.options
    if file.rules == rules_version(rules):
        # Older rules may have had other options; the position contains their effect.
        options = _decoded("options", lambda: codec.decode(rules.Options, file.options))
    try:
        rules.setup(options, len(file.seats))
    except BadOptions as error:
        raise FalseScore(error.code, error.sentence, None, **error.params) from error
    try:
        check_field(start.options == options and start.turn in range(len(file.seats)), "start")
        began = of_start(game, start, len(file.seats))
        if began is not None:
            check_start(began)
            check_field(not file.terms.rated, "rated")
    except BadPosition as error:
        raise FalseScore(
            "wrong-start", gettext_noop("The starting position does not fit these rules.")
        ) from error
    return start


def _decoded(place: str, decode: Callable[[], Any]) -> Any:
    try:
        return decode()
    # Migrations of older states expect well-formed states.
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise _unfit(place) from error


def _names(file: MatchFile) -> tuple[str, ...]:
    """The names of the players, which must differ."""
    names = tuple(texts.cleaned(seat.name) for seat in file.seats)
    seen = set()
    for number, name in enumerate(names):
        if not name:
            raise _unfit(f"seats.{number}.name")
        if name.casefold() in seen:
            raise FalseScore("same-players", gettext_noop("Two players have the name “%(name)s”."), name=name)
        seen.add(name.casefold())
    return names


def _check_terms(file: MatchFile) -> None:
    try:
        clock.parse(file.terms.clock)
    except clock.BadClock as error:
        raise FalseScore(error.code, error.sentence, None, **error.params) from error


def _check_dice(file: MatchFile, game: Game) -> None:
    sealed = file.dice
    if sealed is None:
        return
    if not game.dice or len(sealed.words) != len(file.seats):
        raise _unfit("dice")
    if dice.commitment(sealed.secret) != sealed.commitment:
        raise FalseScore("wrong-commitment", gettext_noop("The dice secret does not match its fingerprint."))


# The plies


@dataclass(slots=True)
class _Replay:
    """Replays a match ply by ply."""

    file: MatchFile
    game: Game
    state: Any
    states: list[Any] = field(init=False)
    flags: MatchFlags = field(default_factory=MatchFlags)
    line: match_actions.Line = field(default_factory=list)
    outcome: Outcome | None = None
    at: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.states = [self.state]
        self.outcome = self.game.rules.outcome(self.state)
        self.at = self.file.begun

    def plies(self) -> Iterator[Played]:
        for number, ply in enumerate(self.file.plies, 1):
            try:
                yield self._play(number, ply)
            except IllegalMove as error:
                raise FalseScore(error.code, error.sentence, number, **error.params) from error

    def end(self) -> Outcome:
        """The outcome after all plies, checked against the file."""
        if self.outcome is None:
            raise FalseScore("unfinished", gettext_noop("The match is not over after the last ply."))
        told = self.file.outcome
        if self.outcome != Outcome(tuple(told.winners), told.reason, tuple(told.scores)):
            raise FalseScore("wrong-outcome", gettext_noop("The match did not end as the file says."))
        if self.file.ended < self.at - CLOCKS_DIFFER:
            raise FalseScore("backwards", gettext_noop("The match ended before its last ply."))
        return self.outcome

    def _play(self, number: int, ply: PlyPart) -> Played:
        rules = self.game.rules
        self._check_frame(number, ply)
        action = match_actions.action(rules, ply.action, ply.dice)
        if codec.action_text(action) != ply.action:
            # Accept only the canonical text; others are for typed input.
            raise Unparseable(ply.action)
        self._check_actor(action, ply.seat, number)
        step = match_actions.play(rules, self.state, action, self.states.__getitem__)
        if isinstance(action, Roll):
            self._check_throw(action, number)
        self._move_on(number, ply, step.state)
        return Played(
            number, ply.seat, ply.action, codec.action_dice(action), ply.at, step.events, step.state
        )

    def _move_on(self, number: int, ply: PlyPart, state: Any) -> None:
        self.flags = self.flags.after(ply.seat, ply.action)
        match_actions.follow(self.line, number, Logged(ply.seat, ply.action, ply.dice is not None))
        self.state, self.at = state, max(self.at, ply.at)
        self.states.append(state)
        remaining = self.flags.remaining(len(self.file.seats))
        self.outcome = match_actions.outcome(self.game.rules, state, ply.action, remaining)

    def _check_frame(self, number: int, ply: PlyPart) -> None:
        """Check what does not depend on the kind of ply."""
        if ply.number != number:
            raise FalseScore(
                "wrong-number", gettext_noop("It has the number %(told)d."), number, told=ply.number
            )
        if self.outcome is not None:
            raise FalseScore("after-the-end", gettext_noop("The match was over before it."), number)
        if ply.dice is not None and ply.action != codec.DICE:
            raise FalseScore("not-a-throw", gettext_noop("It has dice but is not a roll."), number)
        if ply.clocks is not None and len(ply.clocks) != len(self.file.seats):
            raise FalseScore("wrong-clocks", gettext_noop("It has the wrong number of clocks."), number)
        if ply.at < self.at - CLOCKS_DIFFER:
            raise FalseScore(
                "backwards", gettext_noop("Its time is earlier than that of the ply before."), number
            )

    def _check_actor(self, action: Any, seat: Seat | None, number: int) -> None:
        """Check that the seat could do this, as far as the game's rules do not decide it."""
        if isinstance(action, Roll):
            fits = seat is None
        elif isinstance(action, Leave):
            fits = self._is_there(seat) and self._may_leave(action, seat)
        elif isinstance(action, Act):
            fits = self._is_there(seat) and (action.kind not in OF_ONESELF or seat == action.seat)
            self._check_act(action, number)
        else:
            fits = seat == self.state.turn
        if not fits:
            raise FalseScore("wrong-seat", gettext_noop("It is not this player’s turn."), number)
        if self.flags.halted and not isinstance(action, Leave) and _kind(action) not in WHILE_HALTED:
            raise FalseScore("halted", gettext_noop("The match was paused or saved."), number)

    def _may_leave(self, leave: Leave, seat: Seat | None) -> bool:
        # Opponents can remove only absent players.
        return leave.reason in REASONS_TO_LEAVE and (seat == leave.seat or leave.reason == "abandoned")

    def _is_there(self, seat: Seat | None) -> bool:
        return seat in self.flags.remaining(len(self.file.seats))

    def _check_act(self, act: Act, number: int) -> None:
        if act.kind == match_actions.TAKEN_BACK:
            self._check_take_back(act, number)
        elif not self._is_possible(act):
            raise FalseScore("impossible-act", gettext_noop("This was not possible at that point."), number)

    def _check_take_back(self, act: Act, number: int) -> None:
        if match_actions.last_decision(self.line, act.seat) != act:
            raise FalseScore(
                "wrong-take-back", gettext_noop("It takes back a move that is not the last one."), number
            )

    def _is_possible(self, act: Act) -> bool:
        if not self._is_there(act.seat):
            return False
        flags = self.flags
        match act.kind:
            case match_actions.AGREED:
                return self.game.draws and len(self.file.seats) == 2
            case match_actions.RESUMED:
                return bool(flags.halted)
            case match_actions.CARETAKER:
                return act.seat not in flags.caretaken
            case match_actions.RECLAIMED:
                return act.seat in flags.caretaken
            case _:
                return True

    def _check_throw(self, roll: Roll, number: int) -> None:
        """Check that the server seed gives these faces, which the rules have already found possible."""
        sealed: DicePart | None = self.file.dice
        due = self.game.rules.chance(self.state)
        assert due is not None
        if sealed is None:
            return
        thrown = dice.throw(sealed.secret, sealed.words, self.file.id, number, due)
        if thrown != roll:
            raise FalseScore(
                "broken-seal",
                gettext_noop("The dice secret gives %(thrown)s, not %(told)s."),
                number,
                thrown=_joined_faces(thrown),
                told=_joined_faces(roll),
            )


def _joined_faces(roll: Roll) -> str:
    """The faces of a dice roll, joined by no-break spaces."""
    return "\N{NO-BREAK SPACE}".join(map(str, roll.faces))


def _kind(action: Any) -> str | None:
    return action.kind if isinstance(action, Act) else None
