"""Ratings made by agreement: what the same people play with each other moves them a few times a day."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from games.registry import GAMES
from lobby.people.models import User
from lobby.ratings.farming import A_DAY, ENOUGH_OPPONENTS
from lobby.ratings.leaderboards import Leaderboard
from lobby.ratings.models import Pool, Rating, Result
from lobby.ratings.results import settle
from tests.helpers import finished

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
KALAH = GAMES["kalah"]


@pytest.fixture
def people(db):
    return [User.objects.create_user(f"Player{number}") for number in range(ENOUGH_OPPONENTS + 1)]


def beat(winner, *losers, times=1, at=NOON, **terms):
    for loser in losers:
        for _ in range(times):
            settle(finished.won([winner, loser], at=at, **terms).pk)


def rating(user):
    return Rating.objects.get(user=user, family="classic")


def test_the_same_two_move_their_ratings_so_often_a_day(people):
    one, other, third, *_ = people
    beat(one, other, times=A_DAY)
    before = rating(one).rating, rating(other).rating
    beat(one, other)
    beat(other, one)
    assert (rating(one).rating, rating(other).rating) == before
    assert Result.objects.filter(user=one, rated=True).count() == A_DAY
    beat(one, third)
    assert rating(one).rating > before[0]


def test_the_next_day_they_do_so_again(people):
    one, other, *_ = people
    beat(one, other, times=A_DAY)
    beat(one, other, at=NOON + timedelta(days=1, seconds=1))
    assert rating(one).matches == A_DAY + 1


def test_other_rules_are_another_rating(people):
    one, other, *_ = people
    beat(one, other, times=A_DAY)
    beat(one, other, options=KALAH.rules.PRESETS["kalaha"])
    assert Rating.objects.get(user=one, family="kalaha").matches == 1


def test_four_that_resign_to_a_fifth_put_nobody_first(people):
    """As it was tried: in three minutes a new account stood above everybody."""
    winner, *losers = people[:5]
    with time_machine.travel(NOON, tick=False):
        User.objects.update(date_joined=NOON)
        beat(winner, *losers, times=A_DAY + 1)
        assert rating(winner).matches == 4 * A_DAY
        # However sure one may be of such a rating.
        Rating.objects.update(deviation=60)
        assert Leaderboard(KALAH, "classic", Pool.TWO, winner).top == []
    with time_machine.travel(NOON + timedelta(days=30), tick=False):
        board = Leaderboard(KALAH, "classic", Pool.TWO, winner)
    assert board.top == []
    assert "you have met 4 of the 5 opponents" in board.unranked


def test_matches_that_are_settled_together_count_one_after_the_other(people):
    one, other, third, *_ = people
    pairs = [(one, other)] * (A_DAY + 1) + [(third, one)]
    settle(*[finished.won(pair, at=NOON).pk for pair in pairs])
    assert Result.objects.filter(user=other, rated=True).count() == A_DAY
    assert rating(one).matches == A_DAY + 1
    assert rating(one).opponents == 2


def test_leaderboard_place_needs_enough_opponents(people):
    winner, *losers = people
    with time_machine.travel(NOON, tick=False):
        User.objects.update(date_joined=NOON - timedelta(days=3))
        beat(winner, *losers)
        Rating.objects.update(deviation=60)
        assert rating(winner).opponents == ENOUGH_OPPONENTS
        assert {rating(loser).opponents for loser in losers} == {1}
        (first,) = Leaderboard(KALAH, "classic", Pool.TWO, winner).top
    assert first.rating.user == winner
