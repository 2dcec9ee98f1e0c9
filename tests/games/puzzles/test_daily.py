"""Which puzzle a day has."""

from datetime import date, timedelta

import pytest

from games.puzzles import collection, daily
from games.puzzles.daily import COLLECTION, FIRST, NoPuzzle

A_DAY = timedelta(days=1)
TODAY = date(2027, 11, 22)
BEFORE = (COLLECTION - FIRST).days


def test_each_day_has_the_next_one_and_all_come_before_one_comes_again():
    for puzzles, first in ((daily.former(), FIRST), (daily.coming(), COLLECTION)):
        days = [first + number * A_DAY for number in range(min(len(puzzles), 200))]
        assert [daily.of_day(day, TODAY).puzzle for day in days] == list(puzzles[:200])
    assert daily.of_day(FIRST + len(daily.former()) * A_DAY, TODAY).puzzle == daily.former()[0]
    assert daily.of_day(COLLECTION + len(daily.coming()) * A_DAY, date.max).puzzle == daily.coming()[0]


def test_days_before_the_collection_keep_their_puzzles():
    last = daily.of_day(COLLECTION - A_DAY, TODAY).puzzle
    assert last == daily.former()[(BEFORE - 1) % len(daily.former())]
    assert len(daily.former()) == 108


def test_the_games_alternate():
    slugs = [daily.of_day(COLLECTION + n * A_DAY, TODAY).puzzle.slug for n in range(6)]
    assert slugs == [*collection.by_game()] * 2


@pytest.mark.parametrize("day", [FIRST - A_DAY, TODAY + A_DAY, date.min, date.max])
def test_a_day_before_the_first_and_one_to_come_have_none(day):
    with pytest.raises(NoPuzzle):
        daily.of_day(day, TODAY)
