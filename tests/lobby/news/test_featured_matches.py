"""Which matches the one on the front page is chosen from."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from lobby.models import Rating, User
from lobby.news import news, watched
from tests.helpers import finished

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def front(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "front", watched.FeaturedBroadcaster())


@pytest.fixture
def matches() -> list[str]:
    """One more than may be featured, the newest first; the better its players are the older it is."""
    begun = []
    for number in range(watched.NEWEST + 1):
        players = [User.objects.create_user(f"{name}-{number}") for name in ("one", "other")]
        strength = {"family": "circle", "pool": "two", "deviation": 60, "volatility": 0.06}
        match = finished.begun(players)
        for player in players:
            Rating.objects.create(
                user=player, game="kalah", rating=2000 - number, updated=match.created, **strength
            )
        begun.append(match.pk)
    return begun[::-1]


def test_the_oldest_is_not_among_them_however_it_is_asked_for(matches: list[str]) -> None:
    asked = watched.FeaturedBroadcaster().featured()
    news.listed(len(matches))
    assert watched.featured() == asked == matches[watched.NEWEST - 1]


def test_whoever_reads_the_list_has_chosen(matches: list[str]) -> None:
    news.listed(watched.NEWEST)
    with CaptureQueriesContext(connection) as made:
        assert watched.featured() is not None
    assert len(made) == 0


def test_a_list_of_fewer_is_not_chosen_from(matches: list[str]) -> None:
    news.listed(watched.NEWEST - 1)
    assert watched.featured() == matches[watched.NEWEST - 1]
