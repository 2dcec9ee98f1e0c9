"""Who is paired with whom: the range widens with the wait."""

import random

import pytest

from lobby.pairing.matching import CLOSE, PATIENCE, WIDER, Waiting, couple, couples, widest


def waiting(*people):
    """Waiting people from (rating, since) pairs, numbered from 1."""
    return [Waiting(number, rating, since) for number, (rating, since) in enumerate(people, 1)]


class TestTheRange:
    def test_at_first_ratings_must_be_close(self):
        assert widest(0) == CLOSE

    def test_it_widens_every_second(self):
        assert widest(10) - widest(9) == WIDER

    def test_in_the_end_anybody_will_do(self):
        assert widest(PATIENCE) == float("inf")

    def test_a_clock_that_runs_ahead_does_not_narrow_it(self):
        assert widest(-30) == CLOSE


class TestCouples:
    def test_two_of_the_same_strength_are_paired_at_once(self):
        assert couples(waiting((1500, 0), (1500, 0)), set(), 0) == [(1, 2)]

    def test_one_alone_goes_on_waiting(self):
        assert couples(waiting((1500, 0)), set(), 1000) == []

    def test_nobody_waiting_makes_no_couple(self):
        assert couples([], set(), 0) == []

    def test_too_different_ratings_wait(self):
        assert couples(waiting((1500, 0), (1601, 0)), set(), 0) == []

    def test_until_the_wait_has_made_the_range_wide_enough(self):
        far = waiting((1500, 0), (1500 + CLOSE + 10 * WIDER, 0))
        assert couples(far, set(), 9.9) == []
        assert couples(far, set(), 10) == [(1, 2)]

    def test_the_longer_wait_of_the_two_counts(self):
        assert couples(waiting((1500, 0), (1700, 20)), set(), 20) == [(1, 2)]

    def test_after_a_minute_the_champion_meets_the_beginner(self):
        assert couples(waiting((800, 0), (2800, 55)), set(), PATIENCE) == [(1, 2)]

    def test_the_nearest_rating_is_taken(self):
        assert couples(waiting((1500, 0), (1560, 1), (1520, 2)), set(), 2) == [(1, 3)]

    def test_of_two_equally_near_the_one_who_has_waited_longer(self):
        assert couples(waiting((1500, 0), (1520, 2), (1480, 1)), set(), 2) == [(1, 3)]

    def test_whoever_has_waited_longest_chooses_first(self):
        assert couples(waiting((1500, 5), (1510, 0), (1521, 4)), set(), 5) == [(2, 1)]

    def test_those_who_must_not_meet_are_left_alone(self):
        assert couples(waiting((1500, 0), (1500, 0)), {couple(2, 1)}, 1000) == []

    def test_a_third_helps_out(self):
        assert couples(waiting((1500, 0), (1500, 1), (1500, 2)), {couple(1, 2)}, 2) == [(1, 3)]


@pytest.mark.parametrize("seed", range(20))
def test_nobody_is_in_two_couples_and_no_couple_is_left_over(seed):
    lot = random.Random(seed)
    people = waiting(*((lot.gauss(1500, 300), lot.uniform(0, 50)) for _ in range(60)))
    never = {couple(lot.randint(1, 60), lot.randint(1, 60)) for _ in range(100)}
    found = couples(people, never, 50)
    paired = [user for pair in found for user in pair]
    assert len(paired) == len(set(paired))
    assert not any(couple(*pair) in never for pair in found)
    left = [each for each in people if each.user not in paired]
    assert couples(left, never, 50) == []
