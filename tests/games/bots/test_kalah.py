"""The computer player of Kalah: legal, the same again, right about swaps and whatever it proves."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots import kalah as player
from games.bots.kalah_kernel import WON, Tree
from games.bots.kalah_levels import LEVELS
from games.rules import kalah
from games.rules.kalah import PRESETS, SWAP, Options, State
from tests.helpers.samples import sample

HIGHEST = len(LEVELS)
LITTLE = 0.01
"""An effort that keeps tests quick."""

every_level = pytest.mark.parametrize("level", range(1, HIGHEST + 1))
every_preset = pytest.mark.parametrize("preset", PRESETS)
ANY_OPTIONS = st.builds(
    Options,
    pits=st.integers(1, 6),
    seeds=st.integers(1, 6),
    sow_both_stores=st.booleans(),
    empty_capture=st.booleans(),
    pie=st.booleans(),
)


def reached(options, plies, rng) -> State:
    """A position that is not over, some random plies after the start."""
    state = kalah.setup(options)
    for _ in range(plies):
        after = kalah.play(state, rng.choice(kalah.legal_moves(state))).state
        if after.ended:
            break
        state = after
    return state


@cache
def perfect_lead(state, seat) -> int:
    """The lead of a seat at the end if both play perfectly, by the rules alone."""
    if state.ended:
        return state.ended.scores[seat] - state.ended.scores[1 - seat]
    leads = [perfect_lead(kalah.play(state, move).state, seat) for move in kalah.legal_moves(state)]
    return max(leads) if state.turn == seat else min(leads)


def perfect_leads(state) -> dict[str, int]:
    """That of the seat on turn after each of its moves."""
    return {
        str(move): perfect_lead(kalah.play(state, move).state, state.turn)
        for move in kalah.legal_moves(state)
    }


def test_skills_cover_every_level_that_looks_ahead_but_highest():
    assert len(player.SKILLS) == sum(level.choose is None for level in LEVELS) - 1


# Choosing


@every_level
@every_preset
def test_choices_are_legal_and_the_same_for_the_same_random_numbers(level, preset):
    for number in range(6):
        state = reached(PRESETS[preset], 5 * number, Random(number))
        move = player.choose(state, level, LITTLE, Random(number))
        assert move in kalah.legal_moves(state)
        assert move == player.choose(state, level, LITTLE, Random(number))


@settings(deadline=None, max_examples=sample(60, 25))
@given(ANY_OPTIONS, st.integers(0, 30), st.integers(1, HIGHEST), st.integers(0, 1000))
def test_choices_are_legal_under_any_options(options, plies, level, seed):
    state = reached(options, plies, Random(seed))
    assert player.choose(state, level, LITTLE, Random(seed)) in kalah.legal_moves(state)


@every_level
def test_a_move_that_is_the_only_one_is_made(level):
    state = State(PRESETS["classic"], 1, (1, 1, 1, 1, 1, 1, 12, 0, 0, 0, 4, 0, 0, 26))
    assert player.choose(state, level, 1, Random(1)) == kalah.Move(4)


def test_moves_of_equal_worth_are_chosen_by_chance():
    state = State(PRESETS["classic"], 0, (1, 1, 1, 0, 1, 1, 25, 0, 1, 0, 1, 0, 0, 16))
    leads = perfect_leads(state)
    best = {move for move, lead in leads.items() if lead == max(leads.values())}
    assert best == {"2", "3", "5", "6"}
    assert {str(player.choose(state, HIGHEST, LITTLE, Random(seed))) for seed in range(40)} == best


def test_effort_is_the_part_of_the_positions_visited(monkeypatch):
    trees, make = [], Tree

    def noted(*args):
        trees.append(make(*args))
        return trees[-1]

    monkeypatch.setattr(player, "Tree", noted)
    for effort in (0.01, 0.1):
        player.choose(kalah.setup(PRESETS["classic"]), HIGHEST, effort, Random(1))
    assert [tree.nodes for tree in trees] == [int(player.POSITIONS * effort) + 2 for effort in (0.01, 0.1)]


# What is proved


@every_preset
def test_a_win_that_is_proved_is_never_lost(preset):
    proved = 0
    for number in range(sample(16, 8)):
        rng, seat = Random(f"{preset}.{number}"), number % 2
        state, winning = reached(PRESETS[preset], 4, rng), False
        while not state.ended:
            if state.turn == seat:
                winning = winning or wins(state, rng)
                move = player.choose(state, HIGHEST, LITTLE, rng)
            else:
                move = player.choose(state, rng.choice((1, 6, HIGHEST)), 2 * LITTLE, rng)
            state = kalah.play(state, move).state
        assert not winning or state.ended.winners == (seat,)
        proved += winning
    assert proved >= sample(4, 2)


def wins(state, rng) -> bool:
    """Whether the highest level, asked with these random numbers, would prove a win."""
    same = Random(0)
    same.setstate(rng.getstate())
    root = player.root_of(state, WON, int(player.POSITIONS * LITTLE) + 1)
    return player.deepened(root, same).value >= WON


SMALL = st.builds(
    Options,
    pits=st.integers(1, 3),
    seeds=st.integers(1, 2),
    sow_both_stores=st.booleans(),
    empty_capture=st.booleans(),
    pie=st.booleans(),
)


@settings(deadline=None, max_examples=sample(80, 30))
@given(SMALL, st.integers(0, 6), st.integers(0, 1000))
def test_small_boards_are_played_perfectly_and_looked_at_exactly(options, plies, seed):
    state = reached(options, plies, Random(seed))
    leads = perfect_leads(state)
    best = max(leads.values())
    assert leads[str(player.choose(state, HIGHEST, 1, Random(seed)))] == best
    look = player.look(state, 2, Random(seed))
    assert look.proved
    assert {prospect.move: prospect.score for prospect in look.moves} == leads
    for prospect in look.moves:
        assert prospect.share == 0.5 + 0.5 * ((prospect.score > 0) - (prospect.score < 0))
    assert look.moves[0].score == best
    assert look.shares[state.turn] == look.moves[0].share


# The pie rule

PIE = {name: replace(options, pie=True) for name, options in PRESETS.items()}


@pytest.mark.parametrize("level", range(3, HIGHEST + 1))
@every_preset
def test_the_better_side_is_taken(level, preset):
    side = (3,) * 6
    behind = State(PIE[preset], 1, (*side, 9, *side, 0), swapper=1)
    assert player.choose(behind, level, LITTLE, Random(2)) == SWAP
    ahead = State(PIE[preset], 1, (*side, 0, *side, 9), swapper=1)
    assert player.choose(ahead, level, LITTLE, Random(2)) != SWAP


@every_preset
def test_a_first_move_is_worth_what_is_left_after_the_better_side_was_taken(preset, monkeypatch):
    monkeypatch.setattr(player, "POSITIONS_OF_A_LOOK", 50_000)
    look = player.look(kalah.setup(PIE[preset]), 2, Random(1))
    assert all(prospect.score <= 0 for prospect in look.moves)


# Looking


@every_preset
def test_a_look_orders_every_legal_move_by_its_share(preset, monkeypatch):
    monkeypatch.setattr(player, "POSITIONS_OF_A_LOOK", 50_000)
    for number in range(4):
        state = reached(PIE[preset], 6 * number + 1, Random(number))
        look = player.look(state, 2, Random(number))
        assert look.seat == state.turn
        assert {each.move for each in look.moves} == {str(move) for move in kalah.legal_moves(state)}
        ordered = sorted(look.moves, key=lambda each: (each.share, each.score), reverse=True)
        assert list(look.moves) == ordered
        assert sum(look.shares) == pytest.approx(1)
        assert look.shares[state.turn] == look.moves[0].share
        assert all(0 <= each.share <= 1 for each in look.moves)
