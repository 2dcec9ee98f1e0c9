"""Who is paired with whom: the range widens with the wait."""

import random
from itertools import combinations

import pytest

from lobby.pairing.matching import FIRST_RANGE, PATIENCE, RANGE_PER_SECOND, Waiting, couple, groups, widest


def waiting(*people):
    """Waiting people from (rating, since) pairs, numbered from 1."""
    return [Waiting(number, rating, since) for number, (rating, since) in enumerate(people, 1)]


def couples(people, never, now):
    return groups(people, 2, never, now)


class TestTheRange:
    def test_range_narrow_at_first(self):
        assert widest(0) == FIRST_RANGE

    def test_range_widens_every_second(self):
        assert widest(10) - widest(9) == RANGE_PER_SECOND

    def test_range_unlimited_after_patience(self):
        assert widest(PATIENCE) == float("inf")

    def test_a_clock_that_runs_ahead_does_not_narrow_it(self):
        assert widest(-30) == FIRST_RANGE


class TestCouples:
    def test_two_of_the_same_strength_are_paired_at_once(self):
        assert couples(waiting((1500, 0), (1500, 0)), set(), 0) == [(1, 2)]

    def test_one_alone_goes_on_waiting(self):
        assert couples(waiting((1500, 0)), set(), 1000) == []

    def test_couples_empty_without_players(self):
        assert couples([], set(), 0) == []

    def test_couples_wait_with_distant_ratings(self):
        assert couples(waiting((1500, 0), (1601, 0)), set(), 0) == []

    def test_couples_formed_once_range_wide_enough(self):
        far = waiting((1500, 0), (1500 + FIRST_RANGE + 10 * RANGE_PER_SECOND, 0))
        assert couples(far, set(), 9.9) == []
        assert couples(far, set(), 10) == [(1, 2)]

    def test_the_longer_wait_of_the_two_counts(self):
        assert couples(waiting((1500, 0), (1700, 20)), set(), 20) == [(1, 2)]

    def test_couples_of_any_ratings_after_a_minute(self):
        assert couples(waiting((800, 0), (2800, 55)), set(), PATIENCE) == [(1, 2)]

    def test_the_nearest_rating_is_taken(self):
        assert couples(waiting((1500, 0), (1560, 1), (1520, 2)), set(), 2) == [(1, 3)]

    def test_couples_prefer_longer_wait_when_equally_near(self):
        assert couples(waiting((1500, 0), (1520, 2), (1480, 1)), set(), 2) == [(1, 3)]

    def test_couples_longest_wait_chooses_first(self):
        assert couples(waiting((1500, 5), (1510, 0), (1521, 4)), set(), 5) == [(2, 1)]

    def test_couples_exclude_blocked_pairs(self):
        assert couples(waiting((1500, 0), (1500, 0)), {couple(2, 1)}, 1000) == []

    def test_a_third_helps_out(self):
        assert couples(waiting((1500, 0), (1500, 1), (1500, 2)), {couple(1, 2)}, 2) == [(1, 3)]


class TestMoreThanTwo:
    def test_three_of_the_same_strength_are_gathered_at_once(self):
        assert groups(waiting((1500, 0), (1500, 1), (1500, 2)), 3, set(), 2) == [(1, 2, 3)]

    def test_two_of_three_go_on_waiting(self):
        assert groups(waiting((1500, 0), (1500, 0)), 3, set(), 1000) == []

    def test_four_do_not_wait_for_a_fifth(self):
        people = waiting((1500, 0), (1500, 1), (1500, 2), (1500, 3), (1500, 4))
        assert groups(people, 4, set(), 4) == [(1, 2, 3, 4)]

    def test_the_nearest_ratings_are_taken(self):
        people = waiting((1500, 0), (1580, 1), (1490, 2), (1520, 3))
        assert groups(people, 3, set(), 3) == [(1, 3, 4)]

    def test_any_two_are_within_the_range_that_their_waits_have_opened(self):
        assert groups(waiting((1500, 0), (1590, 0), (1410, 0)), 3, set(), 0) == []
        assert groups(waiting((1500, 0), (1590, 0), (1500, 0)), 3, set(), 0) == [(1, 3, 2)]

    def test_the_longer_wait_of_each_two_counts(self):
        # The first would have either, these two not yet each other.
        people = waiting((1500, 0), (1700, 10), (1300, 10))
        assert groups(people, 3, set(), 20) == []
        assert groups(people, 3, set(), 30) == [(1, 2, 3)]

    def test_groups_of_any_ratings_after_a_minute(self):
        people = waiting((800, 0), (2800, 0), (1500, 55))
        assert groups(people, 3, set(), PATIENCE) == [(1, 3, 2)]

    def test_groups_exclude_blocked_pairs(self):
        people = waiting((1500, 0), (1500, 1), (1500, 2))
        assert groups(people, 3, {couple(2, 3)}, 1000) == []

    def test_groups_replace_one_of_blocked_pair(self):
        people = waiting((1500, 0), (1500, 1), (1500, 2), (1500, 3))
        assert groups(people, 3, {couple(2, 3)}, 3) == [(1, 2, 4)]

    def test_groups_skip_nearest_player_with_blocks(self):
        # The second is nearest to the first, and goes with nobody else.
        people = waiting((1500, 0), (1501, 0), (1560, 0), (1570, 0))
        assert groups(people, 3, {couple(2, 3), couple(2, 4)}, 0) == [(1, 3, 4)]


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("seed", range(10))
def test_groups_disjoint_and_maximal(seed, size):
    lot = random.Random(seed)
    people = waiting(*((lot.gauss(1500, 300), lot.uniform(0, 50)) for _ in range(50)))
    never = {couple(lot.randint(1, 50), lot.randint(1, 50)) for _ in range(150)}
    found = groups(people, size, never, 50)
    gathered = [user for group in found for user in group]
    assert {len(group) for group in found} == {size}
    assert len(gathered) == len(set(gathered))
    known = {each.user: each for each in people}
    for group in found:
        for one, other in combinations([known[user] for user in group], 2):
            assert couple(one.user, other.user) not in never
            assert abs(one.rating - other.rating) <= widest(50 - min(one.since, other.since))
    left = [each for each in people if each.user not in gathered]
    assert groups(left, size, never, 50) == []


@pytest.mark.parametrize("seed", range(20))
def test_couples_disjoint_and_maximal(seed):
    lot = random.Random(seed)
    people = waiting(*((lot.gauss(1500, 300), lot.uniform(0, 50)) for _ in range(60)))
    never = {couple(lot.randint(1, 60), lot.randint(1, 60)) for _ in range(100)}
    found = couples(people, never, 50)
    paired = [user for pair in found for user in pair]
    assert len(paired) == len(set(paired))
    assert not any(couple(*pair) in never for pair in found)
    left = [each for each in people if each.user not in paired]
    assert couples(left, never, 50) == []
