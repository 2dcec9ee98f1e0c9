"""Nine Men's Morris at large: games played elsewhere, counts of positions, and what holds in any game."""

import json
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import morris
from games.rules.base import IllegalMove
from games.rules.morris import MEN, PRESETS, Milled, Move, Removed, State
from games.rules.morris_boards import BOARDS
from tests.games.rules.morris_positions import NINE, THREE_LEFT, legal, man_on, points

DATA = Path(__file__).parents[2] / "data"
GAMES = json.loads((DATA / "morris_games.json").read_text())["games"]
PERFT = json.loads((DATA / "morris_perft.json").read_text())
WITHOUT_DRAWS = replace(NINE, threefold=False, fifty=False)
WINNERS = {"white": (0,), "black": (1,)}

any_preset = st.sampled_from(list(PRESETS.values()))


# Games and positions from elsewhere


@pytest.mark.parametrize("game", GAMES, ids=[game["seed"] for game in GAMES])
def test_every_step_of_a_known_game_has_its_legal_moves(game):
    state = morris.setup(WITHOUT_DRAWS)
    for mover, move, moves in game["steps"]:
        assert MEN[state.turn] == mover
        assert legal(state) == moves.split()
        state = morris.play(state, morris.parse(move)).state
    assert state.board == game["final_board"]
    outcome = morris.outcome(state)
    assert (outcome and outcome.winners) == WINNERS.get(game["result"])


@cache
def perft(state, depth):
    """How many ways the next `depth` turns can go; a mill and its taking are one turn."""
    if depth == 0:
        return 1
    count = 0
    for move in morris.legal_moves(state):
        after = morris.play(state, move).state
        ways = (
            [morris.play(after, take).state for take in morris.legal_moves(after)] if after.takes else [after]
        )
        count += sum(perft(way, depth - 1) for way in ways)
    return count


@pytest.mark.parametrize("depth", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.deep)])
def test_ways_to_begin_a_game(depth):
    assert perft(morris.setup(WITHOUT_DRAWS), depth) == PERFT["start"][depth - 1]


@pytest.mark.parametrize("known", PERFT["positions"], ids=lambda known: f"seed-{known['from_seed']}")
def test_ways_to_go_on_from_a_position(known):
    state = State(WITHOUT_DRAWS, MEN.index(known["to_move"]), known["board"], tuple(known["hand"]))
    assert [perft(state, depth) for depth in (1, 2, 3)] == known["perft"]


# Any game


def playout(options, seed):
    """Steps of a random game as (state, move, next state, events)."""
    rng = Random(seed)
    state = morris.setup(options, first=rng.randrange(2))
    while morris.outcome(state) is None:
        move = rng.choice(morris.legal_moves(state))
        after, events = morris.play(state, move)
        yield state, move, after, events
        state = after


@given(any_preset, st.integers(0))
def test_no_man_is_lost_but_those_taken(options, seed):
    taken = [0, 0]
    for _, _, after, events in playout(options, seed):
        for event in events:
            if isinstance(event, Removed):
                taken[1 - event.seat] += 1
        for seat in (0, 1):
            assert after.board.count(MEN[seat]) + after.hand[seat] + taken[seat] == options.men


@given(any_preset, st.integers(0))
def test_a_man_must_be_taken_when_and_only_when_a_mill_was_closed(options, seed):
    lines = {mill for mills in BOARDS[options.board].mills for mill in mills}

    def standing(state, seat):
        return {line for line in lines if all(state.board[point] == MEN[seat] for point in line)}

    for before, move, after, events in playout(options, seed):
        if move.to:
            closed = standing(after, before.turn) - standing(before, before.turn)
            assert any(isinstance(event, Milled) for event in events) == bool(closed)
            assert bool(after.takes) == bool(closed)


@given(any_preset, st.integers(0))
def test_legal_moves_are_the_moves_that_can_be_played(options, seed):
    steps = list(playout(options, seed))
    state = steps[seed % len(steps)][0]
    names = ("", *BOARDS[options.board].points)
    for start, to in set(product(names, names)) - {("", "")}:
        move = Move(start, to)
        if move in morris.legal_moves(state):
            morris.play(state, move)
        else:
            with pytest.raises(IllegalMove):
                morris.play(state, move)


@given(st.lists(st.integers(0, 9), min_size=30, max_size=60))
def test_repetition_is_what_comparing_whole_positions_finds(choices):
    """Each side shuffles one man between few points, so that positions come back in many ways."""
    ranges = [("a7", "f4", "g4", "d3"), ("g7", "e4", "f6", "b2")]
    state = State(NINE, 0, points(THREE_LEFT.replace(".---B---.", ".---.---.")), (0, 0))
    seen = [(state.board, state.turn)]
    for choice in choices:
        start = next(point for point in ranges[state.turn] if man_on(state, point) == MEN[state.turn])
        others = [point for point in ranges[state.turn] if point != start]
        state = morris.play(state, Move(start, others[choice % 3])).state
        seen.append((state.board, state.turn))
        assert (morris.outcome(state) is not None) == (seen.count(seen[-1]) >= 3)
        if morris.outcome(state):
            break
