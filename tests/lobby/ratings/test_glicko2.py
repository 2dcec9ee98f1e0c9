"""Glicko-2 against its author's example, a case far from the average, and what must hold of any match."""

from math import exp, log, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.ratings.glicko2 import (
    LEAST_DEVIATION,
    MOST_DEVIATION,
    MOST_VOLATILITY,
    SCALE,
    TAU,
    Strength,
    aged,
    rate,
)

STRANGER = Strength()

ratings = st.floats(200, 3400)
deviations = st.floats(LEAST_DEVIATION, MOST_DEVIATION)
periods = st.floats(0, 1000)
players = st.builds(Strength, ratings, deviations, st.floats(0.03, 0.12))
scores = st.sampled_from((0.0, 0.5, 1.0))


def by_halving(player, games):
    """The formulas as the paper prints them, the equation solved by halving near where it was."""
    mu, phi = (player.rating - 1500) / SCALE, player.deviation / SCALE
    others = [((o.rating - 1500) / SCALE, o.deviation / SCALE, score) for o, score in games]

    def g(phi):
        return 1 / sqrt(1 + 3 * phi**2 / pi**2)

    def expected(mu_j, phi_j):
        return 1 / (1 + exp(-g(phi_j) * (mu - mu_j)))

    v = 1 / sum(g(p) ** 2 * expected(m, p) * (1 - expected(m, p)) for m, p, _ in others)
    delta = v * sum(g(p) * (s - expected(m, p)) for m, p, s in others)
    a = log(player.volatility**2)

    def f(x):
        return exp(x) * (delta**2 - phi**2 - v - exp(x)) / (2 * (phi**2 + v + exp(x)) ** 2) - (x - a) / TAU**2

    step = 0.01 if f(a) > 0 else -0.01
    low = a
    while f(low) * f(low + step) > 0 and low < log(MOST_VOLATILITY**2):
        low += step
    high = low + step
    while abs(high - low) > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) * f(low) > 0 else (low, middle)
    sigma = min(exp(low / 2), MOST_VOLATILITY)
    new_phi = 1 / sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    new_mu = mu + new_phi**2 * sum(g(p) * (s - expected(m, p)) for m, p, s in others)
    return SCALE * new_mu + 1500, SCALE * new_phi, sigma


def test_glickmans_example():
    games = [(Strength(1400, 30), 1.0), (Strength(1550, 100), 0.0), (Strength(1700, 300), 0.0)]
    after = rate(Strength(1500, 200, 0.06), games)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)
    assert after.volatility == pytest.approx(by_halving(Strength(1500, 200, 0.06), games)[2], abs=1e-6)


@pytest.mark.parametrize(("deviation", "rating"), [(30, 2450.72), (50, 2451.93)])
def test_ten_losses_far_from_the_average(deviation, rating):
    """Whoever takes the rating for the deviation is found out here, not at 1500."""
    after = rate(Strength(2600, 50, 0.06), [(Strength(1500, deviation), 0.0)] * 10)
    assert after.rating == pytest.approx(rating, abs=0.01)
    assert after.volatility == pytest.approx(0.0614, abs=5e-5)


@given(players, st.lists(st.tuples(players, scores), min_size=1, max_size=10))
def test_the_papers_formulas_written_as_printed_agree(player, games):
    after = rate(player, games)
    rating, deviation, volatility = by_halving(player, games)
    assert after.volatility == pytest.approx(volatility, abs=1e-6)
    assert after.rating == pytest.approx(rating, abs=0.05)
    bounded = min(max(deviation, LEAST_DEVIATION), MOST_DEVIATION)
    assert after.deviation == pytest.approx(bounded, abs=0.05)


@given(players, players, periods)
def test_winning_never_lowers_and_losing_never_raises(player, other, periods):
    assert rate(player, [(other, 1.0)], periods).rating >= player.rating
    assert rate(player, [(other, 0.0)], periods).rating <= player.rating


@given(players, players, periods)
def test_a_draw_lies_between(player, other, periods):
    lost, drawn, won = (rate(player, [(other, score)], periods).rating for score in (0.0, 0.5, 1.0))
    assert lost <= drawn <= won


@given(players, st.floats(0, 100))
def test_rate_between_equals_is_symmetric(player, periods):
    won, lost = (rate(player, [(player, score)], periods) for score in (1.0, 0.0))
    assert won.rating - player.rating == pytest.approx(player.rating - lost.rating, abs=1e-6)
    assert won.deviation == pytest.approx(lost.deviation)


@given(players, players, scores)
def test_the_world_upside_down_is_the_same_world(player, other, score):
    """Mirrored at the average, wins for losses, everything comes out mirrored."""
    after = rate(player, [(other, score)])
    mirrored = rate(
        player._replace(rating=3000 - player.rating),
        [(other._replace(rating=3000 - other.rating), 1 - score)],
    )
    assert mirrored.rating == pytest.approx(3000 - after.rating, abs=1e-3)
    assert mirrored.deviation == pytest.approx(after.deviation, abs=1e-3)


@given(players, st.lists(st.tuples(players, scores, periods), max_size=30))
def test_the_deviation_stays_within_its_bounds(player, matches):
    for other, score, since in matches:
        player = rate(player, [(other, score)], since)
        assert LEAST_DEVIATION <= player.deviation <= MOST_DEVIATION
        assert 0 < player.volatility < 1


@given(players, st.floats(0, 100), st.floats(0, 100))
def test_time_alone_makes_a_rating_less_certain_and_nothing_else(player, some, more):
    once, twice = aged(player, some + more), aged(aged(player, some), more)
    assert once.deviation >= player.deviation
    assert once.deviation == pytest.approx(twice.deviation)
    assert (once.rating, once.volatility) == (player.rating, player.volatility)


def test_no_time_makes_no_difference():
    assert aged(STRANGER, 0) == STRANGER


@pytest.mark.parametrize("strength", [1000, 1500, 2100])
def test_a_stranger_comes_to_be_rated_as_they_play(strength):
    """Results as the formula expects them of somebody of that strength, against known players of 1500."""
    other = Strength(1500, 30)
    expected = 1 / (1 + 10 ** (-(strength - 1500) / 400))
    player, owed = STRANGER, 0.0
    for _ in range(400):
        owed += expected
        score = 1.0 if owed >= 1 else 0.0
        owed -= score
        player = rate(player, [(other, score)], 0.1)
    assert player.rating == pytest.approx(strength, abs=60)
    assert player.deviation < 110


def test_a_loss_against_all_odds_does_not_throw_a_rating_off_the_scale():
    after = rate(Strength(2000, 30), [(Strength(600, 30), 0.0)])
    assert 1900 < after.rating < 2000
    assert after.volatility < 0.07


def test_thirteen_matches_between_strangers_make_ratings_that_mean_something():
    player = STRANGER
    for number in range(13):
        player = rate(player, [(player, float(number % 2))], 0.01)
    assert player.deviation < 110


def test_aged_after_a_year_is_provisional():
    known = Strength(1600, 60)
    assert aged(known, 365 / 5).deviation < 110
    assert aged(known, 400 / 5).deviation > 110
