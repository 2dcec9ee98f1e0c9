"""Team matches: boards by lineup, two rounds with changed sides, reserves."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lobby.tournaments.formats.base import Kind, Player
from tests.helpers.events import event, random_result
from tests.helpers.samples import sample


def match_of(home, away, boards):
    """A match of clubs with so many players: home 11, 12, … and away 21, 22, … in the order of lineups."""
    held = event("team_match", 0, team_size=boards)
    players = [*range(11, 11 + home), *range(21, 21 + away)]
    held.players = [Player(each, seed, team=each // 10) for seed, each in enumerate(players, 1)]
    return held


def seats(pairings):
    return [pairing.seats for pairing in pairings]


def test_sides_change_by_board_and_round():
    held = match_of(3, 3, boards=3)
    assert seats(held.pair()) == [(11, 21), (22, 12), (13, 23)]
    assert not held.pair()
    held.end_all()
    assert seats(held.pair()) == [(21, 11), (12, 22), (23, 13)]
    held.end_all()
    assert not held.pair()
    assert held.over


@pytest.mark.parametrize("change", [{"withdrawn": True}, {"away": True}])
def test_a_reserve_takes_the_board_of_who_is_absent(change):
    held = match_of(4, 3, boards=2)
    held.pair()
    held.end_all()
    held.change(12, **change)
    assert seats(held.pair()) == [(21, 11), (13, 22)]


def test_who_is_back_plays_again():
    held = match_of(3, 2, boards=2)
    held.change(11, away=True)
    assert seats(held.pair()) == [(13, 21), (22, 12)]
    held.end_all()
    held.change(11, away=False)
    assert seats(held.pair()) == [(21, 11), (12, 22)]


def test_a_board_without_a_player_is_lost():
    held = match_of(2, 2, boards=3)
    held.change(22, withdrawn=True)
    one, two = held.pair()
    assert (one.seats, one.kind) == ((11, 21), Kind.PLAYED)
    assert (two.seats, two.kind, two.points, two.reason) == ((22, 12), Kind.FORFEIT, (0, 1), "absent")


def test_a_board_for_which_a_club_has_nobody_is_lost():
    held = match_of(2, 1, boards=2)
    _one, two = held.pair()
    assert (two.seats, two.kind, two.points) == ((12,), Kind.FORFEIT, (1,))


def test_who_is_away_plays_if_nobody_would_otherwise():
    held = match_of(1, 1, boards=1)
    held.change(21, away=True)
    assert [pairing.kind for pairing in held.pair()] == [Kind.PLAYED]


def test_a_match_ends_when_everybody_has_left():
    held = match_of(2, 2, boards=2)
    held.pair()
    held.end_all()
    for player in held.players:
        held.withdraw(player.id)
    assert not held.pair()
    assert held.over


@given(home=st.integers(1, 5), away=st.integers(1, 5), boards=st.integers(1, 6), seed=st.integers(0, 10**6))
@settings(max_examples=sample(200, 40), deadline=None)
def test_every_board_is_played_or_lost_in_both_rounds(home, away, boards, seed):
    chance, held = Random(seed), match_of(home, away, boards)
    while held.pair() or held.open:
        if held.open and chance.random() < 0.4:
            held.withdraw(chance.choice(chance.choice(held.open).seats))
        for player in held.players:
            held.change(player.id, away=chance.random() < 0.3)
        held.end_all(random_result(chance))
    assert held.over
    club = {player.id: player.team for player in held.players}
    filled = min(boards, max(home, away))
    for number in range(1, held.round + 1):
        found = [pairing for pairing in held.pairings if pairing.round == number]
        assert [pairing.table for pairing in found] == list(range(1, filled + 1))
        seated = [player for pairing in found for player in pairing.seats]
        assert len(set(seated)) == len(seated)
        assert all(len({club[each] for each in pairing.seats}) == len(pairing.seats) for pairing in found)
