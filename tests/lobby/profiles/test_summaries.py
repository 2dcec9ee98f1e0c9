"""What somebody's results come to, kept while they are the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Match
from lobby.people.models import User
from lobby.profiles.summaries import Summary, known_results, summed_up
from lobby.ratings.models import Result
from lobby.ratings.results import rate, settle
from tests.helpers import finished

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def ludmilla(db: None) -> User:
    return User.objects.create_user("Ludmilla")


def play(users: list[User], winner: int, at: datetime = NOON, **changes: Any) -> Match:
    """A match of two that was won by a seat, with columns as they are to be once it is settled."""
    match = finished.won(users, winner, at)
    Match.objects.filter(pk=match.pk).update(**changes)
    settle(match.pk)
    return match


def summary(user: User, asker: User | None = None, now: datetime | None = None) -> Summary:
    return summed_up(known_results(user.pk, asker and asker.pk, now or timezone.now()))  # type: ignore[arg-type]


def wins(user: User, asker: User | None = None, now: datetime | None = None) -> int:
    return summary(user, asker, now).counts["kalah", "won"]


def test_the_same_results_are_looked_through_once(ulno, artjom, ludmilla, django_assert_num_queries):
    play([ulno, artjom], 0)
    first = summary(ulno)
    for asker in (None, ludmilla, artjom, ulno):
        with django_assert_num_queries(1):
            assert summary(ulno, asker) is first


def test_summary_counts_new_result_at_once(ulno, artjom):
    play([ulno, artjom], 0)
    assert wins(ulno) == 1
    play([ulno, artjom], 0, NOON + timedelta(minutes=1))
    assert wins(ulno) == 2


def test_summary_counts_result_that_ended_earlier(ulno, artjom):
    play([ulno, artjom], 0)
    assert summary(ulno).streaks == ("won", 1, 1)
    play([ulno, artjom], 1, NOON - timedelta(minutes=1))
    assert summary(ulno).counts == {("kalah", "won"): 1, ("kalah", "lost"): 1}


def test_a_match_that_is_deleted_is_forgotten_though_another_takes_its_place(ulno, artjom):
    gone = play([ulno, artjom], 0)
    assert wins(ulno) == 1
    gone.delete()
    play([ulno, artjom], 1, NOON + timedelta(minutes=1))
    assert wins(ulno) == 0


def test_two_who_know_as_many_that_others_do_not_know_are_not_told_of_each_others(ulno, artjom, ludmilla):
    play([ulno, artjom], 0, watchable=False)
    play([ulno, ludmilla], 1, watchable=False)
    # The newest is the same for both, and so is the number: nothing but who asks tells them apart.
    play([ulno, User.objects.create_user("Third")], 1)
    assert [wins(ulno, asker) for asker in (artjom, ludmilla, ulno, None)] == [1, 0, 1, 0]
    met = [[each.user_id for each in summary(ulno, asker).opponents] for asker in (artjom, ludmilla)]
    third = User.objects.get(username="Third")
    assert met == [[artjom.pk, third.pk], [ludmilla.pk, third.pk]]


def test_an_end_that_comes_late_is_in_it_when_everybody_may_know(ulno, artjom):
    now = timezone.now()
    match = play([ulno, artjom], 0, now, delay=600)
    later = now + timedelta(hours=1)
    assert (wins(ulno), wins(ulno, artjom), wins(ulno, None, later)) == (0, 1, 1)
    assert Result.objects.filter(match=match, rated=True, rating_after=None).count() == 2


def test_ratings_that_move_later_are_in_it_then(ulno, artjom):
    now = timezone.now()
    match = play([ulno, artjom], 0, now - timedelta(minutes=1), delay=600)
    later = now + timedelta(hours=1)
    assert summary(ulno, None, later).histories == {}
    Match.objects.filter(pk=match.pk).update(ended=now - timedelta(hours=1))
    rate(match.pk)
    (history,) = summary(ulno, None, later).histories.values()
    assert history.highest > history.first == 1500


def test_a_rating_that_moved_while_watchers_waited_stands_in_its_curve_where_it_moved(ulno, artjom):
    waited = play([ulno, artjom], 0)
    other = play([ulno, artjom], 1, NOON + timedelta(minutes=1))
    moves = {waited: (1600, 1700, timedelta(hours=1)), other: (1500, 1600, timedelta(minutes=1))}
    for match, (before, after, late) in moves.items():
        results = Result.objects.filter(match=match)
        results.update(rating_before=before, rating_after=after, known=NOON + late)
    (history,) = summary(ulno).histories.values()
    assert (history.first, history.highest) == (1500, 1700)
    # The line goes up, so its places go down.
    places = [float(point.split(",")[1]) for point in history.curve.points.split()]
    assert places == sorted(places, reverse=True)


def test_summary_orders_simultaneous_rating_changes_as_stored(ulno, artjom):
    for before, after in ((1500, 1480), (1480, 1490)):
        match = play([ulno, artjom], 0)
        Result.objects.filter(match=match).update(rating_before=before, rating_after=after)
    (history,) = summary(ulno).histories.values()
    assert history.first == 1500


def test_a_result_that_a_server_of_the_version_before_stored_has_its_place(ulno, artjom):
    play([ulno, artjom], 0)
    Result.objects.update(known=None)
    play([ulno, artjom], 1, NOON + timedelta(minutes=1))
    (history,) = summary(ulno, ulno).histories.values()
    assert history.first == 1500
    assert len(history.curve.points.split()) == 3


def test_summary_deleted_opponent_replaced_by_next(client, ulno, artjom):
    others = [User.objects.create_user(f"Other-{number}") for number in range(6)]
    for number, other in enumerate(others):
        play([ulno, other], 0, NOON + timedelta(minutes=number))
    names = [f"Other-{number}" for number in range(6)]
    assert [each.name for each in client.get("/@/Ulno").context["opponents"]] == names[:5]
    User.objects.filter(pk=others[0].pk).update(is_deleted=True)
    User.objects.filter(pk=others[1].pk).update(username="Renamed")
    told = [each.name for each in client.get("/@/Ulno").context["opponents"]]
    assert told == ["Renamed", *names[2:]]
