"""Nine Men's Morris: draws, options and the relatives with six, ten and twelve men."""

from dataclasses import replace

import pytest

from games.rules import morris
from games.rules.base import IllegalMove, Outcome, Roll, Unparseable
from games.rules.morris import BLACK, PRESETS, WHITE, Milled, Move, Slid
from games.rules.morris_boards import BOARDS
from tests.games.rules.morris_positions import (
    AFTER_MILL,
    BEFORE_MILL,
    BLOCKING,
    DOUBLE,
    LASKER,
    NINE,
    SIX,
    SPARSE,
    THREE_LEFT,
    TWELVE,
    after,
    legal,
    play,
    points,
    position,
)

# Draws

SHUFFLE = ("a7-a4", "g7-g4", "a4-a7", "g4-g7")


def test_the_third_time_a_position_occurs_is_a_draw():
    state = after(position(SPARSE), *SHUFFLE, *SHUFFLE[:3])
    assert morris.outcome(state) is None
    assert morris.outcome(after(state, SHUFFLE[3])) == Outcome((WHITE, BLACK), "repetition")


def test_a_position_is_another_one_when_the_other_player_is_to_move():
    triangle = ("a7-f4", "g7-g4", "f4-e3", "g4-g7", "e3-a7")
    twice = after(position(THREE_LEFT), *triangle)
    assert twice.board == points(THREE_LEFT)
    back_twice = after(twice, "g7-g4", "a7-a4", "g4-g7", "a4-a7")
    assert back_twice.board == twice.board
    assert morris.outcome(back_twice) is None


def test_men_of_one_colour_are_alike_in_a_position():
    a7_and_b6_change_places = ("a7-f4", "g7-g4", "b6-a7", "g4-g7", "f4-f2", "g7-g4", "f2-b6", "g4-g7")
    state = after(position(THREE_LEFT), *a7_and_b6_change_places)
    assert morris.outcome(state) is None
    assert morris.outcome(after(state, *SHUFFLE)) == Outcome((WHITE, BLACK), "repetition")


def test_positions_before_a_taking_are_forgotten():
    state = after(position(BEFORE_MILL), "f2-f4", "d1-a1", "f4-f2", "a1-d1")
    assert state.trail != ""
    assert after(state, "d6-d7", "xd1").trail == ""


def test_positions_before_a_placing_are_forgotten():
    state = after(position(SPARSE, hand=(1, 1), options=LASKER), "a7-a4", "g7-g4")
    assert state.trail != ""
    assert after(state, "d7").trail == ""


def test_repetition_may_be_switched_off():
    state = after(position(SPARSE, options=replace(NINE, threefold=False)), *(SHUFFLE * 5))
    assert morris.outcome(state) is None
    assert state.trail == ""


def test_fifty_moves_of_each_player_with_nothing_taken_are_a_draw():
    state = after(position(SPARSE, options=replace(NINE, threefold=False)), *(SHUFFLE * 25)[:-1])
    assert morris.outcome(state) is None
    assert morris.outcome(after(state, SHUFFLE[3])) == Outcome((WHITE, BLACK), "fifty")


def test_placings_count_among_the_fifty_moves():
    assert after(morris.setup(NINE), "d6", "d2", "a1").quiet == 3


def test_a_man_taken_by_the_last_of_the_fifty_moves_saves_the_game():
    state = after(position(BEFORE_MILL, quiet=99), "d6-d7")
    assert morris.outcome(state) is None
    assert after(state, "xd1", "b4-a4").quiet == 1


def test_a_player_blocked_by_the_last_of_the_fifty_moves_has_lost():
    state = after(position(BLOCKING, BLACK, quiet=99), "g4-g1")
    assert morris.outcome(state) == Outcome((BLACK,), "blocked")


def test_fifty_moves_may_be_switched_off():
    state = after(position(SPARSE, options=replace(NINE, fifty=False), quiet=500), "a7-a4")
    assert morris.outcome(state) is None


# Flying, taking and double mills as options


def test_men_may_always_be_taken_from_mills():
    options = replace(NINE, from_mills="always")
    assert legal(position(AFTER_MILL, takes=1, options=options)) == ["xb2", "xb4", "xb6", "xd1"]


def test_men_may_never_be_taken_from_mills():
    all_in_mills = BEFORE_MILL.replace(".-----B", ".-----.")
    state, events = play(position(all_in_mills, options=replace(NINE, from_mills="never")), "d6-d7")
    assert events[-1] == Milled(WHITE, (("a7", "d7", "g7"),), 0)
    assert state.turn == BLACK


TWO_MILLS = (("a7", "d7", "g7"), ("d7", "d6", "d5"))


def test_two_mills_at_once_take_one_man():
    state, events = play(position(DOUBLE, hand=(1, 0)), "d7")
    assert events[-1] == Milled(WHITE, TWO_MILLS, 1)
    assert after(state, "xb6").turn == BLACK


def test_two_mills_at_once_may_take_two_men():
    state, events = play(position(DOUBLE, hand=(1, 1), options=replace(NINE, double_mill=2)), "d7")
    assert events[-1] == Milled(WHITE, TWO_MILLS, 2)
    state = after(state, "xb6")
    assert (state.turn, state.takes) == (WHITE, 1)
    assert after(state, "xb2").turn == BLACK


def test_a_second_man_is_not_taken_when_all_others_are_safe():
    options = replace(NINE, double_mill=2, from_mills="never")
    safe = DOUBLE.replace("B---.---B", "B---.---.").replace(".-.-.   .-.-.", ".-B-.   .-.-.")
    state = after(position(safe, hand=(1, 0), options=options), "d7", "xd1")
    assert (state.turn, state.takes) == (BLACK, 0)


# Six, ten and twelve men


def test_presets_in_the_order_of_the_table_form():
    assert list(PRESETS) == ["nine", "six", "lasker", "twelve"]


@pytest.mark.parametrize(
    ("preset", "points", "lines", "men"),
    [("nine", 24, 16, 9), ("six", 16, 8, 6), ("lasker", 24, 16, 10), ("twelve", 24, 20, 12)],
)
def test_presets_have_their_points_mills_and_men(preset, points, lines, men):
    state = morris.setup(PRESETS[preset])
    board = BOARDS[state.options.board]
    assert len(state.board) == points
    assert len({mill for mills in board.mills for mill in mills}) == lines
    assert state.hand == (men, men)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_adjacency_goes_both_ways(board):
    for point, near in enumerate(board.adjacent):
        assert all(point in board.adjacent[other] for other in near)


SIX_MEN = """
    W---.---B
    | .-W-. |
    .-.   .-.
    | .-.-. |
    B---B---W
"""


def test_six_men_slide_between_their_two_squares():
    assert legal(position(SIX_MEN, options=SIX)) == [
        *["a5-a3", "a5-c5"],
        *["c4-b4", "c4-c5", "c4-d4"],
        *["e1-e3"],
    ]


def test_lasker_lets_men_slide_from_the_start():
    state = after(morris.setup(LASKER), "d6", "a1")
    assert {"d7", "d6-d7"} <= set(legal(state))
    state, events = play(state, "d6-d7")
    assert events == (Slid(WHITE, "d6", "d7"),)
    assert state.hand == (9, 9)


def test_twelve_men_slide_along_diagonals():
    corner_and_middle = position("W..." + "W" + "." * 19, options=TWELVE)
    assert legal(corner_and_middle) == [
        *["a7-a4", "a7-b6", "a7-d7"],
        *["d6-b6", "d6-d5", "d6-d7", "d6-f6"],
    ]


def test_twelve_men_make_mills_on_diagonals():
    state, events = play(morris.setup(TWELVE), "a7", "d1", "c5", "d2", "b6")
    assert events[-1] == Milled(WHITE, (("a7", "b6", "c5"),), 1)
    assert legal(state) == ["xd1", "xd2"]


FULL = """
    W-----B-----W
    | B---W---B |
    | | W-B-W | |
    B-W-B   W-B-W
    | | W-B-W | |
    | B---W---B |
    W-----B-----.
"""


# Notation


@pytest.mark.parametrize(
    ("text", "move"), [("d6", Move("", "d6")), ("d6-d5", Move("d6", "d5")), ("xd6", Move("d6", ""))]
)
def test_moves_are_written_with_files_and_ranks(text, move):
    assert morris.parse(text) == move
    assert str(move) == text


@pytest.mark.parametrize("text", ["", "h1", "a8", "a0", "d6d5", "d6-", "x", "xd6-d5", "D6", "d6\n", "d６"])
def test_text_that_is_no_move_of_any_board_is_not_read(text):
    with pytest.raises(Unparseable):
        morris.parse(text)


def test_no_dice_are_thrown():
    with pytest.raises(IllegalMove) as refused:
        morris.play(morris.setup(NINE), Roll((6,)))
    assert refused.value.code == "no-dice-due"
