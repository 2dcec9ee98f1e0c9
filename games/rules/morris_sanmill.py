"""Positions and moves as Sanmill writes them (github.com/calcitem/Sanmill), with its boards of 24 points.

Its position text has 17 fields: the points of the inner, the middle and the outer square, each clockwise from
the top, `O` white and `@` black; who moves; the phase and what is to do; for each colour the men on the board
and in the hand; for each the men that it must take; six fields of rules that are not ours; the turns since a
man was taken, and the number of the move. `startpos` is the start; `moves` and moves may follow. Its app
copies matches as lists of moves, with headings as in PGN.

docs/reference/position.md says what such a text does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .base import BadPosition, IllegalMove, Notation, check_field
from .morris import BLACK, EMPTY, MEN, WHITE, Options, State, play, setup
from .morris_boards import BOARDS, Move, parse

_POINTS = (
    *("d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5"),
    *("d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6"),
    *("d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"),
)
_LETTERS = str.maketrans({"O": MEN[WHITE], "@": MEN[BLACK], "*": EMPTY})
_ITS_LETTERS = str.maketrans({MEN[WHITE]: "O", MEN[BLACK]: "@", EMPTY: "*"})
_BOARD = re.compile("[O@*]{8}/[O@*]{8}/[O@*]{8}")
_SIDES = "wb"
_NO_MILLS = "0 0 0 0 0"
"""The last mill of each colour, and the mills closed: some of its rules let no mill be closed twice."""
_FIELDS = 17
_START = "startpos"
_NAMES_OF_POINTS = "ids:nodes"
"""Says how it names points in the fields that are not read."""

_POINT = "[a-g][1-7]"
_TURN = re.compile(f"(?:(?:{_POINT}-)?{_POINT})?(?:x{_POINT})*")
_NO_MOVE = re.compile(r"\{[^}]*\}|\[[^]]*\]|\b\d+\.+|[!?]+|\$\d+|\b(?:1-0|0-1|1/2-1/2)(?!\S)|(?<!\S)\*(?!\S)")
"""In the list of a match: comments, headings, numbers of moves, signs and the result."""
_LIST = re.compile(rf"\[|\d+\.|{_POINT}")
"""How the list of a match begins."""
_START_HEADING = re.compile(r'\[FEN\s+"([^"]*)"\]')


def read(text: str, options: Options) -> State:
    """The position of `text`. Raises `BadPosition`, which names the field that is wrong."""
    text = text.strip()
    if _LIST.match(text.lower()):
        heading = _START_HEADING.search(text)
        placed, moves = heading[1] if heading else _START, text
    else:
        placed, _, moves = text.removeprefix("position ").partition(" moves")
    start = setup(options) if placed == _START else _state(placed.removeprefix("fen "), options)
    try:
        return play_moves(start, moves)
    except IllegalMove as error:
        raise BadPosition("moves", error.sentence, **error.params) from error


def write(state: State) -> str:
    """The text of a position in which the match goes on. Raises `BadPosition`."""
    check_field(state.ended is None, "ended")
    points = BOARDS[state.options.board].points
    check_field(set(points) == set(_POINTS), "board")
    men = "".join(state.board[points.index(point)] for point in _POINTS).translate(_ITS_LETTERS)
    placing = any(state.hand)
    white, black = (f"{state.board.count(MEN[seat])} {state.hand[seat]}" for seat in (WHITE, BLACK))
    takes = " ".join(str(state.takes if seat == state.turn else 0) for seat in (WHITE, BLACK))
    return (
        f"{men[:8]}/{men[8:16]}/{men[16:]} {_SIDES[state.turn]} {'p' if placing else 'm'} "
        f"{'r' if state.takes else 'p' if placing else 's'} {white} {black} {takes} {_NO_MILLS} "
        f"{0 if placing else state.quiet} 1"
    )


def write_line(start: State, moves: Iterable[str]) -> str:
    """What its engine is told of a match: the position at its start, and the moves. Raises `BadPosition`."""
    placed = write(start)
    usual = placed == write(setup(Options()))
    return " ".join(("position", _START if usual else f"fen {placed}", "moves", *moves))


NOTATION = Notation("Sanmill", read, write, write_line)


def moves_of(text: str) -> tuple[Move, ...]:
    """The moves of a list, with numbers and comments or without. Raises `Unparseable`."""
    moves: list[Move] = []
    for turn in _NO_MOVE.sub(" ", text.lower()).split():
        # A turn that takes a man is one word in lists, several in what engines are told.
        parts = re.findall("x?[^x]+", turn) if _TURN.fullmatch(turn) else [turn]
        moves += map(parse, parts)
    return tuple(moves)


def play_moves(state: State, text: str) -> State:
    """The position after a list of moves. Raises `IllegalMove`."""
    for move in moves_of(text):
        state = play(state, move).state
    return state


def _state(text: str, options: Options) -> State:
    words = text.split()
    check_field(len(words) >= _FIELDS and {*words[_FIELDS:]} <= {_NAMES_OF_POINTS}, "fields")
    board, side, phase, action, *numbers = words[:_FIELDS]
    check_field(_BOARD.fullmatch(board) is not None, "board")
    check_field(side in ("w", "b"), "side")
    check_field(phase in ("r", "p", "m"), "phase")
    check_field(action in ("p", "s", "r"), "action")
    counts = [_count(word) for word in (*numbers[:6], numbers[11])]
    white, hand_of_white, black, hand_of_black, *takes, quiet = counts
    men = board.replace("/", "").translate(_LETTERS)
    check_field((white, black) == (men.count(MEN[WHITE]), men.count(MEN[BLACK])), "men")
    points = BOARDS[options.board].points
    check_field(set(points) == set(_POINTS), "options")
    seat = _SIDES.index(side)
    check_field(takes[1 - seat] == 0 and (action == "r" or takes[seat] == 0), "takes")
    return State(
        options,
        seat,
        "".join(men[_POINTS.index(point)] for point in points),
        (hand_of_white, hand_of_black),
        takes=max(takes[seat], 1) if action == "r" else 0,
        quiet=quiet,
    )


def _count(word: str) -> int:
    check_field(re.fullmatch("[0-9]{1,4}", word) is not None, "numbers")
    return int(word)
