"""Somebody's matches that go on are found among those that go on, however many they have played."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from games.models import Match
from games.store import history
from lobby.people.models import User
from tests.helpers import finished

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "values"), [(history.IN_PLAY, 1), (history.PLAYS, 2), (history.AT_BOARDS, 2)]
)
def test_played_by_uses_index_of_matches_in_play(question, values, ulno):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL knows how many there are")
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {question}", [ulno.pk] * values)
        plan = [row[3] for row in cursor.fetchall()]
    assert any("games_match USING" in step and "match_in_play" in step for step in plan), plan


def test_played_by_lists_matches_in_play_newest_first(ulno, artjom):
    matches = [finished.begun([ulno, artjom]) for _ in range(3)]
    board = finished.begun([artjom, User.objects.create_user("Ludmilla")])
    for number, match in enumerate([*matches, board]):
        Match.objects.filter(pk=match.pk).update(created=NOON + timedelta(hours=number))
    Match.objects.filter(pk=board.pk).update(holder=ulno)
    Match.objects.filter(pk=matches[1].pk).update(status=Match.Status.FINISHED)
    assert history.played_by(ulno.pk) == [board.pk, matches[2].pk, matches[0].pk]
    assert history.played_by(artjom.pk) == [board.pk, matches[2].pk, matches[0].pk]
    for user in (ulno, artjom):
        assert history.at_boards(user.pk) == (history.played_by(user.pk), history.waiting_for(user.pk))
