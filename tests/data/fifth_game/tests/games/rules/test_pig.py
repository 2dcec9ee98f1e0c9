"""Pig. A turn is written as its rolls, and `stop`."""

import pytest

from games.rules import pig
from games.rules.base import IllegalMove, Leave, Outcome, Roll, Unparseable

STANDARD, SHORT = pig.PRESETS["standard"], pig.PRESETS["short"]


def play(state, *turn):
    """The last step of some rolls and stops."""
    for each in turn:
        if each == "stop":
            step = pig.play(state, pig.STOP)
        else:
            step = pig.play(pig.play(state, pig.ROLL).state, Roll((each,)))
        state = step.state
    return step


def refusal(state, action):
    with pytest.raises(IllegalMove) as refused:
        pig.play(state, action)
    return refused.value.code


def test_a_roll_adds_its_points_to_those_of_the_turn():
    state, events = play(pig.setup(STANDARD, 2), 6, 4)
    assert (state.pot, state.scores, state.turn) == (10, (0, 0), 0)
    assert events == (pig.Thrown(0, 4, 10),)


def test_stopping_adds_the_points_of_the_turn_to_the_score():
    state, events = play(pig.setup(STANDARD, 2), 6, 4, "stop")
    assert (state.pot, state.scores, state.turn) == (0, (10, 0), 1)
    assert events == (pig.Banked(0, 10, 10),)


def test_a_one_loses_the_points_of_the_turn_and_ends_it():
    state, events = play(pig.setup(STANDARD, 2), 6, "stop", 5, 5, 1)
    assert (state.pot, state.scores, state.turn) == (0, (6, 0), 0)
    assert events == (pig.Thrown(1, 1, 0), pig.Lost(1, 10))


def test_one_must_roll_before_one_stops():
    start = pig.setup(STANDARD, 2)
    assert pig.legal_moves(start) == (pig.ROLL,)
    assert refusal(start, pig.STOP) == "not-rolled-yet"


def test_the_die_must_land_first():
    thrown = pig.play(pig.setup(STANDARD, 2), pig.ROLL).state
    assert pig.chance(thrown) == pig.DUE
    assert refusal(thrown, pig.ROLL) == "dice-due"


@pytest.mark.parametrize("faces", [(), (0,), (7,), (2, 3)])
def test_one_die_with_six_sides_is_rolled(faces):
    assert refusal(pig.play(pig.setup(STANDARD, 2), pig.ROLL).state, Roll(faces)) == "wrong-dice"


@pytest.mark.parametrize(("options", "points"), [(STANDARD, 100), (SHORT, 50)])
def test_the_target_wins(options, points):
    start = pig.setup(options, 2)
    nearly = pig.State(options, 0, (points - 6, 0), start.present)
    assert play(nearly, 5, "stop").state.ended is None
    assert play(nearly, 6).state.ended is None
    assert play(nearly, 6, "stop").state.ended == Outcome((0,), "target", (points, 0))


def test_standing_most_points_ahead():
    state = play(pig.setup(STANDARD, 3), 6, "stop", 6, "stop", 5, "stop", 4).state
    assert pig.standing(state).winners == (0, 1)
    assert pig.standing(pig.play(state, Leave(0)).state).winners == (1,)


def test_turn_skips_player_who_left():
    state = pig.play(pig.setup(STANDARD, 3), Leave(1)).state
    assert play(state, 6, "stop").state.turn == 2


def test_leave_on_turn_loses_points_of_turn():
    state = play(pig.setup(STANDARD, 3), 6).state
    left = pig.play(state, Leave(0)).state
    assert (left.turn, left.pot, left.scores) == (1, 0, (0, 0, 0))


def test_the_last_who_stays_wins():
    assert pig.play(pig.setup(STANDARD, 2), Leave(0, "time")).state.ended == Outcome((1,), "time", (0, 0))


@pytest.mark.parametrize("text", ["", "Roll", "throw", "6"])
def test_other_texts_are_no_moves(text):
    with pytest.raises(Unparseable):
        pig.parse(text)
