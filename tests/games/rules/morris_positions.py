"""Positions of Nine Men's Morris as pictures, for its tests.

Boards are drawn with `W`, `B` and `.` for the points; what lies between them is decoration.
"""

import pytest

from games.rules import morris
from games.rules.base import IllegalMove
from games.rules.morris import PRESETS, WHITE, State
from games.rules.morris_boards import BOARDS

NINE, SIX, LASKER, TWELVE = (PRESETS[name] for name in ("nine", "six", "lasker", "twelve"))

SPARSE = """
    W-----.-----B
    | W---.---. |
    | | .-B-. | |
    .-.-W   .-.-.
    | | .-.-. | |
    | .---B---W |
    B-----.-----.
"""
"""Four men each, nobody in a mill."""

THREE_LEFT = """
    W-----.-----B
    | W---.---. |
    | | .-B-. | |
    .-.-W   .-.-.
    | | .-.-. | |
    | .---B---. |
    B-----.-----.
"""
"""White has three men, black four."""

BEFORE_MILL = """
    W-----.-----W
    | B---W---. |
    | | .-.-. | |
    .-B-.   .-.-.
    | | .-.-. | |
    | B---.---W |
    .-----B-----.
"""
"""White may slide from d6 to d7 and close a mill; black has a mill and d1."""

AFTER_MILL = BEFORE_MILL.replace("W-----.-----W", "W-----W-----W").replace("B---W---.", "B---.---.")

FEW = """
    W-----.-----W
    | .---W---. |
    | | .-.-. | |
    .-B-.   .-.-.
    | | .-.-. | |
    | B---.---W |
    .-----B-----.
"""
"""White may close a mill and leave black with two men."""

BLOCKING = """
    W-----B-----.
    | .---.---. |
    | | .-.-. | |
    W-B-.   .-.-B
    | | .-.-. | |
    | .---B---. |
    W-----W-----.
"""
"""White is shut in once g4 goes to g1."""

DOUBLE = """
    W-----.-----W
    | B---W---. |
    | | .-W-. | |
    .-.-.   .-.-.
    | | .-.-. | |
    | B---.---B |
    .-----B-----.
"""
"""White closes two mills by placing a man on d7."""


def points(picture):
    return "".join(letter for letter in picture if letter in "WB.")


def position(picture, turn=WHITE, hand=(0, 0), options=NINE, **more):
    """The state that a picture shows."""
    return State(options, turn, points(picture), hand, **more)


def mirrored(picture):
    """The same with the colours exchanged."""
    return picture.translate(str.maketrans("WB", "BW"))


def play(state, *moves):
    events = ()
    for move in moves:
        state, events = morris.play(state, morris.parse(move))
    return state, events


def after(state, *moves):
    return play(state, *moves)[0]


def refusal(state, move):
    with pytest.raises(IllegalMove) as refused:
        morris.play(state, morris.parse(move))
    return refused.value.code


def legal(state):
    return sorted(map(str, morris.legal_moves(state)))


def man_on(state, point):
    return state.board[BOARDS[state.options.board].points.index(point)]
