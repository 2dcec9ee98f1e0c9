"""What a match did to ratings, as its players are told."""

from datetime import UTC, datetime

import pytest

from lobby.feed import rating_changes
from lobby.people.models import User
from lobby.ratings.results import settle
from tests.helpers import finished

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def two():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


def rating_after(match, user):
    settle(match.pk)
    return rating_changes.change(match.pk, user.pk)


def test_rating_change_told_to_both_players(two):
    match = finished.won(two, 0, NOON, rated=True)
    told = [rating_after(match, user) for user in two]
    won = {"before": 1500, "after": 1662, "provisional": True}
    lost = {"before": 1500, "after": 1338, "provisional": True}
    assert [(each["change"], each["others"]) for each in told] == [
        (won, [{"name": "Artjom", **lost}]),
        (lost, [{"name": "Ulno", **won}]),
    ]


def test_rating_change_announced_equals_answer(two, django_capture_on_commit_callbacks, monkeypatch):
    told = {}
    monkeypatch.setattr("lobby.people.person.tell", told.__setitem__)
    with django_capture_on_commit_callbacks(execute=True):
        match = finished.won(two, 0, NOON, rated=True)
        settle(match.pk)
    assert told == {user.pk: rating_changes.change(match.pk, user.pk) for user in two}


def test_rating_change_unknown_before_settlement(two):
    match = finished.won(two, 0, NOON, rated=True)
    assert rating_changes.change(match.pk, two[0].pk) == {
        "type": "rating",
        "match": match.pk,
        "change": None,
        "others": [],
    }


def test_a_casual_match_changes_nothing(two):
    assert rating_after(finished.won(two, 0, NOON, rated=False), two[0])["change"] is None


def test_rating_change_hidden_from_others(two):
    match = finished.won(two, 0, NOON, rated=True)
    stranger = User.objects.create_user("Third")
    told = rating_after(match, stranger)
    assert (told["change"], told["others"]) == (None, [])
    assert rating_changes.change("nowhere", two[0].pk)["change"] is None
