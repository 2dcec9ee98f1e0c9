"""Aces: throw your dice away until the last one of all lands in the centre.

The rules are those of "Aces to the centre, deuces to the left, fives to the right", as dice-play.com and
gamerules.com have them under Aces. Everyone holds some dice and throws all of them at once. Ones (aces) go
to the centre, twos to the player on the left (the next seat in turn order), fives to the player on the
right, the rest stay. A throw that moved no die, or the loss of the last one, ends the turn; otherwise the
same player throws again. Who holds no dice is skipped but stays in and may be handed some. The throw that
sends the last die of all to the centre decides the match, and that is looked at before anything else about
the throw.

When a seat leaves, its dice go to the player on its left, so that every die stays in play and the last
one is always thrown by somebody.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .aces_guide import GUIDE as GUIDE
from .base import (
    ENDED,
    Dice,
    Leave,
    Left,
    Outcome,
    Roll,
    Seat,
    Step,
    Unparseable,
    Upgrade,
    check_field,
    check_options,
    gettext_noop,
    option,
    refused,
)

SEATS = range(2, 9)

SIDES = 6
ACE, TWO, FIVE = 1, 2, 5
UNTHROWN = 0
"""Stands for the face of a die that nobody has thrown yet."""

WINS, LOSES = "wins", "loses"


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may agree on."""

    dice: int = option(
        5,
        title=gettext_noop("Dice"),
        sentence=gettext_noop("How many dice each player starts with."),
        choices=range(3, 7),
    )
    may_stop: bool = option(
        False,
        title=gettext_noop("Stopping"),
        sentence=gettext_noop("Whether a player can stop after any roll, or must roll as long as dice move."),
        offered={
            False: gettext_noop("Players roll as long as dice move."),
            True: gettext_noop("A player can stop after any roll."),
        },
    )
    last_ace: str = option(
        WINS,
        title=gettext_noop("The last ace"),
        sentence=gettext_noop("What happens to the player who sends the last die to the centre."),
        choices=(WINS, LOSES),
        offered={
            WINS: gettext_noop("The player who rolls the last ace wins."),
            LOSES: gettext_noop("The player who rolls the last ace loses; all others win."),
        },
    )


PRESETS = {
    "standard": Options(),
    "last-loses": Options(last_ace=LOSES),
}


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    `dice` holds each seat's dice as they lie, in faces 1-6 or `UNTHROWN`; `present` says which seats
    still play; `throws` counts the throws of the turn under way; `due` is true between the decision
    to throw and the throw itself.
    """

    options: Options
    turn: Seat
    dice: tuple[tuple[int, ...], ...]
    present: tuple[bool, ...]
    centre: int = 0
    throws: int = 0
    due: bool = False
    ended: Outcome | None = None


FIELDS = {
    "dice": gettext_noop("Dice"),
    "present": gettext_noop("Who still plays"),
    "centre": gettext_noop("Dice in the centre"),
    "throws": gettext_noop("Rolls in this turn"),
    "due": gettext_noop("Dice are about to be rolled"),
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
    """A seat threw all its dice."""

    seat: Seat
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Centred:
    """Ones went to the centre; `in_play` dice are still held by somebody."""

    seat: Seat
    count: int
    in_play: int


@dataclass(frozen=True, slots=True)
class Passed:
    """Twos went to the neighbour on the `side` "left", or fives to the one on the "right"."""

    seat: Seat
    to: Seat
    count: int
    side: str


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The dice of a seat that left went to the neighbour on its left."""

    seat: Seat
    to: Seat
    count: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The turn went to `next`, which is `seat` again when nobody else holds dice.

    `why` is one of "nothing-moved", "no-dice", "stopped", "left".
    """

    seat: Seat
    next: Seat
    why: str


EVENTS = (Thrown, Centred, Passed, Left, HandedOver, TurnEnded)
UPGRADES: tuple[Upgrade, ...] = ()
_TOO_MANY_DICE = gettext_noop("There are more than %(most)d dice on the table and in the centre.")
_NO_DICE = gettext_noop("The player to move has no dice.")
REFUSALS = {
    "dice-due": gettext_noop("Wait until the dice have landed."),
    "must-throw": gettext_noop("In this match you roll as long as dice move."),
    "not-thrown-yet": gettext_noop("You can stop only after a roll."),
}


def setup(options: Options, seats: int, first: Seat = 0) -> State:
    """Everyone with `options.dice` dice, `first` to throw. Raises `BadOptions`."""
    check_options(options, seats, SEATS)
    return State(
        options,
        turn=first,
        dice=((UNTHROWN,) * options.dice,) * seats,
        present=(True,) * seats,
    )


def check(state: State, seats: int) -> None:
    """No more dice than the options have, and some with the seat on turn. Raises `BadPosition`."""
    dice, present = state.dice, state.present
    check_field(len(present) == seats, "present")
    check_field(
        len(dice) == seats and all(UNTHROWN <= face <= SIDES for hand in dice for face in hand), "dice"
    )
    check_field(state.centre >= 0, "centre")
    check_field(state.throws >= 0, "throws")
    most = seats * state.options.dice
    check_field(sum(map(len, dice)) + state.centre <= most, "dice", _TOO_MANY_DICE, most=most)
    check_field(all(here or not hand for here, hand in zip(present, dice, strict=True)), "dice")
    if state.ended is None:
        check_field(present[state.turn] and sum(present) > 1, "present")
        check_field(bool(dice[state.turn]), "dice", _NO_DICE)


def legal_moves(state: State) -> tuple[Move, ...]:
    """`roll`, and `stop` once the turn has seen a throw if the table allows it."""
    if state.ended or state.due:
        return ()
    return (ROLL, STOP) if state.options.may_stop and state.throws else (ROLL,)


def parse(text: str) -> Move:
    """The move written as `text`. Raises `Unparseable`."""
    for move in (ROLL, STOP):
        if text == move.verb:
            return move
    raise Unparseable(text)


def chance(state: State) -> Dice | None:
    """All dice of the seat on turn, once it has decided to throw."""
    return Dice(len(state.dice[state.turn]), SIDES) if state.due and not state.ended else None


def outcome(state: State) -> Outcome | None:
    """Decided by the last ace, or by everybody but one having left."""
    return state.ended


def standing(state: State) -> Outcome:
    """Who has most dice is likeliest to send the last ace, for good or ill."""
    held = {seat: len(state.dice[seat]) for seat, here in enumerate(state.present) if here}
    best = (max if state.options.last_ace == WINS else min)(held.values())
    return Outcome(tuple(seat for seat, count in held.items() if count == best), ENDED)


def play(state: State, action: Move | Roll | Leave) -> Step:
    """Apply a move, a throw or a departure. Raises `IllegalMove` with the code of the rule it breaks."""
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


def _stop(state: State) -> Step:
    if not state.options.may_stop:
        raise refused("must-throw", REFUSALS)
    if not state.throws:
        raise refused("not-thrown-yet", REFUSALS)
    return _end_turn(state, "stopped")


def _throw(state: State, faces: tuple[int, ...]) -> Step:
    """Distribute a throw. The last ace decides the match before anybody asks who throws next."""
    dice = chance(state)
    if dice is None:
        raise refused("no-dice-due")
    if len(faces) != dice.count or not all(1 <= face <= SIDES for face in faces):
        raise refused("wrong-dice", count=dice.count, sides=dice.sides)
    landed, events = _distribute(state, faces)
    if not any(landed.dice):
        return Step(replace(landed, ended=_last_ace(landed)), events)
    if len(landed.dice[state.turn]) == len(faces):
        return _end_turn(landed, "nothing-moved", events)
    if not landed.dice[state.turn]:
        return _end_turn(landed, "no-dice", events)
    return Step(landed, events)


def _distribute(state: State, faces: tuple[int, ...]) -> tuple[State, tuple[object, ...]]:
    seat = state.turn
    dice = list(state.dice)
    dice[seat] = tuple(face for face in faces if face not in (ACE, TWO, FIVE))
    events: list[object] = []
    for face, side, step in ((TWO, "left", 1), (FIVE, "right", -1)):
        if count := faces.count(face):
            to = _beside(state, seat, step)
            dice[to] += (face,) * count
            events.append(Passed(seat, to, count, side))
    if aces := faces.count(ACE):
        events.insert(0, Centred(seat, aces, in_play=sum(map(len, dice))))
    landed = replace(state, dice=tuple(dice), centre=state.centre + aces, throws=state.throws + 1, due=False)
    return landed, (Thrown(seat, faces), *events)


def _last_ace(state: State) -> Outcome:
    if state.options.last_ace == WINS:
        return Outcome((state.turn,), "last-ace")
    others = (seat for seat, present in enumerate(state.present) if present and seat != state.turn)
    return Outcome(tuple(others), "last-ace")


def _beside(state: State, seat: Seat, step: int) -> Seat:
    """The nearest seat still in the match, to the left (`step` 1) or to the right (-1)."""
    seats = len(state.present)
    return next(at for i in range(1, seats + 1) if state.present[at := (seat + step * i) % seats])


def _end_turn(state: State, why: str, events: tuple[object, ...] = ()) -> Step:
    """Hand the turn to the next seat that holds dice; seats that left hold none."""
    seats = len(state.dice)
    after = next(at for i in range(1, seats + 1) if state.dice[at := (state.turn + i) % seats])
    ended = replace(state, turn=after, throws=0, due=False)
    return Step(ended, (*events, TurnEnded(state.turn, after, why)))


def _leave(state: State, leave: Leave) -> Step:
    seat = leave.seat
    if not 0 <= seat < len(state.present):
        raise refused("no-such-seat", seat=seat)
    if not state.present[seat]:
        raise refused("has-left")
    present = tuple(here and at != seat for at, here in enumerate(state.present))
    without = replace(state, present=present)
    to = _beside(without, seat, 1)
    dice = list(state.dice)
    dice[to], dice[seat] = dice[to] + dice[seat], ()
    without = replace(without, dice=tuple(dice))
    events: tuple[object, ...] = (Left(seat, leave.reason),)
    if count := len(state.dice[seat]):
        events += (HandedOver(seat, to, count),)
    if sum(present) == 1:
        return Step(replace(without, due=False, ended=Outcome((to,), leave.reason)), events)
    return _end_turn(without, "left", events) if seat == state.turn else Step(without, events)
