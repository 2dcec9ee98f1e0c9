"""Team battles: nobody meets a player of the same club, and the best of each club count."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lobby.tournaments.formats.base import Player, Standing
from lobby.tournaments.formats.team_standings import team_standings
from tests.helpers.events import event, random_result
from tests.helpers.samples import sample


def of_clubs(*sizes):
    """A battle of clubs with so many players, who are seeded club by club."""
    held = event("team_battle", sum(sizes))
    clubs = [club for club, size in enumerate(sizes) for _ in range(size)]
    held.players = [Player(100 + seed, seed, team=club) for seed, club in enumerate(clubs, 1)]
    return held


def club_of(held):
    return {player.id: player.team for player in held.players}


@given(sizes=st.lists(st.integers(1, 6), min_size=2, max_size=6), seed=st.integers(0, 10**6))
@settings(max_examples=sample(200, 40), deadline=None)
def test_players_of_a_club_never_meet_and_as_many_as_can_be_play(sizes, seed):
    chance, held = Random(seed), of_clubs(*sizes)
    club = club_of(held)
    for _wave in range(6):
        busy = {player for pairing in held.open for player in pairing.seats}
        free = [player.id for player in held.players if player.id not in busy and chance.random() < 0.8]
        chance.shuffle(free)
        patient = free if chance.random() < 0.5 else ()
        new = held.pair(*free, patient=patient)
        assert all(club[one] != club[other] for one, other in (pairing.seats for pairing in new))
        if patient and free:
            # Those who have just met may meet again, so that only clubs keep players apart.
            largest = max(Counter(club[player] for player in free).values())
            assert len(new) == min(len(free) // 2, len(free) - largest)
        for pairing in held.open:
            if chance.random() < 0.7:
                held.end(pairing, *random_result(chance)(pairing))


@pytest.mark.parametrize("sizes", [(20,) * 10, (20,) * 9, (1,) * 5 + (30,)])
def test_clubs_that_are_seeded_one_after_another_are_paired_at_once(sizes):
    held = of_clubs(*sizes)
    new = held.pair(*(player.id for player in held.players))
    assert len(new) == min(sum(sizes) // 2, sum(sizes) - max(sizes))


def test_who_has_waited_longest_plays_when_a_club_has_too_many():
    held = of_clubs(3, 1)
    (pairing,) = held.pair(103, 101, 104, 102)
    assert set(pairing.seats) == {103, 104}


def test_last_opponents_exchange_theirs():
    held = of_clubs(2, 2)
    everybody = [player.id for player in held.players]
    meetings = []
    for _ in range(3):
        meetings.append({frozenset(pairing.seats) for pairing in held.pair(*everybody)})
        held.end_all()
    assert all(len(wave) == 2 for wave in meetings)
    assert not meetings[0] & meetings[1]
    assert not meetings[1] & meetings[2]


def lines(*points):
    """The standings of players 1, 2, …, by their points; None has not played."""
    return [Standing(each, None, one or 0, played=one is not None) for each, one in enumerate(points, 1)]


def ranked(clubs, points, team_size):
    """Rank and points by club; `clubs` has the club of each player."""
    players = [Player(each, each, team=ord(club)) for each, club in enumerate(clubs, 1)]
    found = team_standings(players, lines(*points), team_size)
    return {chr(line.team): (line.rank, line.points) for line in found}


@pytest.mark.parametrize(
    ("clubs", "points", "team_size", "places"),
    [
        # Only the best count.
        ("AAABB", (4, 3, 9, 6, 6), 2, {"A": (1, 13), "B": (2, 12)}),
        # A club with fewer players has fewer points.
        ("AAB", (2, 2, 3), 2, {"A": (1, 4), "B": (2, 3)}),
        # Equal clubs: the best player decides, then the second best.
        ("AABB", (5, 1, 4, 2), 2, {"A": (1, 6), "B": (2, 6)}),
        ("AABBCC", (5, 1, 1, 5, 0, 6), 2, {"C": (1, 6), "A": (2, 6), "B": (2, 6)}),
        # Where all count, equal clubs share the place.
        ("AABB", (5, 1, 4, 2), None, {"A": (1, 6), "B": (1, 6)}),
        # A club that has not played has no place.
        ("AB", (0, None), 1, {"A": (1, 0), "B": (None, 0)}),
    ],
)
def test_order_of_clubs(clubs, points, team_size, places):
    assert ranked(clubs, points, team_size) == places
