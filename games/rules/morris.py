"""Nine Men's Morris and its relatives: get three in a row, take a man.

Two players place their men on the points of a board, then slide them along its lines, and with three
men left fly anywhere. Three in a line are a mill: it takes one opposing man. Who is left with two men,
or cannot move, has lost.

The rules are those of R. Gasser, "Solving Nine Men's Morris" (Games of No Chance, 1996); where players
differ there is an option. Six Men's Morris, the ten men of E. Lasker (Brettspiele der Völker, 1931) and
the twelve of Morabaraba differ in their options only.

A position is a text with one letter per point, `W`, `B` or `.`, from the top rank down and from left to
right, as `Board.points` lists them. White is seat 0, black seat 1; who moves first is for `setup`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .base import (
    ENDED,
    BadTogether,
    Dice,
    Leave,
    Left,
    Outcome,
    Roll,
    Seat,
    Step,
    Upgrade,
    check_field,
    check_options,
    gettext_noop,
    option,
    refused,
)
from .morris_boards import BOARDS, DIAGONALS, THREE, TWO, Mill
from .morris_boards import Move as Move
from .morris_boards import parse as parse
from .morris_guide import GUIDE as GUIDE

SEATS = range(2, 3)
WHITE, BLACK = 0, 1
MEN = "WB"
"""The letter of each seat's men."""
EMPTY = "."

FEWEST_MEN = 3
"""With fewer, on the board and in hand together, a player has lost. With just so many a player flies."""
QUIET_TURNS = 100
"""Fifty turns of each player."""

NEVER, WHEN_ALL, ALWAYS = "never", "when-all", "always"


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may agree on. The defaults are the preset `nine`."""

    board: str = option(
        THREE,
        title=gettext_noop("Board"),
        sentence=gettext_noop("The shape of the board."),
        choices=(THREE, TWO, DIAGONALS),
        offered={
            THREE: gettext_noop("Three squares, 24 points."),
            TWO: gettext_noop("Two squares, 16 points."),
            DIAGONALS: gettext_noop("Three squares with diagonals, 24 points."),
        },
    )
    men: int = option(
        9,
        title=gettext_noop("Men"),
        sentence=gettext_noop("How many men each player has."),
        choices=range(FEWEST_MEN, 13),
        offered=(6, 9, 10, 12),
    )
    early_slides: bool = option(
        False,
        title=gettext_noop("Placing"),
        sentence=gettext_noop("Whether men can slide before all are placed."),
        offered={
            False: gettext_noop("Place all men first, then slide."),
            True: gettext_noop("Place or slide from the start."),
        },
    )
    flying: bool = option(
        True,
        title=gettext_noop("Flying"),
        sentence=gettext_noop("Whether a player with three men left can move to any empty point."),
        offered={
            True: gettext_noop("A player with three men left can fly to any empty point."),
            False: gettext_noop("Men always slide along the lines."),
        },
    )
    from_mills: str = option(
        WHEN_ALL,
        title=gettext_noop("Taking from mills"),
        sentence=gettext_noop("When a man in a mill can be taken."),
        choices=(NEVER, WHEN_ALL, ALWAYS),
        offered={
            NEVER: gettext_noop("Never. If all men are in mills, none is taken."),
            WHEN_ALL: gettext_noop("Only when all the opponent’s men are in mills."),
            ALWAYS: gettext_noop("Always."),
        },
    )
    double_mill: int = option(
        1,
        title=gettext_noop("Two mills at once"),
        sentence=gettext_noop("How many men you take when one move closes two mills."),
        choices=(1, 2),
        offered={1: gettext_noop("One man."), 2: gettext_noop("Two men.")},
    )
    threefold: bool = option(
        True,
        title=gettext_noop("Repetition"),
        sentence=gettext_noop(
            "What happens when a position comes up for the third time with the same player to move."
        ),
        offered={True: gettext_noop("The game is drawn."), False: gettext_noop("The game goes on.")},
    )
    fifty: bool = option(
        True,
        title=gettext_noop("Fifty moves"),
        sentence=gettext_noop("What happens after fifty moves each without a man taken."),
        offered={True: gettext_noop("The game is drawn."), False: gettext_noop("The game goes on.")},
    )


PRESETS = {
    "nine": Options(),
    "six": Options(board=TWO, men=6, flying=False),
    "lasker": Options(men=10, early_slides=True),
    "twelve": Options(board=DIAGONALS, men=12),
}


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    `board` has one letter per point, `hand` the men each seat has still to place. `takes` is how many
    men the seat on turn must take before the turn passes. `quiet` counts the turns since a man was
    taken, of both seats together. `trail` holds the slides since the last placing or taking, two
    letters each; it is how a repeated position is known, and stays empty where that does not matter.
    """

    options: Options
    turn: Seat
    board: str
    hand: tuple[int, int]
    takes: int = 0
    quiet: int = 0
    trail: str = ""
    ended: Outcome | None = None


FIELDS = {
    "board": gettext_noop("Men on the board"),
    "hand": gettext_noop("Men in hand"),
    "takes": gettext_noop("Men to take"),
    "quiet": gettext_noop("Turns since a man was taken"),
    "trail": gettext_noop("Slides since a man was placed or taken"),
}


@dataclass(frozen=True, slots=True)
class Placed:
    """A seat put a man from its hand on a point."""

    seat: Seat
    point: str


@dataclass(frozen=True, slots=True)
class Slid:
    """A man went along a line to the next point."""

    seat: Seat
    start: str
    to: str


@dataclass(frozen=True, slots=True)
class Flew:
    """A man, one of the seat's last three, went to any point."""

    seat: Seat
    start: str
    to: str


@dataclass(frozen=True, slots=True)
class Milled:
    """The move closed a mill, or several; `takes` men will be taken, none if all of them are safe."""

    seat: Seat
    mills: tuple[tuple[str, ...], ...]
    takes: int


@dataclass(frozen=True, slots=True)
class Removed:
    """The seat took the opposing man on `point` off the board."""

    seat: Seat
    point: str


EVENTS = (Placed, Slid, Flew, Milled, Removed, Left)
UPGRADES: tuple[Upgrade, ...] = ()
_TOO_MANY_MEN = (
    gettext_noop("White has more than %(most)d men on the board and in hand."),
    gettext_noop("Black has more than %(most)d men on the board and in hand."),
)
_TOO_FEW_MEN = (
    gettext_noop("White has fewer than %(fewest)d men."),
    gettext_noop("Black has fewer than %(fewest)d men."),
)
_NOT_IN_TURN = gettext_noop("Both players place a man in turn.")
_NO_MAN_LOST = (
    gettext_noop("White has a mill, but black has lost no man."),
    gettext_noop("Black has a mill, but white has lost no man."),
)
_NO_MILL = gettext_noop("A man is taken only after a mill.")
REFUSALS = {
    "take-first": gettext_noop("You have closed a mill: take a man first."),
    "invalid-point": gettext_noop("This board has no point %(point)s."),
    "occupied-own": gettext_noop("Your own man is on %(point)s."),
    "occupied-other": gettext_noop("Your opponent’s man is on %(point)s."),
    "empty": gettext_noop("There is no man on %(point)s."),
    "not-yours": gettext_noop("The man on %(point)s is not yours."),
    "no-men-left": gettext_noop("You have no men left to place."),
    "men-left-to-place": gettext_noop("Place all your men first."),
    "not-adjacent": gettext_noop("No line joins %(start)s and %(to)s."),
    "nothing-to-take": gettext_noop("Close a mill before you take a man."),
    "own-man": gettext_noop("The man on %(point)s is your own."),
    "in-a-mill": gettext_noop("The man on %(point)s is safe in a mill."),
}


_LETTERS = "abcdefghijklmnopqrstuvwx"
"""The points in a `trail`."""
_BIT = {letter: 1 << point for point, letter in enumerate(_LETTERS)}


def setup(options: Options, seats: int = 2, first: Seat = WHITE) -> State:
    """The empty board, all men in hand. Raises `BadOptions`."""
    check_options(options, seats, SEATS)
    points = len(BOARDS[options.board].points)
    if 2 * options.men > points:
        raise BadTogether(
            "too-many-men",
            gettext_noop("A board of %(points)d points is too small for %(men)d men each."),
            points=points,
            men=options.men,
        )
    return State(options, first, EMPTY * points, (options.men, options.men))


def check(state: State, seats: int = 2) -> None:
    """No more men than the options have, at least three of each colour, and no mill that took nobody.

    Raises `BadPosition`.
    """
    options, board = state.options, state.board
    points = len(BOARDS[options.board].points)
    check_field(len(board) == points and set(board) <= {*MEN, EMPTY}, "board")
    check_field(min(state.hand) >= 0, "hand")
    men = [board.count(man) + left for man, left in zip(MEN, state.hand, strict=True)]
    for seat in range(len(MEN)):
        check_field(men[seat] <= options.men, "board", _TOO_MANY_MEN[seat], most=options.men)
        enough = state.ended is not None or men[seat] >= FEWEST_MEN
        check_field(enough, "board", _TOO_FEW_MEN[seat], fewest=FEWEST_MEN)
        check_field(not _places_twice(state, seat), "hand", _NOT_IN_TURN)
    check_field(0 <= state.takes <= options.double_mill, "takes")
    _check_mills(state, men)
    check_field(state.quiet >= 0, "quiet")
    check_field(state.ended is not None or not options.fifty or state.quiet < QUIET_TURNS, "quiet")
    slides, odd = divmod(len(state.trail), 2)
    check_field(not odd and slides <= state.quiet, "trail")
    check_field(set(state.trail) <= set(_LETTERS[: points * options.threefold]), "trail")


def _places_twice(state: State, seat: Seat) -> bool:
    """Whether a seat has placed men, and moves next or has placed several, before the other placed one."""
    placed, others = (state.options.men - state.hand[each] for each in (seat, 1 - seat))
    return placed > 0 and others == 0 and (placed > 1 or state.turn == seat) and state.ended is None


def _check_mills(state: State, men: Sequence[int]) -> None:
    """A seat with a mill has taken a man or is about to, and only such a seat takes one.

    Args:
        men: how many men each seat has, on the board and in hand.
    """
    if state.ended is not None:
        return
    for seat, man in enumerate(MEN):
        has_mill = any(_mills(state, point, man) for point, each in enumerate(state.board) if each == man)
        takes = state.takes > 0 and state.turn == seat
        check_field(has_mill or not takes, "takes", _NO_MILL)
        lost = men[1 - seat] < state.options.men or takes or state.options.from_mills == NEVER
        check_field(lost or not has_mill, "board", _NO_MAN_LOST[seat])


def chance(state: State) -> Dice | None:
    """No dice are thrown."""
    return None


def legal_moves(state: State) -> tuple[Move, ...]:
    """What must be taken after a mill, otherwise placings, slides or flights; nothing once it is over."""
    if state.ended is not None:
        return ()
    table, seat = BOARDS[state.options.board], state.turn
    if state.takes:
        return tuple([table.takes[point] for point in _takeable(state)])
    empty = [point for point, man in enumerate(state.board) if man == EMPTY]
    places = [table.places[point] for point in empty] if state.hand[seat] else []
    if places and not state.options.early_slides:
        return tuple(places)
    flies, slides = _flies(state, seat), table.slides
    return (
        *places,
        *[
            slides[start][to]
            for start, man in enumerate(state.board)
            if man == MEN[seat]
            for to in (empty if flies else table.adjacent[start])
            if state.board[to] == EMPTY
        ],
    )


def standing(state: State) -> Outcome:
    """Who has more men, on the board and in the hand, is ahead."""
    men = [state.hand[seat] + state.board.count(MEN[seat]) for seat in (WHITE, BLACK)]
    return Outcome(tuple(seat for seat in (WHITE, BLACK) if men[seat] == max(men)), ENDED)


def play(state: State, action: Move | Roll | Leave) -> Step:
    """Apply a move or a leave. Raises `IllegalMove` with the code of the rule it breaks."""
    if state.ended is not None:
        raise refused("game-over")
    if isinstance(action, Leave):
        return _leave(state, action)
    if isinstance(action, Roll):
        raise refused("no-dice-due")
    if not action.to:
        return _take(state, action.start)
    if state.takes:
        raise refused("take-first", REFUSALS)
    return _travel(state, action.start, action.to) if action.start else _place(state, action.to)


def outcome(state: State) -> Outcome | None:
    """Won by `reduced` (to two men) or `blocked`, the opponent's fate, or drawn.

    The reasons of a draw are `repetition`, `fifty` and `full`: all men were placed and no point is empty.
    """
    return state.ended


# What stands where


def _mills(state: State, point: int, man: str) -> list[Mill]:
    """The mills through a point that are full of one kind of men."""
    board = state.board
    lines = BOARDS[state.options.board].mills[point]
    return [line for line in lines if board[line[0]] == board[line[1]] == board[line[2]] == man]


def _takeable(state: State) -> list[int]:
    """The points from which the seat on turn may take a man (6.1, 6.5)."""
    other, from_mills = MEN[1 - state.turn], state.options.from_mills
    men = [point for point, man in enumerate(state.board) if man == other]
    if from_mills == ALWAYS:
        return men
    loose = [point for point in men if not _mills(state, point, other)]
    return loose or (men if from_mills == WHEN_ALL else [])


def _flies(state: State, seat: Seat) -> bool:
    return state.options.flying and not state.hand[seat] and state.board.count(MEN[seat]) == FEWEST_MEN


def _can_move(state: State, seat: Seat) -> bool:
    """Whether a seat could place, slide or fly on a board that has an empty point."""
    if state.hand[seat] or _flies(state, seat):
        return True
    board, adjacent, own = state.board, BOARDS[state.options.board].adjacent, MEN[seat]
    for point, man in enumerate(board):
        if man == own:
            for to in adjacent[point]:
                if board[to] == EMPTY:
                    return True
    return False


def _is_reduced(state: State, seat: Seat) -> bool:
    return state.board.count(MEN[seat]) + state.hand[seat] < FEWEST_MEN


def _times_before(trail: str) -> int:
    """How often the position after the slides of `trail` had occurred before, with the same seat to move.

    Undoes them two at a time, one of each seat. A slide changes two points, so a position is the same
    when for both seats every point has been changed an even number of times.
    """
    bits = [_BIT[letter] for letter in trail]
    times = changed = changed_by_other = 0
    for turn in range(len(bits) - 4, -1, -4):
        changed ^= bits[turn] ^ bits[turn + 1]
        changed_by_other ^= bits[turn + 2] ^ bits[turn + 3]
        if not changed and not changed_by_other:
            times += 1
    return times


# The actions. `moved` is a state whose turn is not over yet.


def _point(state: State, name: str) -> int:
    points = BOARDS[state.options.board].points
    if name not in points:
        raise refused("invalid-point", REFUSALS, point=name)
    return points.index(name)


def _empty_point(state: State, name: str) -> int:
    point = _point(state, name)
    man = state.board[point]
    if man == MEN[state.turn]:
        raise refused("occupied-own", REFUSALS, point=name)
    if man != EMPTY:
        raise refused("occupied-other", REFUSALS, point=name)
    return point


def _own_point(state: State, name: str) -> int:
    point = _point(state, name)
    man = state.board[point]
    if man == EMPTY:
        raise refused("empty", REFUSALS, point=name)
    if man != MEN[state.turn]:
        raise refused("not-yours", REFUSALS, point=name)
    return point


def _place(state: State, name: str) -> Step:
    seat, (white, black) = state.turn, state.hand
    if not state.hand[seat]:
        raise refused("no-men-left", REFUSALS)
    to = _empty_point(state, name)
    hand = (white - 1, black) if seat == WHITE else (white, black - 1)
    board = _with(state.board, to, MEN[seat])
    moved = State(state.options, seat, board, hand, quiet=state.quiet + 1)
    return _arrive(moved, to, Placed(seat, name))


def _travel(state: State, start_name: str, to_name: str) -> Step:
    """Slide, or fly if the seat may."""
    seat, options = state.turn, state.options
    if state.hand[seat] and not options.early_slides:
        raise refused("men-left-to-place", REFUSALS)
    start, to = _own_point(state, start_name), _empty_point(state, to_name)
    flies = _flies(state, seat)
    if not flies and to not in BOARDS[options.board].adjacent[start]:
        raise refused("not-adjacent", REFUSALS, start=start_name, to=to_name)
    trail = f"{state.trail}{_LETTERS[start]}{_LETTERS[to]}" if options.threefold else ""
    board = _with(_with(state.board, start, EMPTY), to, MEN[seat])
    moved = State(options, seat, board, state.hand, quiet=state.quiet + 1, trail=trail)
    return _arrive(moved, to, (Flew if flies else Slid)(seat, start_name, to_name))


def _arrive(moved: State, to: int, arrived: object) -> Step:
    """A man has come to a point: the turn is over unless that closed a mill which takes a man."""
    mills = _mills(moved, to, MEN[moved.turn])
    if not mills:
        return Step(_pass_turn(moved), (arrived,))
    points = BOARDS[moved.options.board].points
    names = tuple([tuple([points[point] for point in mill]) for mill in mills])
    takes = min(len(mills), moved.options.double_mill) if _takeable(moved) else 0
    events = (arrived, Milled(moved.turn, names, takes))
    if not takes:
        return Step(_pass_turn(moved), events)
    # The man that will be taken ends both the quiet turns and the trail.
    return Step(State(moved.options, moved.turn, moved.board, moved.hand, takes), events)


def _take(state: State, name: str) -> Step:
    if not state.takes:
        raise refused("nothing-to-take", REFUSALS)
    point = _point(state, name)
    man = state.board[point]
    if man == EMPTY:
        raise refused("empty", REFUSALS, point=name)
    if man == MEN[state.turn]:
        raise refused("own-man", REFUSALS, point=name)
    if point not in _takeable(state):
        raise refused("in-a-mill", REFUSALS, point=name)
    takes = state.takes - 1
    moved = State(state.options, state.turn, _with(state.board, point, EMPTY), state.hand, takes)
    if not takes or _is_reduced(moved, 1 - moved.turn) or not _takeable(moved):
        moved = _pass_turn(moved)
    return Step(moved, (Removed(state.turn, name),))


def _with(board: str, point: int, man: str) -> str:
    return f"{board[:point]}{man}{board[point + 1 :]}"


def _pass_turn(moved: State) -> State:
    """The other seat's turn begins, or the game has ended."""
    return State(
        moved.options,
        1 - moved.turn,
        moved.board,
        moved.hand,
        quiet=moved.quiet,
        trail=moved.trail,
        ended=_ending(moved),
    )


def _ending(moved: State) -> Outcome | None:
    """The result of a turn, if it ended the game (7.1 to 7.6)."""
    mover, both = (moved.turn,), (WHITE, BLACK)
    if _is_reduced(moved, 1 - moved.turn):
        return Outcome(mover, "reduced")
    if EMPTY not in moved.board:
        return Outcome(both, "full")
    if not _can_move(moved, 1 - moved.turn):
        return Outcome(mover, "blocked")
    if _times_before(moved.trail) >= 2:
        return Outcome(both, "repetition")
    if moved.options.fifty and moved.quiet >= QUIET_TURNS:
        return Outcome(both, "fifty")
    return None


def _leave(state: State, leave: Leave) -> Step:
    if leave.seat not in (WHITE, BLACK):
        raise refused("no-such-seat", seat=leave.seat)
    ended = Outcome((1 - leave.seat,), leave.reason)
    return Step(replace(state, ended=ended), (Left(leave.seat, leave.reason),))
