"""No page asks the database more often because more has happened on the site."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench import seed_data, slow_pages
from lobby.feed import counts, lobby_feed, watched_matches
from tests.helpers.samples import sample

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
