"""Conditional moves are lines that begin with the opponent and give one answer to the same moves."""

import pytest

from games.domain import conditional
from games.domain.conditional import MOST_LINES, BadLine, OpenLine, TooManyLines, TwoAnswers
from games.registry import GAMES

KALAH = GAMES["kalah"].rules
START = KALAH.setup(KALAH.PRESETS["circle"], 2)
"""Seat 0 is to move. Its pit 4 ends in its store."""


def checked(*lines):
    return conditional.checked(KALAH, START, 1, [line.split() for line in lines])


def test_a_line_is_moves_of_both():
    assert checked("1 2 4 4") == [("1", "2", "4", "4")]


def test_every_ply_of_a_turn_counts_by_itself():
    assert checked("4 1 2") == [("4", "1", "2")]


def test_several_moves_of_the_opponent_have_an_answer_each():
    assert len(checked("1 2", "2 3", "4 1 2")) == 3


def test_line_contained_in_another_dropped():
    assert checked("1 2", "1 2 4 4", "1 2") == [("1", "2", "4", "4")]


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["1 99"], BadLine),
        (["nonsense 1"], BadLine),
        (["1"], OpenLine),
        (["1 2 3"], OpenLine),
        (["4 1"], OpenLine),
        ([""], OpenLine),
        (["1 2", "1 3"], TwoAnswers),
        (["1 2 4 4", "1 2 4 5"], TwoAnswers),
        (["1 2"] * (MOST_LINES + 1), TooManyLines),
        (["1 " * (conditional.MOST_MOVES + 1)], TooManyLines),
    ],
)
def test_line_invalid_refused(lines, error):
    with pytest.raises(error) as refused:
        checked(*lines)
    assert str(refused.value)


def test_a_seat_enters_only_what_begins_with_the_other():
    with pytest.raises(OpenLine):
        conditional.checked(KALAH, START, 0, [["1", "1"]])


def test_no_line_has_more_moves_of_ones_own_than_the_limit():
    line, state = [], START
    while KALAH.outcome(state) is None and len(line) < conditional.MOST_MOVES:
        move = KALAH.legal_moves(state)[0]
        line.append(str(move))
        state = KALAH.play(state, move).state
        if line and state.turn == 0 and sum(1 for _ in line) > 2 * conditional.MOST_OWN + 5:
            break
    with pytest.raises((TooManyLines, OpenLine)):
        checked(" ".join(line))


def test_lines_left_after_plies():
    lines = [("1", "2", "4", "4"), ("2", "5")]
    assert conditional.left(lines, []) == lines
    assert conditional.left(lines, ["1"]) == [("2", "4", "4")]
    assert conditional.left(lines, ["1", "2", "4", "4"]) == []
    assert conditional.left(lines, ["3"]) == []


def test_lines_end_with_match_action():
    assert conditional.left([("1", "2")], ["take-back:0"]) == []
