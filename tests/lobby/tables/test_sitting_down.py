"""A visitor who sits down plays as a guest, by a name of their own if they type one."""

import pytest

from games.registry import GAMES
from lobby.people.models import User
from lobby.tables.models import Chair
from lobby.tables.tables import TableTerms, set_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    host = User.objects.create_user("Ulno")
    return set_table(host, "cantstop", GAMES["cantstop"].rules.Options(), 3, "lot", TableTerms())


def seated(table):
    return [chair.user.username for chair in Chair.objects.filter(table=table).order_by("pk")]


def sit(client, table, **form):
    return client.post(f"/t/{table.pk}/sit", form, follow=True)


def test_a_guest_sits_by_the_name_that_was_typed(client, table):
    assert 'name="name"' in client.get(f"/t/{table.pk}").text
    sit(client, table, name=" Mari ")
    assert seated(table) == ["Ulno", "Mari"]
    assert User.objects.get(username="Mari").is_guest


def test_visitor_without_name_gets_one(client, table):
    sit(client, table)
    assert len(seated(table)) == 2


@pytest.mark.parametrize("name", ["ulno", "x", "two words", "admin", "n" * 21])
def test_a_name_that_is_taken_or_none_is_refused_and_nobody_sits(client, table, name):
    answer = sit(client, table, name=name)
    assert "notice-error" in answer.text
    assert f'name="name" value="{name}"' in answer.text
    assert seated(table) == ["Ulno"]
    assert not User.objects.filter(is_guest=True).exists()


def test_user_with_name_keeps_it(client, table):
    client.force_login(User.objects.create_user("Artjom"))
    assert 'name="name"' not in client.get(f"/t/{table.pk}").text
    sit(client, table, name="Mari")
    assert seated(table) == ["Ulno", "Artjom"]
