"""Which matches are live, and which of them the one on the front page is chosen from."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Match
from games.net.hub import Hub
from games.net.process import process
from games.watch.visibility import LIVE_WITHIN
from lobby.feed import lobby_feed, watched_matches
from lobby.feed.counts import counts
from lobby.people import following
from lobby.people.models import User
from lobby.people.presence import Presence
from lobby.ratings.models import Rating
from tests.helpers import finished

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> Presence:
    """Who is on the site: at first nobody."""
    presence = Presence(Hub())
    monkeypatch.setattr(watched_matches, "presence", presence)
    return presence


@pytest.fixture
def matches(here: Presence) -> list[str]:
    """One more than may be featured, the newest first; the better its players are the older it is."""
    begun = []
    for number in range(watched_matches.NEWEST + 1):
        players = [User.objects.create_user(f"{name}-{number}") for name in ("one", "other")]
        strength = {"family": "circle", "pool": "two", "deviation": 60, "volatility": 0.06}
        match = finished.begun(players)
        for player in players:
            Rating.objects.create(
                user=player, game="kalah", rating=2000 - number, updated=match.created, **strength
            )
        here.came(players[0].pk)
        begun.append(match.pk)
    return begun[::-1]


def test_the_oldest_is_not_among_them_however_it_is_asked_for(matches: list[str]) -> None:
    asked = watched_matches.FeaturedBroadcaster().featured()
    lobby_feed.listed(len(matches))
    assert watched_matches.featured() == asked == matches[watched_matches.NEWEST - 1]


def test_featured_after_listing_needs_no_query(matches: list[str]) -> None:
    lobby_feed.listed(watched_matches.NEWEST)
    with CaptureQueriesContext(connection) as made:
        assert watched_matches.featured() is not None
    assert len(made) == 0


def test_a_list_of_fewer_is_not_chosen_from(matches: list[str]) -> None:
    lobby_feed.listed(watched_matches.NEWEST - 1)
    assert watched_matches.featured() == matches[watched_matches.NEWEST - 1]


@pytest.fixture
def match(ulno: User, artjom: User) -> Match:
    return finished.begun([ulno, artjom], rated=False)


def told() -> tuple[int, str | None, dict[str, str]]:
    """How many matches are counted, which one is on the front page, and which are called live."""
    process.renew()
    return counts()["playing"], watched_matches.featured(), watched_matches.live()


def test_a_match_is_live_while_a_player_is_here_and_has_moved_lately(
    match: Match, here: Presence, artjom: User
) -> None:
    here.came(artjom.pk)
    assert told() == (1, match.pk, {"kalah": match.pk})


def test_a_match_that_its_players_have_left_is_not(match: Match) -> None:
    assert told() == (0, None, {})
    assert list(watched_matches.matches_to_watch()) == [match]


def test_featured_excludes_idle_match(match: Match, here: Presence, artjom: User) -> None:
    here.came(artjom.pk)
    Match.objects.filter(pk=match.pk).update(created=timezone.now() - timedelta(days=60))
    assert told() == (0, None, {})
    finished.play(match, "1", at=timezone.now() - LIVE_WITHIN - timedelta(seconds=1))
    assert told() == (0, None, {})
    finished.play(match, "1")
    assert told() == (1, match.pk, {"kalah": match.pk})


def test_standing_after_leaving_match_not_playing(match: Match, ulno: User) -> None:
    assert following.standings([ulno])[0].playing
    Match.objects.filter(pk=match.pk).update(created=timezone.now() - timedelta(days=60))
    assert not following.standings([ulno])[0].playing
