"""Tic-tac-toe. Positions are pictures, the top row first: who marked a square, or a dot."""

from collections import Counter

import pytest

from games.rules import tictactoe
from games.rules.base import IllegalMove, Leave, Outcome, Unparseable

CLASSIC, REVERSED = tictactoe.PRESETS["classic"], tictactoe.PRESETS["reversed"]
OWNERS = {".": None, "0": 0, "1": 1}


def position(picture, options=CLASSIC):
    """The position of a picture, seat 0 to move."""
    rows = reversed(picture.split())
    return tictactoe.State(options, 0, tuple(OWNERS[mark] for row in rows for mark in row))


def play(state, *texts):
    """The last step of moves in notation."""
    for text in texts:
        step = tictactoe.play(state, tictactoe.parse(text))
        state = step.state
    return step


def refusal(state, action):
    with pytest.raises(IllegalMove) as refused:
        tictactoe.play(state, action)
    return refused.value


def test_standing_level_before_row():
    assert tictactoe.standing(tictactoe.setup(CLASSIC)).winners == (0, 1)


def test_the_board_is_empty_at_first():
    assert tictactoe.setup(tictactoe.Options()) == position("... ... ...")


def test_squares_are_named_by_file_and_rank():
    state = play(tictactoe.setup(CLASSIC), "a1", "c1", "a3").state
    assert state.board == position("0.. ... 0.1").board


def test_a_mark_is_told():
    assert play(tictactoe.setup(CLASSIC), "b2").events == (tictactoe.Marked(0, tictactoe.NAMES.index("b2")),)


def test_players_take_turns():
    assert [play(tictactoe.setup(CLASSIC), *texts).state.turn for texts in (["a1"], ["a1", "a2"])] == [1, 0]


def test_every_free_square_may_be_marked():
    moves = tictactoe.legal_moves(position("01. ... .10"))
    assert [str(move) for move in moves] == ["a1", "a2", "b2", "c2", "c3"]


def test_a_taken_square_is_refused():
    error = refusal(position("... .1. ..."), tictactoe.parse("b2"))
    assert (error.code, str(error)) == ("taken", "b2 is taken.")


@pytest.mark.parametrize("text", ["", "b", "2b", "d1", "a4", "a0", "B2", "b22", "5"])
def test_other_texts_are_no_moves(text):
    with pytest.raises(Unparseable):
        tictactoe.parse(text)


@pytest.mark.parametrize("row", tictactoe.ROWS)
def test_three_in_a_row_win(row):
    state = tictactoe.State(CLASSIC, 0, tuple(0 if square in row[1:] else None for square in range(9)))
    state, events = play(state, tictactoe.NAMES[row[0]])
    assert state.ended == Outcome((0,), "row")
    assert events[1:] == (tictactoe.Lined(0, row),)


def test_three_in_a_row_lose_the_reversed_game():
    assert play(position("00. 11. ...", REVERSED), "c3").state.ended == Outcome((1,), "row")


def test_two_rows_at_once_are_told_together():
    state, events = play(position("0.. 011 .00"), "a1")
    assert events[-1] == tictactoe.Lined(0, state.row)
    assert [tictactoe.NAMES[square] for square in state.row] == ["a1", "b1", "c1", "a2", "a3"]


def test_a_full_board_without_a_row_is_a_draw():
    assert play(position("010 .10 101"), "a2").state.ended == Outcome((0, 1), "full")


def test_a_row_on_the_last_square_wins_before_the_board_is_full():
    assert play(position("010 101 01."), "c1").state.ended == Outcome((0,), "row")


def test_leave_loses():
    state, events = tictactoe.play(position("00. 11. ..."), Leave(0, "time"))
    assert state.ended == Outcome((1,), "time")
    assert events == (tictactoe.Left(0, "time"),)


def test_all_positions_are_counted():
    """5478 can be reached: 626 won by the first player, 316 by the second, 16 draws, the rest undecided."""
    seen, waiting = set(), [tictactoe.setup(CLASSIC)]
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            waiting += [tictactoe.play(state, move).state for move in tictactoe.legal_moves(state)]
    ends = Counter(state.ended and state.ended.winners for state in seen)
    assert ends == {(0,): 626, (1,): 316, (0, 1): 16, None: 5478 - 626 - 316 - 16}
