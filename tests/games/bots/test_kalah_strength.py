"""The levels of Kalah keep their distances: `bench.strength.kalah` in short, with fixed random numbers."""

from functools import partial
from random import Random

import pytest

from bench.strength.arena import played, randomly
from bench.strength.kalah import HIGHEST, on_level, won_against_tree_search
from games.rules import kalah
from tests.helpers.samples import in_full, sample

EFFORT = 0.02
"""What the highest level is held to here; with all of it, it is better still."""


def level(number):
    return partial(on_level, number, effort=EFFORT)


def rate(one, other, preset, games) -> float:
    """The share of the win that `one` gets, with the first move in half of the games."""
    won = 0.0
    for number in range(games):
        rng, seat = Random(f"{preset}.{number // 2}"), number % 2
        choosers = (one, other) if seat == 0 else (other, one)
        won += played(kalah, kalah.setup(kalah.PRESETS[preset]), choosers, rng)[seat]
    return won / games


every_preset = pytest.mark.parametrize("preset", in_full(*kalah.PRESETS))


@every_preset
def test_a_child_can_beat_the_lowest_level(preset):
    assert 0.55 <= rate(level(1), partial(randomly, "kalah"), preset, 200) <= 0.75


@every_preset
@pytest.mark.parametrize("number", range(2, HIGHEST + 1))
def test_each_level_beats_the_one_below(number, preset):
    games = sample(60, 30) if number < HIGHEST - 1 else sample(20, 10)
    assert rate(level(number), level(number - 1), preset, games) >= 0.55


@pytest.mark.full
@pytest.mark.parametrize("number", [0, 1])
def test_the_highest_level_beats_monte_carlo_tree_search(number):
    assert won_against_tree_search(number, simulations=1000, effort=EFFORT) == 1
