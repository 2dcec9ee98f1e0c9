"""Can't Stop for two to four seats.

Eleven columns, one for each sum of two dice. A player throws four dice, splits them into two pairs
and moves a runner up the column of each sum, then throws again or stops. Stopping turns the runners
into cones; a throw that moves nothing loses them. A cone on the top space claims its column for
good, and three claimed columns win.

The rules are those of Sid Sackson's game (Parker Brothers, 1980), as J. Glenn and C. Aloi state them in
"A Generalized Heuristic for Can't Stop" (FLAIRS, 2009). There the half of a pairing moves whose other half
cannot; the preset `strict` bars a pairing that names a column whose runner has come to the top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import TypeAlias

from .base import (
    ENDED,
    Dice,
    IllegalMove,
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
from .cantstop_guide import GUIDE as GUIDE

SEATS = range(2, 5)
COLUMNS = range(2, 13)
LENGTHS = (0, 0, 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
"""Spaces by column. Like every row below it is indexed by the column itself; 0 and 1 are unused."""
RUNNERS = 3
TO_WIN = 3
DICE = Dice(4)

STRICT, PUBLISHED = "strict", "published"
"""What becomes of a pairing that names a topped column: it is barred, or its other half moves."""

Pairing: TypeAlias = tuple[int, int]
"""The two sums of four dice split into pairs, the smaller first."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may agree on."""

    topped: str = option(
        STRICT,
        title=gettext_noop("Topped column"),
        sentence=gettext_noop(
            "What happens to a pairing if the runner in one of its columns is already at the top."
        ),
        choices=(STRICT, PUBLISHED),
        offered={
            STRICT: gettext_noop("The whole pairing is blocked."),
            PUBLISHED: gettext_noop("Its other half still moves."),
        },
    )


PRESETS = {"strict": Options(), "published": Options(topped=PUBLISHED)}


@dataclass(frozen=True, slots=True)
class Move:
    """`roll`, `stop`, or `climb` in the columns of a pairing, the smaller first.

    A column alone means that only this half of the pairing is played; the same column twice means
    two spaces in it.
    """

    verb: str
    columns: tuple[int, ...] = ()

    def __str__(self) -> str:
        return "+".join(map(str, self.columns)) or self.verb


ROLL, STOP = Move("roll"), Move("stop")


@dataclass(frozen=True, slots=True)
class State:
    """A position. Spaces count from 1 at the foot of a column, the length is its top; 0 is off the board.

    `cones[seat][column]` and `runners[column]` are spaces, the runners those of the seat on turn;
    `owners[column]` is the seat that claimed it; `present` says which seats still play. `due` is true
    between the decision to throw and the throw, `dice` holds the faces until a pairing is chosen.
    """

    options: Options
    turn: Seat
    cones: tuple[tuple[int, ...], ...]
    runners: tuple[int, ...]
    owners: tuple[Seat | None, ...]
    present: tuple[bool, ...]
    dice: tuple[int, ...] = ()
    due: bool = False
    ended: Outcome | None = None


FIELDS = {
    "cones": gettext_noop("Cones"),
    "runners": gettext_noop("Runners"),
    "owners": gettext_noop("Who claimed which column"),
    "present": gettext_noop("Who still plays"),
    "dice": gettext_noop("Dice"),
    "due": gettext_noop("Dice are about to be rolled"),
}


@dataclass(frozen=True, slots=True)
class Thrown:
    """A seat threw the four dice."""

    seat: Seat
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Climbed:
    """A runner went up from space `start`: 0 or the own cone when it has just entered the column."""

    seat: Seat
    column: int
    start: int
    space: int


@dataclass(frozen=True, slots=True)
class Busted:
    """No pairing could be played: the runners in `columns` are lost and the turn is over."""

    seat: Seat
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Banked:
    """The player stopped: the runners in `columns` became cones."""

    seat: Seat
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claimed:
    """A cone reached the top: all other cones left the column and nobody enters it again."""

    seat: Seat
    column: int


EVENTS = (Thrown, Climbed, Busted, Banked, Claimed, Left)
UPGRADES: tuple[Upgrade, ...] = ()
_HAS_WON = gettext_noop("A player who has claimed three columns has won.")
_CONES = gettext_noop("Each cone is below the top of a column that nobody has claimed.")
_RUNNER_IN_COLUMN = gettext_noop("Each runner is in a column that nobody has claimed.")
_TOO_MANY_RUNNERS = gettext_noop("There are more than %(most)d runners.")
_RUNNER_BELOW = gettext_noop("Each runner is above the cone of the player to move.")
REFUSALS = {
    "dice-due": gettext_noop("Wait until the dice have landed."),
    "nothing-thrown": gettext_noop("Roll the dice first."),
    "pair-first": gettext_noop("Choose a pairing first."),
    "nothing-to-bank": gettext_noop("Roll at least once before you stop."),
    "not-in-dice": gettext_noop("These dice do not make these sums."),
    "pairing-topped": gettext_noop(
        "The runner in column %(column)d is at the top, so this pairing cannot be used."
    ),
    "both-halves": gettext_noop("You can play both sums of this pairing: %(low)d and %(high)d."),
    "one-space-left": gettext_noop("Column %(column)d has only one space left."),
    "one-runner-left": gettext_noop("You have one runner left: choose %(low)d or %(high)d."),
    "claimed": gettext_noop("Column %(column)d has been claimed."),
    "topped": gettext_noop("Your runner in column %(column)d is already at the top."),
    "no-runner-left": gettext_noop("You have no runner left for column %(column)d."),
}

_NOWHERE = (0,) * COLUMNS.stop
_CLIMBS = (*((column,) for column in COLUMNS), *combinations_with_replacement(COLUMNS, 2))
_NOTATION = {str(move): move for move in (ROLL, STOP, *(Move("climb", columns) for columns in _CLIMBS))}
THROWS = Counter(tuple(sorted(throw)) for throw in product(range(1, DICE.sides + 1), repeat=DICE.count))
"""The throws there are, in rising order, and in how many ways each can fall."""


def setup(options: Options, seats: int, first: Seat = 0) -> State:
    """The empty board. Raises `BadOptions`."""
    check_options(options, seats, SEATS)
    return State(
        options,
        turn=first,
        cones=(_NOWHERE,) * seats,
        runners=_NOWHERE,
        owners=(None,) * COLUMNS.stop,
        present=(True,) * seats,
    )


def check(state: State, seats: int) -> None:
    """Cones below the top and runners above them, both in columns that nobody has. Raises `BadPosition`."""
    cones, owners, dice = state.cones, state.owners, state.dice
    check_field(len(state.present) == seats, "present")
    check_field(len(owners) == len(LENGTHS) and {*owners} <= {None, *range(seats)}, "owners")
    undecided = all(owners.count(seat) < TO_WIN for seat in range(seats))
    check_field(state.ended is not None or undecided, "owners", _HAS_WON)
    tops = [top if owner is None else 0 for top, owner in zip(LENGTHS, owners, strict=True)]
    below = [max(top - 1, 0) for top in tops]
    check_field(len(cones) == seats and all(_fits(row, below) for row in cones), "cones", _CONES)
    check_field(_fits(state.runners, tops), "runners", _RUNNER_IN_COLUMN)
    check_field(len(_in_play(state)) <= RUNNERS, "runners", _TOO_MANY_RUNNERS, most=RUNNERS)
    above = all(state.runners[at] > cones[state.turn][at] for at in _in_play(state))
    check_field(above, "runners", _RUNNER_BELOW)
    check_field(not dice or (len(dice) == DICE.count and {*dice} <= {*range(1, DICE.sides + 1)}), "dice")
    if state.ended is None:
        check_field(state.present[state.turn] and sum(state.present) > 1, "present")
        check_field(not (state.due and dice), "due")


def parse(text: str) -> Move:
    """The move written as `text`; the columns of a pairing may come in either order. Raises `Unparseable`."""
    other_way_round = "+".join(reversed(text.split("+")))
    move = _NOTATION.get(text) or _NOTATION.get(other_way_round)
    if move is None:
        raise Unparseable(text)
    return move


def chance(state: State) -> Dice | None:
    """Four dice once the player asked for them."""
    return DICE if state.due else None


def pairings(dice: tuple[int, ...]) -> tuple[Pairing, ...]:
    """The different ways, at most three, to split four faces into two pairs, as sums."""
    a, b, c, d = dice
    splits = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return tuple(dict.fromkeys((min(split), max(split)) for split in splits))


def legal_moves(state: State) -> tuple[Move, ...]:
    """After a throw the pairings that move something, otherwise `roll` and, once a runner is out, `stop`."""
    if state.due or state.ended:
        return ()
    if state.dice:
        return _climbs(state)
    return (ROLL, STOP) if any(state.runners) else (ROLL,)


def standing(state: State) -> Outcome:
    """Who has claimed more columns is ahead; among equals, whose cones stand higher, each in its column."""
    columns = [state.owners.count(seat) for seat in range(len(state.cones))]
    heights = [sum(row[at] / LENGTHS[at] for at in COLUMNS) for row in state.cones]
    places = {seat: (columns[seat], heights[seat]) for seat, here in enumerate(state.present) if here}
    ahead = tuple(seat for seat, place in places.items() if place == max(places.values()))
    return Outcome(ahead, ENDED, tuple(columns))


def play(state: State, action: Move | Roll | Leave) -> Step:
    """Apply a move, a throw or a leave. Raises `IllegalMove` with the code of the rule it breaks."""
    if state.ended:
        raise refused("game-over")
    if isinstance(action, Leave):
        return _leave(state, action)
    if isinstance(action, Roll):
        return _throw(state, action.faces)
    if action not in legal_moves(state):
        raise _refusal(state, action)
    if action == ROLL:
        return Step(replace(state, due=True), ())
    return _bank(state) if action == STOP else _climb(state, action.columns)


def outcome(state: State) -> Outcome | None:
    """Decided by three claimed columns, or by everybody but one having left. Scores are columns claimed."""
    return state.ended


@lru_cache(maxsize=1024)
def bust_odds(state: State) -> Fraction | None:
    """The chance that a throw by the seat on turn would move nothing, over all 1,296 throws.

    None while a throw waits to be paired, and when the match is over.
    """
    if state.dice or state.ended:
        return None
    busts = sum(ways for throw, ways in THROWS.items() if not _climbs(replace(state, dice=throw)))
    return Fraction(busts, THROWS.total())


# Columns and runners


def _space(state: State, column: int) -> int:
    """Where the seat on turn stands: its runner, or else its cone."""
    return state.runners[column] or state.cones[state.turn][column]


def _spaces_left(state: State, column: int) -> int:
    return LENGTHS[column] - _space(state, column)


def _runners_left(state: State) -> int:
    return RUNNERS - sum(map(bool, state.runners))


def _is_open(state: State, column: int) -> bool:
    """Whether a half of a pairing with this sum could move: a runner goes on, or a new one enters."""
    if state.owners[column] is not None or not _spaces_left(state, column):
        return False
    return state.runners[column] > 0 or _runners_left(state) > 0


def _is_barred(state: State, column: int) -> bool:
    """Whether the strict reading forbids every pairing that contains this column."""
    return state.options.topped == STRICT and not _spaces_left(state, column)


# Pairings


def _climbs(state: State) -> tuple[Move, ...]:
    climbs = (climb for pairing in pairings(state.dice) for climb in _climbs_of(state, pairing))
    return tuple(Move("climb", columns) for columns in climbs)


def _climbs_of(state: State, pairing: Pairing) -> tuple[tuple[int, ...], ...]:
    """The ways to play one pairing: none, one, or either half where the last runner must choose."""
    low, high = pairing
    if any(_is_barred(state, column) for column in pairing):
        return ()
    movable = tuple(column for column in pairing if _is_open(state, column))
    if len(movable) < 2:
        return (movable,) if movable else ()
    if low == high:
        return (pairing,) if _spaces_left(state, low) > 1 else ((low,),)
    entering = sum(not state.runners[column] for column in pairing)
    return (pairing,) if entering <= _runners_left(state) else ((low,), (high,))


def _refusal(state: State, move: Move) -> IllegalMove:
    """Why a move that is not legal is not, in the order in which a player would meet the reasons."""
    if state.due:
        return refused("dice-due", REFUSALS)
    if move.verb == "climb":
        if not state.dice:
            return refused("nothing-thrown", REFUSALS)
        return _climb_refusal(state, move.columns)
    if state.dice:
        return refused("pair-first", REFUSALS)
    return refused("nothing-to-bank", REFUSALS)


def _climb_refusal(state: State, columns: tuple[int, ...]) -> IllegalMove:
    """Why this climb is not legal after this throw; a column alone stands for the pairing it is half of."""
    half, other = columns if len(columns) == 2 else (*columns, sum(state.dice) - columns[0])
    pairing = min(half, other), max(half, other)
    if pairing not in pairings(state.dice):
        return refused("not-in-dice", REFUSALS)
    for column in pairing:
        if _is_barred(state, column):
            return refused("pairing-topped", REFUSALS, column=column)
    for column in columns:
        if not _is_open(state, column):
            return _column_refusal(state, column)
    if len(columns) == 1:
        return refused("both-halves", REFUSALS, low=pairing[0], high=pairing[1])
    if pairing[0] == pairing[1]:
        return refused("one-space-left", REFUSALS, column=pairing[0])
    return refused("one-runner-left", REFUSALS, low=pairing[0], high=pairing[1])


def _column_refusal(state: State, column: int) -> IllegalMove:
    if state.owners[column] is not None:
        return refused("claimed", REFUSALS, column=column)
    if not _spaces_left(state, column):
        return refused("topped", REFUSALS, column=column)
    return refused("no-runner-left", REFUSALS, column=column)


# The actions


def _throw(state: State, faces: tuple[int, ...]) -> Step:
    if not state.due:
        raise refused("no-dice-due")
    if len(faces) != DICE.count or not all(1 <= face <= DICE.sides for face in faces):
        raise refused("wrong-dice", count=DICE.count, sides=DICE.sides)
    thrown = Thrown(state.turn, faces)
    landed = replace(state, dice=faces, due=False)
    if _climbs(landed):
        return Step(landed, (thrown,))
    return Step(_next_turn(landed), (thrown, Busted(state.turn, _in_play(state))))


def _climb(state: State, columns: tuple[int, ...]) -> Step:
    """Move a runner in each column, or two spaces in one; one above the own cone if new."""
    runners, events = list(state.runners), []
    for column in dict.fromkeys(columns):
        start = _space(state, column)
        runners[column] = start + columns.count(column)
        events.append(Climbed(state.turn, column, start, runners[column]))
    return Step(replace(state, runners=tuple(runners), dice=()), tuple(events))


def _bank(state: State) -> Step:
    """Turn runners into cones and claim the columns they topped."""
    seat, columns = state.turn, _in_play(state)
    claimed = tuple(column for column in columns if not _spaces_left(state, column))
    cones, owners = [list(row) for row in state.cones], list(state.owners)
    for column in columns:
        cones[seat][column] = state.runners[column]
    for column in claimed:
        owners[column] = seat
        for row in cones:
            row[column] = 0
    banked = replace(state, cones=tuple(map(tuple, cones)), owners=tuple(owners))
    events = (Banked(seat, columns), *(Claimed(seat, column) for column in claimed))
    if owners.count(seat) >= TO_WIN:
        banked = replace(banked, ended=_won(banked, seat, "columns"))
    return Step(_next_turn(banked), events)


def _leave(state: State, leave: Leave) -> Step:
    """Who leaves takes runners and cones along; columns claimed stay theirs, closed to everyone."""
    if not 0 <= leave.seat < len(state.present):
        raise refused("no-such-seat", seat=leave.seat)
    if not state.present[leave.seat]:
        raise refused("has-left")
    without = replace(
        state,
        cones=tuple(_NOWHERE if seat == leave.seat else row for seat, row in enumerate(state.cones)),
        present=tuple(here and seat != leave.seat for seat, here in enumerate(state.present)),
    )
    if state.turn == leave.seat:
        without = _next_turn(without)
    if sum(without.present) == 1:
        last = without.present.index(True)
        without = replace(without, due=False, ended=_won(without, last, leave.reason))
    return Step(without, (Left(leave.seat, leave.reason),))


def _fits(row: tuple[int, ...], tops: Sequence[int]) -> bool:
    return len(row) == len(tops) and all(0 <= at <= top for at, top in zip(row, tops, strict=True))


def _in_play(state: State) -> tuple[int, ...]:
    return tuple(column for column in COLUMNS if state.runners[column])


def _won(state: State, seat: Seat, reason: str) -> Outcome:
    return Outcome((seat,), reason, tuple(map(state.owners.count, range(len(state.cones)))))


def _next_turn(state: State) -> State:
    """Clear the table for the next seat that is still playing."""
    seats = len(state.present)
    following = ((state.turn + step) % seats for step in range(1, seats + 1))
    turn = next(seat for seat in following if state.present[seat])
    return replace(state, turn=turn, runners=_NOWHERE, dice=(), due=False)
