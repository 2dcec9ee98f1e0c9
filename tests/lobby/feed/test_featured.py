"""The match on the front page: one that many watch, and one that stays a while."""

from datetime import UTC, datetime, timedelta

import pytest

from lobby.feed.featured import PATIENCE, Candidate, Stage


@pytest.fixture
def stage():
    return Stage()


def match(name, watchers=0, rating=0.0, begun=0, people=2):
    moment = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(minutes=begun)
    return Candidate(name, watchers, rating, moment, people)


def test_featured_none_without_matches(stage):
    assert stage.choose([], 0) is None


def test_the_most_watched_is_chosen(stage):
    assert stage.choose([match("a", 1), match("b", 3), match("c", 2)], 0) == "b"


def test_featured_prefers_best_players_when_equally_watched(stage):
    assert stage.choose([match("a", 1, 1500, begun=2), match("b", 1, 1700, begun=1)], 0) == "b"


def test_people_before_somebody_alone_with_the_computer(stage):
    alone = match("alone", rating=1900.0, people=1)
    assert stage.choose([alone, match("people", rating=1500.0)], 0) == "people"
    assert Stage().choose([alone], 0) == "alone"


def test_featured_prefers_newest_without_ratings(stage):
    assert stage.choose([match("a", begun=1), match("b", begun=2)], 0) == "b"


def test_featured_stays_when_another_has_few_more_watchers(stage):
    stage.choose([match("a", 4)], 0)
    for now in range(0, 300, 10):
        assert stage.choose([match("a", 4), match("b", 5)], now) == "a"


def test_featured_stays_when_another_leads_for_a_moment(stage):
    stage.choose([match("a", 4)], 0)
    assert stage.choose([match("a", 4), match("b", 9)], 1) == "a"
    assert stage.choose([match("a", 4), match("b", 4)], PATIENCE) == "a"
    assert stage.choose([match("a", 4), match("b", 9)], PATIENCE + 2) == "a"


def test_featured_changes_when_another_leads_for_a_while(stage):
    stage.choose([match("a", 4)], 0)
    stage.choose([match("a", 4), match("b", 9)], 1)
    assert stage.choose([match("a", 4), match("b", 9)], 1 + PATIENCE) == "b"


def test_featured_changes_at_once_at_end(stage):
    stage.choose([match("a", 4)], 0)
    assert stage.choose([match("b")], 1) == "b"
    assert stage.choose([], 2) is None
