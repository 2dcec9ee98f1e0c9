"""Pig: roll a die as often as you dare; a one takes what the turn has brought.

Rules as in John Scarne, Scarne on Dice (1945): a turn is a run of rolls of one die. Each adds its face to
the points of the turn, until the player stops, which adds these to the score, or rolls a one, which loses
them. The first score of `options.target` or more wins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .base import (
    ENDED,
    Dice,
    Leave,
    Left,
    Outcome,
    Roll,
    Seat,
    Section,
    Step,
    Unparseable,
    Upgrade,
    check_field,
    check_options,
    gettext_noop,
    option,
    refused,
)

SEATS = range(2, 5)

DUE = Dice(1)


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may agree on."""

    target: int = option(
        100,
        title=gettext_noop("Target"),
        sentence=gettext_noop("How many points win."),
        choices=(50, 100),
    )


PRESETS = {"standard": Options(), "short": Options(target=50)}

GUIDE = (
    Section(
        gettext_noop("Your turn"),
        (
            gettext_noop(
                "Roll the die as often as you like. Each roll adds its points to those of your turn."
            ),
            (
                gettext_noop("**If you stop,** the points of the turn are added to your score."),
                gettext_noop("**If you roll a one,** they are lost, and your turn is over."),
            ),
        ),
    ),
    Section(
        gettext_noop("The end"),
        (
            gettext_noop("The first player to stop with enough points wins."),
            gettext_noop("Whoever leaves is skipped. The last player left wins."),
        ),
    ),
    Section(
        gettext_noop("Rule sets"),
        (
            (
                gettext_noop("**Standard:** a hundred points win."),
                gettext_noop("**Short:** fifty points win."),
            ),
        ),
    ),
    Section(
        gettext_noop("Notation"),
        (gettext_noop("`roll` rolls the die and `stop` ends the turn."),),
    ),
)


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    `scores` are the points of each seat, `present` says which seats still play. `face` is the last roll of
    the turn, 0 before there is one, and `pot` the points of the turn. `due` is true between the decision to
    roll and the roll itself.
    """

    options: Options
    turn: Seat
    scores: tuple[int, ...]
    present: tuple[bool, ...]
    face: int = 0
    pot: int = 0
    due: bool = False
    ended: Outcome | None = None


FIELDS = {
    "scores": gettext_noop("Points of the players"),
    "present": gettext_noop("Who still plays"),
    "face": gettext_noop("Last roll"),
    "pot": gettext_noop("Points of the turn"),
    "due": gettext_noop("The die is about to be rolled"),
}


@dataclass(frozen=True, slots=True)
class Move:
    """`roll` or `stop`."""

    verb: str

    def __str__(self) -> str:
        return self.verb


ROLL, STOP = Move("roll"), Move("stop")


@dataclass(frozen=True, slots=True)
class Thrown:
    """A seat threw the die; `pot` are the points of the turn now."""

    seat: Seat
    face: int
    pot: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A one took the points of the turn."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Banked:
    """A seat stopped: the points of the turn were added to its `score`."""

    seat: Seat
    points: int
    score: int


EVENTS = (Thrown, Lost, Banked, Left)
UPGRADES: tuple[Upgrade, ...] = ()
REFUSALS = {
    "dice-due": gettext_noop("The die must land first."),
    "not-rolled-yet": gettext_noop("Roll before you stop."),
}


def setup(options: Options, seats: int, first: Seat = 0) -> State:
    """Nobody has points, `first` to roll. Raises `BadOptions`."""
    check_options(options, seats, SEATS)
    return State(options, first, scores=(0,) * seats, present=(True,) * seats)


def check(state: State, seats: int) -> None:
    """A score for each seat, and a seat on turn that still plays. Raises `BadPosition`."""
    check_field(len(state.scores) == seats and min(state.scores) >= 0, "scores")
    check_field(len(state.present) == seats, "present")
    check_field(state.ended is not None or (state.present[state.turn] and sum(state.present) > 1), "present")
    check_field(0 <= state.face <= DUE.sides, "face")
    check_field(state.pot >= 0, "pot")


def legal_moves(state: State) -> tuple[Move, ...]:
    """`roll`, and `stop` once the turn has brought points."""
    if state.ended or state.due:
        return ()
    return (ROLL, STOP) if state.pot else (ROLL,)


def parse(text: str) -> Move:
    """The move written as `text`. Raises `Unparseable`."""
    for move in (ROLL, STOP):
        if text == move.verb:
            return move
    raise Unparseable(text)


def chance(state: State) -> Dice | None:
    """The die, once the seat on turn has decided to roll it."""
    return DUE if state.due and not state.ended else None


def outcome(state: State) -> Outcome | None:
    """Decided by the target, or by everybody but one having left."""
    return state.ended


def standing(state: State) -> Outcome:
    """Most points are ahead; those of the turn do not count yet."""
    most = max(score for score, here in zip(state.scores, state.present, strict=True) if here)
    ahead = [seat for seat, here in enumerate(state.present) if here and state.scores[seat] == most]
    return Outcome(tuple(ahead), ENDED, state.scores)


def play(state: State, action: Move | Roll | Leave) -> Step:
    """Apply a move, a roll or a departure. Raises `IllegalMove` with the code of the rule it breaks."""
    if state.ended:
        raise refused("game-over")
    if isinstance(action, Leave):
        return _leave(state, action)
    if isinstance(action, Roll):
        return _throw(state, action.faces)
    if state.due:
        raise refused("dice-due", REFUSALS)
    if action == ROLL:
        return Step(replace(state, due=True), ())
    return _stop(state)


def _throw(state: State, faces: tuple[int, ...]) -> Step:
    if not state.due:
        raise refused("no-dice-due")
    if len(faces) != DUE.count or not 1 <= faces[0] <= DUE.sides:
        raise refused("wrong-dice", count=DUE.count, sides=DUE.sides)
    (face,) = faces
    pot = 0 if face == 1 else state.pot + face
    thrown = Thrown(state.turn, face, pot)
    if face == 1:
        return Step(_next(state), (thrown, Lost(state.turn, state.pot)))
    return Step(replace(state, face=face, pot=pot, due=False), (thrown,))


def _stop(state: State) -> Step:
    if not state.pot:
        raise refused("not-rolled-yet", REFUSALS)
    seat, score = state.turn, state.scores[state.turn] + state.pot
    scores = (*state.scores[:seat], score, *state.scores[seat + 1 :])
    banked = Banked(seat, state.pot, score)
    won = Outcome((seat,), "target", scores) if score >= state.options.target else None
    return Step(replace(_next(state), scores=scores, ended=won), (banked,))


def _next(state: State) -> State:
    """The turn of the next seat that still plays."""
    seats = len(state.present)
    after = next(at for i in range(1, seats + 1) if state.present[at := (state.turn + i) % seats])
    return replace(state, turn=after, face=0, pot=0, due=False)


def _leave(state: State, leave: Leave) -> Step:
    seat = leave.seat
    if not 0 <= seat < len(state.present):
        raise refused("no-such-seat", seat=seat)
    if not state.present[seat]:
        raise refused("has-left")
    left = replace(state, present=(*state.present[:seat], False, *state.present[seat + 1 :]))
    if seat == state.turn:
        left = _next(left)
    if sum(left.present) == 1:
        last = left.present.index(True)
        left = replace(left, due=False, ended=Outcome((last,), leave.reason, state.scores))
    return Step(left, (Left(seat, leave.reason),))
