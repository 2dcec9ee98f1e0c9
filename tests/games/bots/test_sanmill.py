"""The harness of matches against engines with Sanmill's text protocol, with a small engine of our own."""

import sys

import pytest

from bench.strength import sanmill
from games.rules import morris
from games.rules.base import Outcome

ENGINE = """
import os, sys, time
from games.rules import morris

HABIT, state, legal = sys.argv[1], None, ()
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name Pebble\\nuciok", flush=True)
    elif words[:1] == ["setoption"]:
        assert words[1] == "name" and words[3] == "value"
        print("has", words[2], words[4], file=sys.stderr, flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:3] == ["position", "startpos", "moves"]:
        state = morris.setup(morris.PRESETS["nine"])
        for word in words[3:]:
            state = morris.play(state, morris.parse(word)).state
    elif words == ["go"]:
        if HABIT == "quits":
            sys.exit()
        if HABIT in ("draw", "none", "x1"):
            print("info score 0 bestmove", HABIT, flush=True)
        if HABIT == "plays":
            print("depth 1", flush=True)
            os.write(1, b"info score 3 best")
            os.write(1, b"move " + str(morris.legal_moves(state)[0]).encode() + b"\\n")
        if HABIT == "thinks":
            until = time.process_time() + 0.1
            while time.process_time() < until:
                pass
    elif words == ["stop"]:
        print("info score 0 bestmove " + str(morris.legal_moves(state)[-1]), flush=True)
"""


@pytest.fixture
def engine():
    """Starts an engine with a habit; all of them end with the test."""
    started = []

    def start(habit, skill=3):
        started.append(sanmill.Engine([sys.executable, "-c", ENGINE, habit], skill))
        return started[-1]

    yield start
    for each in started:
        each.__exit__(None, None, None)


def test_an_answer_is_read_however_it_comes(engine):
    assert engine("plays").choose(["d6", "f4"], 60) == "a7"
    assert engine("plays").choose(["a7", "d6", "d7", "d5", "g7"], 60) == "xd6"


def test_the_options_are_told_to_the_engine(engine, capfd):
    engine("plays", skill=7).choose(["d6", "f4"], 60)
    told = capfd.readouterr().err.split("\n")
    assert {"has SkillLevel 7", "has DrawOnHumanExperience false", "has MoveTime 60"} <= set(told)


def test_an_engine_is_stopped_once_it_has_used_its_time(engine):
    one = engine("thinks")
    assert one.choose(["d6", "f4"], 0.03) == "g1"
    assert one.used() >= 0.03


def test_an_engine_that_ends_is_an_error(engine):
    with pytest.raises(sanmill.NoAnswer):
        engine("quits").choose(["d6", "f4"], 60)


def test_a_match_is_played_to_its_end_by_our_rules(engine):
    one = engine("plays")
    found = [sanmill.match(one, number, 60, 0.001) for number in range(2)]
    assert [each.result for each in found] == [1, 1]
    assert all(each.reason in ("reduced", "blocked") for each in found)
    # Both colours are ours by turns, and takes are moves as well.
    assert all(abs(each.thoughts[0] - each.thoughts[1]) < 12 for each in found)
    assert all(each.plies == sum(each.thoughts) + sanmill.OPENING for each in found)


def test_match_drawn_when_engine_says_draw(engine):
    found = sanmill.match(engine("draw"), 0, 60, 0.001)
    assert (found.result, found.reason, found.plies) == (0, "draw", 3)


@pytest.mark.parametrize("answer", ["none", "x1"])
def test_an_engine_that_answers_no_legal_move_has_lost(engine, answer):
    found = sanmill.match(engine(answer), 0, 60, 0.001)
    assert (found.result, found.reason, found.plies) == (1, "illegal", 3)


def test_the_summary_counts_what_was_lost_by_blockade_and_won_without_a_last_move():
    lines = list(
        sanmill.summary(
            [
                sanmill.Match(1, "reduced", 60, (30, 28), (3.0, 1.4)),
                sanmill.Match(0, "fifty", 160, (80, 78), (8.0, 3.9)),
                sanmill.Match(-1, "blocked", 38, (18, 18), (1.8, 0.9)),
                sanmill.Match(-1, "reduced", 70, (34, 34), (3.4, 1.7)),
                sanmill.Match(1, "illegal", 12, (5, 5), (0.5, 0.25)),
            ]
        )
    )
    assert lines[0].startswith("2 won, 1 drawn, 2 lost: 50.0%")
    assert lines[1] == "lost by blockade: 1, at ply 38"
    assert lines[2] == "won because the engine answered no legal move: 1"
    assert lines[3:] == ["we: 0.100 s a move", "the engine: 0.050 s a move"]


@pytest.mark.parametrize(("winners", "result"), [((0,), 1), ((1,), -1), ((0, 1), 0)])
def test_a_result_is_seen_by_our_seat(winners, result):
    state = morris.setup(morris.PRESETS["nine"])
    ended = morris.State(state.options, 0, state.board, (0, 0), ended=Outcome(winners, "reduced"))
    assert sanmill.result(ended, 0) == result
