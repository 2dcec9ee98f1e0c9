"""No page asks the database more often because more has happened on the site."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench import seed_data, slow_pages
from lobby.classes import classes, pupils
from lobby.evenings import evenings
from lobby.feed import counts, lobby_feed, watched_matches
from lobby.homework import homework
from lobby.inbox import conversations
from lobby.ladders import ladders
from lobby.people import relationships
from lobby.people.models import User
from tests.helpers.clubs import club_of
from tests.helpers.ladders import ladder_of
from tests.helpers.samples import sample
from tests.helpers.studies import study_of
from tests.helpers.tournaments import begun, command, entered, look, people, play_round

pytestmark = pytest.mark.django_db(transaction=True)

MOST = {
    "front page, a visitor": 8,
    "front page, somebody": 18,
    "profile of somebody": 10,
    "leaderboards": 0,
    "leaderboard, kalah": 6,
    "a table": 7,
    "set a table": 3,
    "play the computer": 2,
    "match, kalah": 5,
    "rules": 0,
    "log in": 1,
    "API: games": 0,
    "API: tables": 3,
}
"""How many queries a page may take if nothing of it is cached."""


def queries(people: int, finished: int, present: int) -> dict[str, int]:
    """How many queries each page takes on a site with such a past."""
    site = seed_data.fill(people, finished, present)
    clients = {None: Client(), site.busy: Client(), site.usual: Client()}
    for person in (site.busy, site.usual):
        clients[person].force_login(person, backend="lobby.auth.backends.PasswordBackend")
    found = {}
    for name, (person, address) in slow_pages.pages(site).items():
        clients[person].get(address)
        # It is chosen once a second, whoever asks.
        watched_matches.front.featured()
        with CaptureQueriesContext(connection) as asked:
            answer = clients[person].get(address)
            found[name] = len(asked)
        assert answer.status_code == 200, address
    return found


def test_every_page_takes_as_many_queries_whatever_happened_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_matches, "FRESH_SECONDS", 3600.0)
    # Each page asks for all that it shows.
    monkeypatch.setattr(lobby_feed, "RECENT_SECONDS", 0)
    monkeypatch.setattr(counts, "EVERY_SECONDS", -1.0)
    monkeypatch.setattr(watched_matches, "front", watched_matches.FeaturedBroadcaster())
    # Both have more going on than the front page lists, so that what is one’s own has to be looked for.
    small = queries(people=50, finished=120, present=40)
    call_command("flush", interactive=False, verbosity=0)
    monkeypatch.setattr(watched_matches, "front", watched_matches.FeaturedBroadcaster())
    large = queries(people=90, finished=sample(1200, 400), present=70)
    assert {name: (small[name], number) for name, number in large.items() if number != small[name]} == {}
    assert max(large.values()) < 40
    assert {name: large[name] for name, most in MOST.items() if large[name] > most} == {}


FEW, MORE = 2, 12
DUE = date(2099, 1, 31)


class Lists:
    """Ada, who has a row in every list for each of her friends."""

    def __init__(self) -> None:
        self.ada, *self.friends = people(" ".join(["Ada", *(f"Friend{number}" for number in range(MORE))]))
        self.guests = people("Vic Wim")
        self.club = club_of(self.ada, *self.friends, *self.guests, name="Pier club")
        self.ladder = ladder_of(self.club, self.ada, [self.ada])
        self.school_class = classes.make(self.ada, "5b", command())
        self.evening = evenings.open_evening(self.ada, "kalah", 90, command())

    def grow(self, friends: list[User]) -> None:
        """Add a row for each of these friends."""
        ada, code = self.ada, self.school_class.code
        for number, friend in enumerate(friends, self.school_class.pupils.count()):
            relationships.follow(ada, friend)
            conversations.send(friend.pk, ada, command(), "Hello.")
            club_of(friend, ada, name=f"Club of {friend}")
            ladders.join(friend, self.ladder.pk, command())
            for host, club in ((friend, None), (ada, self.club.pk)):
                entered(host, [], club_id=club)
                begun(host, self.guests, "simul", club_id=club)
                over = begun(host, self.guests, "simul", club_id=club)
                play_round(over)
                look(over, self.guests)
            classes.make(ada, f"6{number}", command())
            pupils.add(ada, code, f"Pupil{number}", command())
            homework.give(ada, code, homework.study(ada, study_of(ada, "unlisted").pk), DUE, command())
            study_of(friend, "public", Ada="write")
            evenings.open_evening(ada, "kalah", 90, command())
            evenings.add(ada, self.evening.code, f"Visitor{number}", "192.0.2.1", command())

    def addresses(self) -> list[str]:
        """The pages with lists. The front page is among those of the test above."""
        code, club = self.school_class.code, self.club.get_absolute_url()
        return [
            *("/tournaments", "/api/v1/tournaments", "/api/v1/tournaments?state=finished"),
            *("/clubs", club, f"{club}/ladder"),
            *("/classes", f"/class/{code}", f"/class/{code}/homework", f"/class/{code}/cards"),
            *("/studies", "/evening", f"/evening/{self.evening.code}", "/inbox", "/people", "/people/online"),
            *("/puzzles/kalah", "/puzzles/days", "/settings/tokens", "/settings/webhooks"),
        ]


def test_every_list_takes_as_many_queries_whatever_is_in_it(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(lobby_feed, "RECENT_SECONDS", 0)
    settings.CLASSES = classes.OPEN
    for limit in ("CLASSES_PER_TEACHER", "EVENINGS_PER_HOST", "TOURNAMENTS_PER_PERSON", "CLUBS_PER_PERSON"):
        setattr(settings, limit, 99)
    lists = Lists()
    client = Client()
    client.force_login(lists.ada, backend="lobby.auth.backends.PasswordBackend")
    found: list[dict[str, int]] = []
    for friends in (lists.friends[:FEW], lists.friends[FEW:]):
        lists.grow(friends)
        asked_by_page = {}
        for address in lists.addresses():
            assert client.get(address).status_code == 200, address
            with CaptureQueriesContext(connection) as asked:
                client.get(address)
            asked_by_page[address] = len(asked)
        found.append(asked_by_page)
    few, more = found
    assert {each: (few[each], number) for each, number in more.items() if number > few[each]} == {}
