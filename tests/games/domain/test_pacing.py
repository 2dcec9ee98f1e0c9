"""How computer players behave beside their moves."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bots.base import Evaluation, MoveEvaluation
from games.domain import pacing


def look(share, proved=False):
    return Evaluation(0, (share, 1 - share), (MoveEvaluation("1", share),), proved)


class TestPause:
    def test_pause_within_human_range(self):
        pauses = [pacing.pause(Random(seed), None) for seed in range(500)]
        assert min(pauses) >= 0.4
        assert max(pauses) <= 2.0
        assert len(set(pauses)) > 400

    def test_pause_short_with_little_time_left(self):
        for left in (20_000, 4_000, 400, 0):
            assert all(pacing.pause(Random(seed), left) <= left / 40_000 + 1e-9 for seed in range(50))


class TestEffort:
    def test_effort_whole_without_clock_or_with_much_time(self):
        assert pacing.effort(None) == pacing.effort(600_000) == 1

    def test_effort_falls_with_time_left_but_stays_positive(self):
        efforts = [pacing.effort(left) for left in (30_000, 10_000, 1_000, 0)]
        assert efforts == sorted(efforts, reverse=True)
        assert efforts[0] == 1
        assert efforts[-1] > 0


@given(st.integers(20_000, 600_000), st.integers(0, 1000))
def test_a_clock_without_increment_lasts_for_any_match(left, seed):
    """Work of a second per move at most, as every player promises, and as much again for a slow machine."""
    rng = Random(seed)
    for _ in range(60):
        left -= round(1000 * (pacing.pause(rng, left) + 2 * pacing.effort(left)))
        assert left > 0


class TestDraws:
    @pytest.mark.parametrize("share", [0.0, 0.15])
    def test_draw_accepted_by_losing_side(self, share):
        assert pacing.accepts_draw(look(share), 0, 10)
        assert not pacing.accepts_draw(look(share), 1, 10)

    def test_a_level_game_is_played_on_until_it_is_long(self):
        assert not pacing.accepts_draw(look(0.5), 0, 10)
        assert pacing.accepts_draw(look(0.5), 0, pacing.LONG_GAME)

    def test_draw_accepted_early_when_proved(self):
        assert pacing.accepts_draw(look(0.5, proved=True), 0, 3)
        assert not pacing.accepts_draw(look(1.0, proved=True), 0, pacing.LONG_GAME)

    def test_draw_offered_at_intervals_in_long_level_games(self):
        plies = [ply for ply in range(200) if pacing.offers_now(ply)]
        assert plies[0] >= pacing.LONG_GAME
        # Whoever's turn it is after an even or an odd ply, one of two neighbours is the computer's.
        assert plies[:4] == [60, 61, 80, 81]
        assert pacing.offers_draw(look(0.52), 0)
        assert not pacing.offers_draw(look(0.6), 0)
        assert not pacing.offers_draw(look(0.4), 0)
