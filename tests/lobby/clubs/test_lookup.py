"""The list of clubs costs as much as what is read of it."""

import pytest
from django.db import connection

from lobby.clubs import lookup
from lobby.models import Club, Membership, User

pytestmark = pytest.mark.django_db

PAGE = 10


def add(number, members):
    """So many clubs, each with the same members."""
    clubs = Club.objects.bulk_create(
        Club(name=f"Club {n}", folded_name=f"club {n}", skeleton=f"club {n}", slug=f"club-{n}")
        for n in range(Club.objects.count(), Club.objects.count() + number)
    )
    Membership.objects.bulk_create(
        Membership(club=club, user=member, role="owner" if member == members[0] else "member")
        for club in clubs
        for member in members
    )


def steps_of(read):
    """How many hundreds of steps SQLite takes."""
    steps = []
    connection.ensure_connection()
    connection.connection.set_progress_handler(lambda: steps.append(1) and None, 100)
    read()
    connection.connection.set_progress_handler(None, 0)
    return len(steps)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="counts steps of SQLite")
def test_page_of_the_list_costs_as_much_on_a_large_site():
    members = [User.objects.create_user(f"Member{n}") for n in range(5)]
    add(PAGE, members)
    few = steps_of(lambda: list(lookup.listed()[:PAGE]))
    add(20 * PAGE, members)
    many = steps_of(lambda: list(lookup.listed()[:PAGE]))
    assert [club.members for club in lookup.listed()[:2]] == [5, 5]
    assert many <= 2 * few + 5
