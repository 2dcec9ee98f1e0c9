"""The rules of Nine Men's Morris, besides the examples in games/examples/morris.json."""

from dataclasses import replace

import pytest

from games.rules import morris
from games.rules.base import BadOptions, Leave, Left, Outcome
from games.rules.morris import BLACK, MEN, WHITE, Flew, Milled, Placed, Removed, Slid
from tests.games.rules.morris_positions import (
    AFTER_MILL,
    BEFORE_MILL,
    FEW,
    NINE,
    SIX,
    SPARSE,
    THREE_LEFT,
    after,
    legal,
    man_on,
    play,
    points,
    position,
    refusal,
)

# Setting up a game


def test_a_new_game_has_24_points_and_nine_unplayed_men_each():
    state = morris.setup(NINE)
    assert state.board == "." * 24
    assert state.hand == (9, 9)
    assert morris.outcome(state) is None


def test_a_game_that_makes_no_sense_is_not_created():
    with pytest.raises(BadOptions) as refused:
        morris.setup(replace(SIX, men=9))
    assert refused.value.code == "too-many-men"
    assert str(refused.value) == "A board of 16 points is too small for 9 men each."


def test_a_board_that_does_not_exist_is_not_created():
    with pytest.raises(BadOptions) as refused:
        morris.setup(replace(NINE, board="four"))
    assert refused.value.code == "bad-option"


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_a_game_without_two_players_is_not_created(seats):
    with pytest.raises(BadOptions) as refused:
        morris.setup(NINE, seats)
    assert refused.value.code == "bad-seats"


# Placing a man


@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_a_man_is_placed_on_an_empty_point(seat):
    state, events = play(morris.setup(NINE, first=seat), "d6")
    assert man_on(state, "d6") == MEN[seat]
    assert state.hand[seat] == 8
    assert state.turn == 1 - seat
    assert events == (Placed(seat, "d6"),)


# Moving a man


def test_a_man_slides_to_an_adjacent_empty_point():
    state, events = play(position(SPARSE), "b6-b4")
    assert man_on(state, "b6") == "."
    assert man_on(state, "b4") == "W"
    assert state.turn == BLACK
    assert events == (Slid(WHITE, "b6", "b4"),)


# Flying a man


def test_a_man_flies_to_any_empty_point():
    state, events = play(position(THREE_LEFT), "a7-f4")
    assert man_on(state, "a7") == "."
    assert man_on(state, "f4") == "W"
    assert state.turn == BLACK
    assert events == (Flew(WHITE, "a7", "f4"),)


def test_three_men_fly_and_four_slide():
    assert len(legal(position(THREE_LEFT))) == 3 * (24 - 7)
    assert len(legal(position(THREE_LEFT, turn=BLACK))) == 11


# Removing an opponent's man

CLOSING = [
    pytest.param(position(BEFORE_MILL.replace("B---W---.", "B---.---."), hand=(1, 0)), "d7", id="placing"),
    pytest.param(position(BEFORE_MILL), "d6-d7", id="sliding"),
    pytest.param(position(BEFORE_MILL.replace("B---.---W", "B---.---.")), "d6-d7", id="flying"),
]


@pytest.mark.parametrize(("state", "move"), CLOSING)
def test_a_mill_takes_a_man(state, move):
    state, events = play(state, move)
    assert events[1:] == (Milled(WHITE, (("a7", "d7", "g7"),), 1),)
    assert (state.turn, state.takes) == (WHITE, 1)
    assert legal(state) == ["xd1"]
    state, events = play(state, "xd1")
    assert events == (Removed(WHITE, "d1"),)
    assert man_on(state, "d1") == "."
    assert (state.turn, state.takes) == (BLACK, 0)


def test_capture_any_man_when_all_in_mills():
    state = position(AFTER_MILL.replace(".-----B", ".-----."), takes=1)
    assert legal(state) == ["xb2", "xb4", "xb6"]


# Determining if the game is over


def test_move_after_end_refused():
    over = after(position(FEW), "d6-d7", "xd1")
    assert morris.legal_moves(over) == ()
    assert refusal(over, "b4-a4") == "game-over"


def test_leave_loses_and_men_stay():
    state, events = morris.play(position(SPARSE), Leave(WHITE, "time"))
    assert morris.outcome(state) == Outcome((BLACK,), "time")
    assert state.board == points(SPARSE)
    assert events == (Left(WHITE, "time"),)


# As it stands


def test_standing_more_men_ahead_with_hand_counted():
    assert morris.standing(position(SPARSE)) == Outcome((WHITE, BLACK), "ended")
    assert morris.standing(position(SPARSE, hand=(0, 1))).winners == (BLACK,)
