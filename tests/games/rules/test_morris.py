"""The rules of Nine Men's Morris."""

from dataclasses import replace

import pytest

from games.rules import morris
from games.rules.base import BadOptions, Leave, Left, Outcome
from games.rules.morris import BLACK, MEN, WHITE, Flew, Milled, Placed, Removed, Slid
from tests.games.rules.morris_positions import (
    AFTER_MILL,
    BEFORE_MILL,
    BLOCKING,
    FEW,
    LASKER,
    NINE,
    SIX,
    SPARSE,
    THREE_LEFT,
    after,
    legal,
    man_on,
    mirrored,
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


# Choosing player's turn


def test_black_has_the_first_turn():
    """testblackTurnFirst."""
    assert morris.setup(NINE, first=BLACK).turn == BLACK


def test_white_has_the_first_turn():
    """testwhiteTurnFirst."""
    assert morris.setup(NINE, first=WHITE).turn == WHITE


# Placing a man


@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_a_man_is_placed_on_an_empty_point(seat):
    state, events = play(morris.setup(NINE, first=seat), "d6")
    assert man_on(state, "d6") == MEN[seat]
    assert state.hand[seat] == 8
    assert state.turn == 1 - seat
    assert events == (Placed(seat, "d6"),)


@pytest.mark.parametrize("point", ["d4", "a2", "g6"])
def test_no_man_is_placed_on_a_point_that_does_not_exist(point):
    assert refusal(morris.setup(NINE), point) == "invalid-point"


def test_no_man_is_placed_on_another():
    state = after(morris.setup(NINE), "d6", "b6")
    assert refusal(state, "d6") == "occupied-own"
    assert refusal(state, "b6") == "occupied-other"


# Moving a man


def test_a_man_slides_to_an_adjacent_empty_point():
    state, events = play(position(SPARSE), "b6-b4")
    assert man_on(state, "b6") == "."
    assert man_on(state, "b4") == "W"
    assert state.turn == BLACK
    assert events == (Slid(WHITE, "b6", "b4"),)


def test_slide_from_unknown_point_refused():
    assert refusal(position(SPARSE), "a2-a4") == "invalid-point"


def test_slide_from_empty_point_refused():
    assert refusal(position(SPARSE), "d7-d6") == "empty"


def test_a_man_of_the_other_player_does_not_slide():
    assert refusal(position(SPARSE), "g7-d7") == "not-yours"


def test_slide_to_unknown_point_refused():
    assert refusal(position(SPARSE), "a7-a6") == "invalid-point"


@pytest.mark.parametrize("move", ["a7-b6", "a7-a7"])
def test_no_man_slides_onto_a_man_of_its_own(move):
    assert refusal(position(SPARSE), move) == "occupied-own"


def test_no_man_slides_onto_a_man_of_the_other_player():
    assert refusal(position(SPARSE), "f2-d2") == "occupied-other"


@pytest.mark.parametrize("move", ["a7-g1", "f2-g1", "c4-e4"])
def test_no_man_slides_to_a_point_that_is_not_adjacent(move):
    assert refusal(position(SPARSE), move) == "not-adjacent"


# Flying a man


def test_a_man_flies_to_any_empty_point():
    state, events = play(position(THREE_LEFT), "a7-f4")
    assert man_on(state, "a7") == "."
    assert man_on(state, "f4") == "W"
    assert state.turn == BLACK
    assert events == (Flew(WHITE, "a7", "f4"),)


def test_flight_from_unknown_point_refused():
    assert refusal(position(THREE_LEFT), "d4-f4") == "invalid-point"


def test_flight_from_empty_point_refused():
    assert refusal(position(THREE_LEFT), "d7-f4") == "empty"


def test_a_man_of_the_other_player_does_not_fly():
    assert refusal(position(THREE_LEFT), "g7-f4") == "not-yours"


def test_flight_to_unknown_point_refused():
    assert refusal(position(THREE_LEFT), "a7-d4") == "invalid-point"


def test_no_man_flies_onto_a_man_of_its_own():
    assert refusal(position(THREE_LEFT), "a7-c4") == "occupied-own"


def test_no_man_flies_onto_a_man_of_the_other_player():
    assert refusal(position(THREE_LEFT), "a7-d2") == "occupied-other"


def test_three_men_fly_and_four_slide():
    assert len(legal(position(THREE_LEFT))) == 3 * (24 - 7)
    assert len(legal(position(THREE_LEFT, turn=BLACK))) == 11


def test_three_men_on_the_board_do_not_fly_while_others_are_in_hand():
    assert refusal(position(THREE_LEFT, hand=(1, 0), options=LASKER), "a7-f4") == "not-adjacent"


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


def test_no_man_is_taken_from_a_point_that_does_not_exist():
    assert refusal(position(AFTER_MILL, takes=1), "xd4") == "invalid-point"


def test_no_man_is_taken_from_an_empty_point():
    assert refusal(position(AFTER_MILL, takes=1), "xd6") == "empty"


def test_no_man_of_ones_own_is_taken():
    assert refusal(position(AFTER_MILL, takes=1), "xf2") == "own-man"


def test_man_in_a_mill_is_safe():
    assert refusal(position(AFTER_MILL, takes=1), "xb4") == "in-a-mill"


def test_capture_any_man_when_all_in_mills():
    state = position(AFTER_MILL.replace(".-----B", ".-----."), takes=1)
    assert legal(state) == ["xb2", "xb4", "xb6"]


@pytest.mark.parametrize("move", ["a4", "f2-f4"])
def test_move_before_due_capture_refused(move):
    assert refusal(position(AFTER_MILL, takes=1), move) == "take-first"


def test_no_man_is_taken_without_a_mill():
    assert refusal(position(BEFORE_MILL), "xd1") == "nothing-to-take"


def test_a_mill_that_stands_already_takes_nothing():
    assert after(position(AFTER_MILL), "f2-f4").turn == BLACK


# Determining if the game is over


def test_black_wins_when_white_has_two_men_left():
    state = after(position(mirrored(FEW), BLACK), "d6-d7", "xd1")
    assert morris.outcome(state) == Outcome((BLACK,), "reduced")


def test_black_wins_when_white_cannot_move():
    state = after(position(BLOCKING, BLACK), "g4-g1")
    assert morris.outcome(state) == Outcome((BLACK,), "blocked")


def test_white_wins_when_black_has_two_men_left():
    state = after(position(FEW), "d6-d7", "xd1")
    assert morris.outcome(state) == Outcome((WHITE,), "reduced")


def test_white_wins_when_black_cannot_move():
    state = after(position(mirrored(BLOCKING)), "g4-g1")
    assert morris.outcome(state) == Outcome((WHITE,), "blocked")


def test_the_game_goes_on_after_a_move_of_black():
    state = after(position(SPARSE, BLACK), "g7-g4")
    assert morris.outcome(state) is None
    assert state.turn == WHITE


def test_the_game_goes_on_after_a_move_of_white():
    state = after(position(SPARSE), "a7-a4")
    assert morris.outcome(state) is None
    assert state.turn == BLACK


def test_men_in_hand_count_as_men_left():
    state = after(position(FEW, hand=(0, 1)), "d6-d7", "xd1")
    assert morris.outcome(state) is None


def test_a_player_may_be_blocked_by_the_last_placing():
    state = after(position(BLOCKING.replace("B-.   .-.-B", "B-.   .-.-."), BLACK, hand=(0, 1)), "g1")
    assert morris.outcome(state) == Outcome((BLACK,), "blocked")


def test_a_player_may_be_blocked_by_a_taking():
    only_e4_can_move = """
        W-----B-----.
        | .---.---. |
        | | .-.-. | |
        W-B-.   W-.-.
        | | .-.-. | |
        | .---B---. |
        W-----W-----B
    """
    state = after(position(only_e4_can_move, BLACK, takes=1), "xe4")
    assert morris.outcome(state) == Outcome((BLACK,), "blocked")


def test_a_player_who_flies_is_never_blocked():
    shut_in = BLOCKING.replace("W-----W-----.", "W-----B-----.")
    assert morris.outcome(after(position(shut_in, BLACK), "g4-g1")) is None


def test_move_after_end_refused():
    over = after(position(FEW), "d6-d7", "xd1")
    assert morris.legal_moves(over) == ()
    assert refusal(over, "b4-a4") == "game-over"


def test_leave_loses_and_men_stay():
    state, events = morris.play(position(SPARSE), Leave(WHITE, "time"))
    assert morris.outcome(state) == Outcome((BLACK,), "time")
    assert state.board == points(SPARSE)
    assert events == (Left(WHITE, "time"),)


# Placing comes before sliding


def test_no_man_slides_while_others_are_in_hand():
    assert refusal(position(SPARSE, hand=(1, 0)), "b6-b4") == "men-left-to-place"


def test_no_man_is_placed_when_none_is_in_hand():
    assert refusal(position(SPARSE), "b4") == "no-men-left"


# As it stands


def test_standing_more_men_ahead_with_hand_counted():
    assert morris.standing(position(SPARSE)) == Outcome((WHITE, BLACK), "ended")
    assert morris.standing(position(SPARSE, hand=(0, 1))).winners == (BLACK,)
