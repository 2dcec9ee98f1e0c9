"""The levels of Can't Stop keep their distance; `make strength` measures it in earnest."""

import pytest

from bench.strength.cantstop_matches import BEST, CARELESS, GLENN, KELLER, matches
from tests.helpers.samples import in_full, sample

ALONE = 10_000
BEST_ALONE = 1_500
PAIRS = sample(4_000, 500)
BEST_PAIRS = sample(1_000, 250)
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


@pytest.mark.parametrize(("better", "worse"), [(KELLER, CARELESS), (GLENN, KELLER)])
@pytest.mark.parametrize("strict", in_full(False, True), ids=in_full("published", "strict"))
def test_a_level_beats_the_one_below(better, worse, strict):
    wins, _ = matches((better, worse), PAIRS, strict)
    assert wins > PAIRS * 0.53


@pytest.mark.parametrize("strict", in_full(False, True), ids=in_full("published", "strict"))
def test_the_best_level_beats_the_best_heuristic(strict):
    wins, _ = matches((BEST, GLENN), BEST_PAIRS, strict)
    assert wins > BEST_PAIRS * 0.53


@pytest.mark.full
@pytest.mark.parametrize("seats", [3, 4])
def test_the_best_level_wins_more_than_its_part_against_several(seats):
    wins, _ = matches((BEST, *[GLENN] * (seats - 1)), SEVERAL)
    assert wins > SEVERAL * 1.1 / seats
