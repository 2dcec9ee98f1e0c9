"""A query that is put together once says what Django would say each time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from games.models import Match
from games.store.prepared import PreparedQuery

ENDED = datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)


def match(game="kalah", **fields):
    return Match.objects.create(game=game, options="{}", start="", **fields)


def of_game(game: str) -> QuerySet[Match]:
    return Match.objects.filter(game=game).order_by("pk")


@pytest.mark.django_db
class TestAnswers:
    def test_columns_are_those_of_the_query(self):
        for number in range(3):
            match(paused=number, outcome='{"winners":[0]}')
        columns = ("pk", "paused", "outcome")
        query = PreparedQuery(lambda game: of_game(game).values_list(*columns))
        assert query("kalah") == list(of_game("kalah").values_list(*columns))
        assert {paused for _, paused, _ in query("kalah")} == {0, 1, 2}

    def test_rows_are_whole(self):
        made = match(rated=True, ended=ENDED)
        (found,) = PreparedQuery(of_game, Match)("kalah")
        assert {name: value for name, value in vars(found).items() if name != "_state"} == {
            name: value for name, value in vars(Match.objects.get(pk=made.pk)).items() if name != "_state"
        }
        assert not found._state.adding

    def test_other_values_have_answers_of_their_own(self):
        kalah, morris = match(), match("morris")
        query = PreparedQuery(of_game, Match)
        assert [query(game) for game in ("kalah", "morris", "aces")] == [[kalah], [morris], []]

    def test_prepared_query_any_number_of_values(self):
        made = [match(game).pk for game in ("kalah", "morris", "aces")]
        query = PreparedQuery(lambda *games: Match.objects.filter(game__in=games).values_list("pk"))
        assert {pk for (pk,) in query("kalah", "aces")} == {made[0], made[2]}
        assert {pk for (pk,) in query("kalah", "aces", "morris")} == {*made}

    def test_numbers_are_values_too(self):
        match(paused=3), match(paused=4)
        query = PreparedQuery(lambda least: Match.objects.filter(paused__gt=least).values_list("paused"))
        assert [query(number) for number in (3, 4)] == [[(4,)], []]


@pytest.mark.django_db
def test_prepared_query_built_once_per_number_of_values():
    asked = []

    def query(*games):
        asked.append(len(games))
        return Match.objects.filter(game__in=games).values_list("pk")

    prepared = PreparedQuery(query)
    with CaptureQueriesContext(connection) as queries:
        for games in (["kalah"], ["morris"], ["kalah", "morris"], ["aces"]):
            prepared(*games)
    assert (asked, len(queries)) == ([1, 2], 4)


@pytest.mark.django_db
def test_a_query_that_changes_its_values_is_refused():
    with pytest.raises(TypeError, match="not every value is a parameter as it is"):
        PreparedQuery(lambda text: Match.objects.filter(outcome__contains=text).values_list("pk"))("won")
