"""Strength at Nine Men's Morris, by a few games each; docs/explanation/strength.md has the full figures."""

from functools import partial
from random import Random

import pytest

from bench.strength import morris as strength
from bench.strength.arena import played, randomly
from games.bots import morris as player
from games.rules import morris
from games.rules.morris import PRESETS
from tests.helpers.samples import in_full, sample


def won(one, other, games, preset="nine"):
    """The share of the win of one player, seats swapped."""
    total = 0.0
    for number in range(games):
        seat, rng = number % 2, Random(number)
        choosers = (one, other) if seat == 0 else (other, one)
        total += played(morris, morris.setup(PRESETS[preset]), choosers, rng)[seat]
    return total / games


def playing(level, effort=1.0):
    return lambda state, rng: player.choose(state, level, effort, rng)


def test_the_first_level_is_better_than_chance_and_can_be_beaten():
    assert 0.5 < won(playing(1), partial(randomly, "morris"), 40) < 0.85


@pytest.mark.parametrize("preset", in_full(*PRESETS))
@pytest.mark.parametrize("level", [2, 3, 4, 5, 6])
def test_each_level_beats_the_one_below(level, preset):
    assert won(playing(level), playing(level - 1), sample(20, 10), preset) >= 0.55


@pytest.mark.parametrize("preset", in_full(*PRESETS))
def test_the_last_levels_beat_those_below(preset):
    assert won(playing(7, 0.1), playing(5), 6, preset) > 0.6
    assert won(playing(8, 0.02), playing(6), 4, preset) > 0.6


def test_learned_values_beat_values_set_by_hand():
    learned, by_hand = (partial(strength.judging, knows, 2_000) for knows in (True, False))
    assert won(learned, by_hand, sample(20, 8)) > 0.6


def test_the_tables_win_a_long_ending_against_the_best_defence():
    ending = next(strength.won_endings(1))
    assert strength.is_won(playing(8), ending, 1)


@pytest.mark.full
def test_the_best_level_does_not_lose_to_a_tree_search_with_playouts(monkeypatch):
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(strength, "PLAYOUTS", 500)
    monkeypatch.setattr(player, "SKILLS", (*player.SKILLS[:-1], player.SKILLS[-1]._replace(nodes=30_000)))
    assert [strength.foreign_match(number) for number in range(2)] == [1, 1]
