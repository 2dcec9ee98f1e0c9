"""Kalah: sow seeds around the board, gather more of them than your opponent.

The rules are those of W. J. Champion's Kalah (US patent 2,720,362, 1955) as G. Irving, J. Donkers and
J. Uiterwijk state them in "Solving Kalah" (ICGA Journal 23(3), 2000): seeds are sown counter-clockwise,
past the opponent's store. A last seed in the own store moves again; in an empty pit of one's own it
captures, with what lies opposite. An empty side ends the game, and what is left goes to its owner. That
is the preset `classic`. `pie-rule` adds the right to swap sides. `kalaha` is the game of
docs/reference/kalaha-note.md, and `circle`, which sows the opponent's store too, that of the 41 moves in
games/examples/kalah.json.

A board is one row of numbers, counter-clockwise in the direction of sowing: the pits of seat 0 from
its left to its right, its store, the pits of seat 1, its store. With six pits a side the stores are at
6 and 13 and the pit opposite of i is 12 - i. Every place in a state or an
event is an index into that row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

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
from .kalah_guide import GUIDE as GUIDE

SEATS = range(2, 3)


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may agree on. The defaults are the preset `classic`."""

    pits: int = option(
        6,
        title=gettext_noop("Pits"),
        sentence=gettext_noop("How many pits each player has."),
        choices=range(1, 7),
        offered=(4, 5, 6),
    )
    seeds: int = option(
        4,
        title=gettext_noop("Seeds"),
        sentence=gettext_noop("How many seeds are in each pit at the start."),
        choices=range(1, 7),
    )
    sow_both_stores: bool = option(
        False,
        title=gettext_noop("The opponent’s store"),
        sentence=gettext_noop("Whether seeds are also sown into the opponent’s store."),
        offered={
            False: gettext_noop("Skipped."),
            True: gettext_noop("Sown like a pit."),
        },
    )
    empty_capture: bool = option(
        False,
        title=gettext_noop("Nothing to capture"),
        sentence=gettext_noop(
            "What happens when your last seed lands in your own empty pit and the pit opposite is empty."
        ),
        offered={
            False: gettext_noop("The last seed stays there."),
            True: gettext_noop("The last seed goes to the store."),
        },
    )
    pie: bool = option(
        False,
        title=gettext_noop("Pie rule"),
        sentence=gettext_noop(
            "Whether the second player can swap sides instead of sowing on their first turn."
        ),
        offered={
            False: gettext_noop("No swap."),
            True: gettext_noop("The second player can swap sides on their first turn."),
        },
    )


PRESETS = {
    "classic": Options(),
    "pie-rule": Options(pie=True),
    "kalaha": Options(seeds=6, empty_capture=True),
    "circle": Options(seeds=3, sow_both_stores=True),
}


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    `board` holds the seeds of the 2 * (pits + 1) places. `swapper` is the seat that may still swap
    sides when its first turn comes, None without the pie rule or once that decision has been made.
    """

    options: Options
    turn: Seat
    board: tuple[int, ...]
    swapper: Seat | None = None
    ended: Outcome | None = None


FIELDS = {
    "board": gettext_noop("Seeds"),
    "swapper": gettext_noop("Who may still swap sides"),
}


@dataclass(frozen=True, slots=True)
class Move:
    """Sowing from a pit, counted from 1 at the mover's left; no pit means swapping sides.

    `far` says that whoever wrote it counted on round the board: the pits of seat 1 are 7 to 12 there. It is
    the same move, and kept as such.
    """

    pit: int | None
    far: bool = field(default=False, compare=False, repr=False)

    def __str__(self) -> str:
        return "swap" if self.pit is None else str(self.pit)


@dataclass(frozen=True, slots=True)
class Sown:
    """A seat emptied the pit `start` and dropped one seed in each place of `path`, in that order."""

    seat: Seat
    start: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Captured:
    """The last seed, in `pit`, and those in `opposite` went to the seat's store: `seeds` in all."""

    seat: Seat
    pit: int
    opposite: int
    seeds: int


@dataclass(frozen=True, slots=True)
class TurnKept:
    """The last seed fell into the seat's own store, so it moves again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Swept:
    """The game is over and `seeds` seeds left in the seat's `pits` went to its store."""

    seat: Seat
    pits: tuple[int, ...]
    seeds: int


@dataclass(frozen=True, slots=True)
class Swapped:
    """A seat took the other's side of the board, and the other took its."""

    seat: Seat


EVENTS = (Sown, Captured, TurnKept, Swept, Swapped, Left)
UPGRADES: tuple[Upgrade, ...] = ()
_TOO_MANY_SEEDS = gettext_noop("There are %(seeds)d seeds. These rules have %(most)d.")
_EMPTY_SIDE = gettext_noop("Each side needs seeds in its pits.")
REFUSALS = {
    "no-such-pit": gettext_noop("There is no pit %(pit)d."),
    "empty-pit": gettext_noop("Pit %(pit)d is empty."),
    "not-your-pit": gettext_noop("Pit %(pit)d is your opponent’s."),
    "no-swap": gettext_noop("You cannot swap sides now."),
}

SWAP = Move(None)
_SOWINGS = tuple(Move(pit) for pit in range(1, 7))
_ROUND = 6
"""How many pits are counted before those of seat 1 where pits are counted round the board."""
_NOTATION = {str(move): move for move in (*_SOWINGS, SWAP)} | {
    str(_ROUND + pit): Move(pit, far=True) for pit in range(1, _ROUND + 1)
}


def setup(options: Options, seats: int = 2, first: Seat = 0) -> State:
    """`options.seeds` in every pit, `first` to move. Raises `BadOptions`."""
    check_options(options, seats, SEATS)
    side = (options.seeds,) * options.pits + (0,)
    return State(options, first, side * 2, swapper=1 - first if options.pie else None)


def check(state: State, seats: int = 2) -> None:
    """No more seeds than the options have, and none but those. Raises `BadPosition`."""
    pits, board = state.options.pits, state.board
    check_field(len(board) == 2 * (pits + 1) and min(board) >= 0, "board")
    most = 2 * pits * state.options.seeds
    check_field(sum(board) <= most, "board", _TOO_MANY_SEEDS, most=most, seeds=sum(board))
    sides = any(board[:pits]) and any(board[pits + 1 : -1])
    check_field(state.ended is not None or sides, "board", _EMPTY_SIDE)
    check_field(state.swapper in ((None, 0, 1) if state.options.pie else (None,)), "swapper")


def legal_moves(state: State) -> tuple[Move, ...]:
    """A sowing for each pit that is not empty, left to right, and `swap` where it is open."""
    if state.ended is not None:
        return ()
    left = _left(state.options.pits, state.turn)
    side = state.board[left : left + state.options.pits]
    sowings = tuple([move for move, seeds in zip(_SOWINGS, side, strict=False) if seeds])
    return (*sowings, SWAP) if state.swapper == state.turn else sowings


def parse(text: str) -> Move:
    """The move written `1` .. `6` or `swap`, or `7` .. `12` as seat 1 may. Raises `Unparseable`."""
    try:
        return _NOTATION[text]
    except KeyError:
        raise Unparseable(text) from None


def chance(state: State) -> Dice | None:
    """None: Kalah has no dice."""
    return None


def outcome(state: State) -> Outcome | None:
    """Decided when a side was empty after a move, or a seat left."""
    return state.ended


def standing(state: State) -> Outcome:
    """Who has more seeds in the store is ahead."""
    seeds = stores(state)
    return Outcome(tuple(seat for seat in (0, 1) if seeds[seat] == max(seeds)), ENDED, seeds)


def play(state: State, action: Move | Roll | Leave) -> Step:
    """Apply a sowing, a swap or a departure. Raises `IllegalMove` with the code of the rule it breaks."""
    if state.ended is not None:
        raise refused("game-over")
    if isinstance(action, Move):
        return _swap(state) if action.pit is None else _sow(state, action.pit, action.far)
    if isinstance(action, Leave):
        return _leave(state, action)
    raise refused("no-dice-due")


def stores(state: State) -> tuple[int, int]:
    """The seeds in the stores, by seat."""
    return state.board[state.options.pits], state.board[-1]


def _left(pits: int, seat: Seat) -> int:
    """The leftmost pit of a seat."""
    return seat * (pits + 1)


@cache
def _path(pits: int, sow_both_stores: bool, start: int, seeds: int) -> tuple[int, ...]:
    """The places that get a seed of a sowing, in order; a long lap passes its start like any other."""
    size = 2 * (pits + 1)
    skipped = pits if start > pits else size - 1
    lap = [(start + i) % size for i in range(1, size + 1)]
    if not sow_both_stores:
        lap.remove(skipped)
    return tuple([lap[i % len(lap)] for i in range(seeds)])


def _sow(state: State, pit: int, far: bool) -> Step:
    options, seat = state.options, state.turn
    pits = options.pits
    left = _left(pits, seat)
    start, store = left + pit - 1, left + pits
    number = _ROUND + pit if far else pit
    if not 1 <= pit <= pits or (far and pits != _ROUND):
        raise refused("no-such-pit", REFUSALS, pit=number)
    if far and seat == 0:
        raise refused("not-your-pit", REFUSALS, pit=number)
    seeds = state.board[start]
    if not seeds:
        raise refused("empty-pit", REFUSALS, pit=number)
    board = list(state.board)
    board[start] = 0
    path = _path(pits, options.sow_both_stores, start, seeds)
    for place in path:
        board[place] += 1
    last = path[-1]
    events: tuple[object, ...] = (Sown(seat, start, path),)
    if left <= last < store and board[last] == 1:
        events += _capture(board, options, seat, last)
    swapper = None if state.swapper == seat else state.swapper
    if not any(board[:pits]) or not any(board[pits + 1 : -1]):
        return _sweep(state, board, events)
    if last == store:
        return Step(State(options, seat, tuple(board), swapper), (*events, TurnKept(seat)))
    return Step(State(options, 1 - seat, tuple(board), swapper), events)


def _capture(board: list[int], options: Options, seat: Seat, last: int) -> tuple[object, ...]:
    """Take the last seed and those opposite, looked at after the sowing."""
    opposite = 2 * options.pits - last
    seeds = board[opposite] + 1
    if seeds == 1 and not options.empty_capture:
        return ()
    board[last] = board[opposite] = 0
    board[_left(options.pits, seat) + options.pits] += seeds
    return (Captured(seat, last, opposite, seeds),)


def _sweep(state: State, board: list[int], events: tuple[object, ...]) -> Step:
    """End the game: what is left goes to its owner, and a last seed in the store gives no extra turn."""
    pits = state.options.pits
    for seat in (0, 1):
        left = _left(pits, seat)
        full = tuple([place for place in range(left, left + pits) if board[place]])
        if full:
            seeds = sum(board[left : left + pits])
            board[left : left + pits + 1] = [0] * pits + [board[left + pits] + seeds]
            events += (Swept(seat, full, seeds),)
    scores = board[pits], board[-1]
    winners = tuple([seat for seat in (0, 1) if scores[seat] == max(scores)])
    ended = Outcome(winners, "swept", scores)
    return Step(State(state.options, 1 - state.turn, tuple(board), None, ended), events)


def _swap(state: State) -> Step:
    """Turn the board round, so that the first player meets the position the second would have had."""
    if state.swapper != state.turn:
        raise refused("no-swap", REFUSALS)
    half = state.options.pits + 1
    board = state.board[half:] + state.board[:half]
    return Step(State(state.options, 1 - state.turn, board), (Swapped(state.turn),))


def _leave(state: State, leave: Leave) -> Step:
    if leave.seat not in (0, 1):
        raise refused("no-such-seat", seat=leave.seat)
    ended = Outcome((1 - leave.seat,), leave.reason, stores(state))
    left = State(state.options, state.turn, state.board, None, ended)
    return Step(left, (Left(leave.seat, leave.reason),))
