"""Estimates of how difficult puzzles are."""

import pytest

from games.puzzles import collection, difficulty


@pytest.mark.parametrize("slug", collection.by_game())
def test_estimates_cover_all_puzzles_of_a_game_and_its_range(slug):
    estimates = difficulty.estimates(slug)
    assert estimates.keys() == collection.by_game()[slug].keys()
    assert (min(estimates.values()), max(estimates.values())) == (difficulty.LEAST, difficulty.MOST)


def test_what_looks_far_ahead_is_difficult():
    morris, estimates = collection.by_game()["morris"], difficulty.estimates("morris")
    by_turns = {
        turns: [estimates[key] for key, each in morris.items() if each.turns == turns] for turns in (3, 7)
    }
    assert max(by_turns[3]) < min(by_turns[7])


def test_a_narrow_choice_is_difficult():
    kalah, estimates = collection.by_game()["kalah"], difficulty.estimates("kalah")
    narrow, wide = (
        [estimates[key] for key, each in kalah.items() if each.best - each.second == gap] for gap in (2, 12)
    )
    assert max(wide) < min(narrow)
