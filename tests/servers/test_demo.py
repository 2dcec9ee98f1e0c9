"""`manage.py demo`: what `make dev` shows."""

import pytest
from django.core.management import CommandError, call_command

from games.models import Match
from games.registry import GAMES
from lobby.people.models import User
from lobby.ratings.models import Result
from lobby.tables.models import Table


@pytest.mark.django_db(transaction=True)
def test_demo_creates_people_a_table_and_two_matches_of_each_game_once(settings):
    settings.DEBUG = True
    for _ in range(2):
        call_command("demo")
    assert User.objects.get(username="Ada").check_password("demo")
    assert Table.objects.count() == 1
    for slug in GAMES:
        assert sorted(Match.objects.filter(game=slug).values_list("status", flat=True)) == [
            "finished",
            "playing",
        ]
    assert Result.objects.filter(user__username="Ada").count() == len(GAMES)


@pytest.mark.django_db
def test_demo_is_refused_without_debug():
    with pytest.raises(CommandError, match="known password"):
        call_command("demo")
    assert not User.objects.exists()
