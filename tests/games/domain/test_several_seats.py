"""The seat of a user who acts for several seats of a match."""

import pytest

from games.domain.terms import EVERY_SEAT, seat_sent, seats_of, several_seats


@pytest.mark.parametrize("seats", [(0, 1), (1, 3), (0, 1, 2, 3), (5, 7)], ids=str)
def test_several_seats_are_read_again(seats):
    seat = several_seats(seats)
    assert seat < EVERY_SEAT
    assert seats_of(seat, 8) == seats
    assert seat_sent(seat) is None


def test_one_seat_is_itself():
    assert several_seats([2, 2]) == 2 == seat_sent(2)
    assert seats_of(2, 4) == (2,)


def test_the_host_of_one_board_acts_for_all():
    assert seats_of(EVERY_SEAT, 3) == (0, 1, 2)
    assert seat_sent(EVERY_SEAT) is None is seat_sent(None)
