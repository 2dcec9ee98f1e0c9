"""Lists of clubs and tournaments cost as much as what is read of them."""

import pytest
from django.db import connection

from lobby.clubs import lookup
from lobby.clubs.models import Club, Membership
from lobby.people.models import User
from lobby.tournaments import tournaments
from lobby.tournaments.models import Entrant, Tournament

pytestmark = pytest.mark.django_db

PAGE = 10


def add_clubs(number, members):
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


def add_tournaments(number, players):
    """So many tournaments, each with the same players."""
    made = [
        Tournament.objects.create(
            title="Cup", organiser=players[0], game="kalah", options="{}", format="swiss", state="finished"
        )
        for _ in range(number)
    ]
    Entrant.objects.bulk_create(
        Entrant(tournament=tournament, user=player, rating=1500) for tournament in made for player in players
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
@pytest.mark.parametrize(
    ("add", "listed", "counted"),
    [
        (add_clubs, lookup.listed, "members"),
        (add_tournaments, lambda: tournaments.listed(Tournament.State.FINISHED), "players"),
    ],
)
def test_page_of_a_list_costs_as_much_on_a_large_site(add, listed, counted):
    people = [User.objects.create_user(f"Somebody{n}") for n in range(5)]
    add(PAGE, people)
    few = steps_of(lambda: list(listed()[:PAGE]))
    add(20 * PAGE, people)
    many = steps_of(lambda: list(listed()[:PAGE]))
    assert [getattr(row, counted) for row in listed()[:2]] == [5, 5]
    assert many <= 2 * few + 5
