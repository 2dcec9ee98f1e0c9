"""The list of the lobby that many share who come at the same time, and what ends it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games.registry import GAMES
from lobby.feed import lobby_feed
from lobby.feed.lobby_feed import recently_listed
from lobby.people.models import User
from lobby.tables.models import Table
from lobby.tables.tables import set_table

pytestmark = pytest.mark.django_db


def queries(most: int) -> int:
    with CaptureQueriesContext(connection) as made:
        recently_listed(most)
    return len(made)


def kalah(host: User) -> Table:
    return set_table(host, "kalah", GAMES["kalah"].rules.PRESETS["circle"], 2, "host")


def test_recent_list_reread_costs_one_query() -> None:
    assert queries(20) > 1
    assert queries(20) == 1
    assert queries(30) > 1


def test_recent_list_has_every_announced_change(ulno: User) -> None:
    assert list(recently_listed().tables) == []
    table = kalah(ulno)
    assert list(recently_listed().tables) == [table.pk]


def test_recent_list_in_language_of_reader(ulno: User) -> None:
    table = kalah(ulno)
    english = recently_listed().tables[table.pk]["title"]
    with translation.override("ru"):
        assert recently_listed().tables[table.pk]["title"] != english
    assert recently_listed().tables[table.pk]["title"] == english


def test_recent_list_shared_with_own_tables_added(ulno: User) -> None:
    for user_id in (ulno.pk, None):
        assert lobby_feed.everything(user_id, recently_listed()) == lobby_feed.everything(user_id)


def test_a_page_shows_nobody_what_is_another_persons(ulno: User, artjom: User) -> None:
    table = kalah(ulno)
    for person, mine in ((None, []), (ulno, [table.pk]), (artjom, []), (None, [])):
        client = Client()
        if person is not None:
            client.force_login(person, "lobby.auth.backends.PasswordBackend")
        page = client.get("/")
        assert [each["id"] for each in page.context["my_tables"]] == mine
        shown = [*page.context["my_tables"], *page.context["tables"]]
        assert [(each["mine"], each["hosted"]) for each in shown] == [(bool(mine), bool(mine))]
