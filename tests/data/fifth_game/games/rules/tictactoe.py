"""Tic-tac-toe: two people mark squares in turn; three of one's own in a row decide the game.

Squares are numbered 0 .. 8 from the bottom left to the top right, row by row. People call them by
file and rank, `a1` .. `c3`; states and events hold the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

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

SEATS = range(2, 3)

NAMES = tuple(file + rank for rank in "123" for file in "abc")
ROWS = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may agree on."""

    reversed: bool = option(
        False,
        title=gettext_noop("Three in a row"),
        sentence=gettext_noop("What becomes of whoever has three marks in a row."),
        offered={
            False: gettext_noop("Whoever has three in a row wins."),
            True: gettext_noop("Whoever has three in a row loses."),
        },
    )


PRESETS = {"classic": Options(), "reversed": Options(reversed=True)}

GUIDE = (
    Section(
        gettext_noop("The board"),
        (
            gettext_noop(
                "Nine squares in three rows of three, all free at the start. Each player has a mark of their "
                "own."
            ),
        ),
    ),
    Section(
        gettext_noop("Your turn"),
        (
            gettext_noop(
                "Put your mark on a free square; then it is the other player’s turn. A mark stays where it "
                "is."
            ),
        ),
    ),
    Section(
        gettext_noop("The end"),
        (
            gettext_noop(
                "Three marks of one player in a row, upright, level or slanting, decide the game. If the "
                "board is full without such a row, the game is a draw."
            ),
            gettext_noop("Resigning or leaving loses the game."),
        ),
    ),
    Section(
        gettext_noop("Rule sets"),
        (
            (
                gettext_noop("**Classic:** whoever has three in a row wins."),
                gettext_noop("**Reversed:** whoever has three in a row loses."),
            ),
        ),
    ),
    Section(
        gettext_noop("Notation"),
        (
            gettext_noop(
                "A move is the name of a square: its column from `a` on the left to `c`, and its row from "
                "`1` at the bottom to `3`."
            ),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    `board` holds who marked each of the nine squares, `row` the squares of the row (or the two rows)
    that ended the match.
    """

    options: Options
    turn: Seat
    board: tuple[Seat | None, ...] = (None,) * 9
    row: tuple[int, ...] = ()
    ended: Outcome | None = None


FIELDS = {
    "board": gettext_noop("Marks on the squares"),
    "row": gettext_noop("Squares of the row"),
}


@dataclass(frozen=True, slots=True)
class Move:
    """Marking a square, 0 .. 8."""

    square: int

    def __str__(self) -> str:
        return NAMES[self.square]


@dataclass(frozen=True, slots=True)
class Marked:
    """A seat marked a free square."""

    seat: Seat
    square: int


@dataclass(frozen=True, slots=True)
class Lined:
    """A seat has three in a row, or two such rows that cross: on these squares."""

    seat: Seat
    squares: tuple[int, ...]


EVENTS = (Marked, Lined, Left)
UPGRADES: tuple[Upgrade, ...] = ()
REFUSALS = {"taken": gettext_noop("%(square)s is taken.")}

_NOTATION = {name: Move(square) for square, name in enumerate(NAMES)}


def setup(options: Options, seats: int = 2, first: Seat = 0) -> State:
    """Nine free squares, `first` to move. Raises `BadOptions`."""
    check_options(options, seats, SEATS)
    return State(options, first)


def check(state: State, seats: int = 2) -> None:
    """Nine squares, marked or free. Raises `BadPosition`."""
    check_field(len(state.board) == len(NAMES) and {*state.board} <= {None, 0, 1}, "board")


def legal_moves(state: State) -> tuple[Move, ...]:
    """A mark on each free square, from a1 to c3."""
    if state.ended is not None:
        return ()
    return tuple([move for move in _NOTATION.values() if state.board[move.square] is None])


def parse(text: str) -> Move:
    """The move written `a1` .. `c3`. Raises `Unparseable`."""
    try:
        return _NOTATION[text]
    except KeyError:
        raise Unparseable(text) from None


def chance(state: State) -> Dice | None:
    """None: tic-tac-toe has no dice."""
    return None


def outcome(state: State) -> Outcome | None:
    """Decided by three in a row, by a full board, or when a seat left."""
    return state.ended


def standing(state: State) -> Outcome:
    """Nobody is ahead before there is a row."""
    return Outcome((0, 1), ENDED)


def play(state: State, action: Move | Roll | Leave) -> Step:
    """Apply a mark or a departure. Raises `IllegalMove` with the code of the rule it breaks."""
    if state.ended is not None:
        raise refused("game-over")
    if isinstance(action, Move):
        return _mark(state, action)
    if isinstance(action, Leave):
        return _leave(state, action)
    raise refused("no-dice-due")


def _mark(state: State, move: Move) -> Step:
    seat, square = state.turn, move.square
    if state.board[square] is not None:
        raise refused("taken", REFUSALS, square=str(move))
    board = (*state.board[:square], seat, *state.board[square + 1 :])
    row = tuple(sorted({i for row in ROWS if all(board[j] == seat for j in row) for i in row}))
    marked = Marked(seat, square)
    if row:
        winner = 1 - seat if state.options.reversed else seat
        ended = State(state.options, 1 - seat, board, row, Outcome((winner,), "row"))
        return Step(ended, (marked, Lined(seat, row)))
    full = None if None in board else Outcome((0, 1), "full")
    return Step(State(state.options, 1 - seat, board, ended=full), (marked,))


def _leave(state: State, leave: Leave) -> Step:
    if leave.seat not in (0, 1):
        raise refused("no-such-seat", seat=leave.seat)
    ended = Outcome((1 - leave.seat,), leave.reason)
    left = State(state.options, state.turn, state.board, ended=ended)
    return Step(left, (Left(leave.seat, leave.reason),))
