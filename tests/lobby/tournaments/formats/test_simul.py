"""A simul: who sits where, and the result."""

import pytest

from lobby.tournaments.formats import simul
from lobby.tournaments.formats.simul import Score
from tests.helpers.events import HOST, event


@pytest.mark.parametrize(
    ("chosen", "seats"), [("first", [0, 0, 0, 0]), ("second", [1, 1, 1, 1]), ("alternating", [0, 1, 0, 1])]
)
def test_the_host_sits_as_chosen(chosen, seats):
    held = event("simul", 4, host_seat=chosen)
    held.pair()
    assert [pairing.seats.index(HOST) for pairing in held.pairings] == seats
    assert [pairing.seats[1 - seat] for pairing, seat in zip(held.pairings, seats, strict=True)] == [
        *(101, 102, 103, 104)
    ]


def test_all_boards_begin_at_once_and_nothing_follows():
    held = event("simul", 30)
    assert len(held.pair()) == 30
    held.end_all()
    assert held.over


def test_who_left_before_the_boards_were_made_has_none():
    held = event("simul", 3)
    held.withdraw(102)
    assert [set(pairing.seats) - {HOST} for pairing in held.pair()] == [{101}, {103}]


def test_the_score_counts_boards_that_have_ended():
    held = event("simul", 4, host_seat="first")
    one, two, three, _open = held.pair()
    assert simul.score(held.pairings, HOST) == Score(0, 0)
    held.end(one, 1.0, 0.0)
    held.end(two, 0.5, 0.5)
    held.end(three, 0.0, 1.0)
    assert simul.score(held.pairings, HOST) == Score(1.5, 1.5)
    assert held.ranks() == {103: 1, 102: 2, 101: 3, 104: None}
