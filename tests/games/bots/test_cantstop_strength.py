"""The levels of Can't Stop keep their distance; `make strength` measures it in earnest."""

from random import Random

import pytest

from bench.strength.arena import played
from bench.strength.cantstop_matches import BEST, CARELESS, GLENN, KELLER, matches
from games.bots import cantstop as bot
from games.rules import cantstop as rules

ALONE = 10_000
BEST_ALONE = 1_500
PAIRS = 4_000
BEST_PAIRS = 1_000
SEVERAL = 400


@pytest.mark.full
@pytest.mark.parametrize(("level", "least", "most"), [(KELLER, 10.5, 10.9), (GLENN, 9.15, 9.55)])
def test_the_published_heuristics_need_the_turns_they_are_known_for(level, least, most):
    _, turns = matches((level,), ALONE)
    assert least < turns / ALONE < most


@pytest.mark.full
def test_the_best_level_needs_fewer_turns_alone_than_any_published_heuristic():
    _, turns = matches((BEST,), BEST_ALONE)
    assert turns / BEST_ALONE < 8.7


@pytest.mark.full
@pytest.mark.parametrize(("better", "worse"), [(KELLER, CARELESS), (GLENN, KELLER)])
@pytest.mark.parametrize("strict", [False, True], ids=["published", "strict"])
def test_a_level_beats_the_one_below(better, worse, strict):
    wins, _ = matches((better, worse), PAIRS, strict)
    assert wins > PAIRS * 0.53


@pytest.mark.full
@pytest.mark.parametrize("strict", [False, True], ids=["published", "strict"])
def test_the_best_level_beats_the_best_heuristic(strict):
    wins, _ = matches((BEST, GLENN), BEST_PAIRS, strict)
    assert wins > BEST_PAIRS * 0.53


@pytest.mark.full
@pytest.mark.parametrize("seats", [3, 4])
def test_the_best_level_wins_more_than_its_part_against_several(seats):
    wins, _ = matches((BEST, *[GLENN] * (seats - 1)), SEVERAL)
    assert wins > SEVERAL * 1.1 / seats


def test_the_best_level_beats_the_lowest():
    won = 0.0
    for number in range(10):
        seat, rng = number % 2, Random(number)
        choosers = (best, lowest) if seat == 0 else (lowest, best)
        won += played(rules, rules.setup(rules.PRESETS["published"], 2), choosers, rng)[seat]
    assert won >= 7


def best(state, rng):
    return bot.choose(state, BEST, 1, rng)


def lowest(state, rng):
    return bot.choose(state, CARELESS, 1, rng)
