"""The list of the lobby that many share who come at the same time, and what ends it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games.net.connection import Frame
from games.registry import GAMES
from lobby.feed import lobby_feed, shared_list
from lobby.feed.shared_list import PageLists, SharedList
from lobby.models import News, Table, User
from lobby.tables.tables import set_table

pytestmark = pytest.mark.django_db


def queries(shared: SharedList) -> int:
    with CaptureQueriesContext(connection) as made:
        shared.read()
    return len(made)


def kalah(host: User) -> Table:
    return set_table(host, "kalah", GAMES["kalah"].rules.PRESETS["circle"], 2, "host")


def test_whoever_comes_next_asks_for_the_number_alone() -> None:
    shared = SharedList()
    assert queries(shared) > 1
    assert queries(shared) == 1


def test_a_change_that_is_told_ends_it() -> None:
    shared = SharedList()
    shared.read()
    shared.write(Frame.of({"type": "match-over"}))
    assert queries(shared) > 1


def test_a_change_that_is_still_on_its_way_ends_it() -> None:
    shared = SharedList()
    first = shared.read()
    News.objects.create(pk=1, number=first.number + 1)
    assert shared.read().number == first.number + 1


def test_a_change_that_is_told_while_it_is_read_is_not_missed(monkeypatch: Any) -> None:
    shared, listed = SharedList(), lobby_feed.listed

    def listed_and_told(most: int | None) -> lobby_feed.Listed:
        kept = listed(most)
        shared.write(Frame.of({"type": "match-over"}))
        return kept

    with monkeypatch.context() as told:
        told.setattr(lobby_feed, "listed", listed_and_told)
        shared.read()
    assert queries(shared) > 1


def test_everybody_has_the_same_list_with_their_own(ulno: User) -> None:
    shared = SharedList()
    assert lobby_feed.everything(ulno.pk, shared.read()) == lobby_feed.everything(ulno.pk)
    assert lobby_feed.everything(None, shared.read()) == lobby_feed.everything(None)


class TestPages:
    def test_share_it_for_a_moment(self, ulno: User, monkeypatch: Any) -> None:
        lists = PageLists()
        first = lists.read(20)
        assert lists.read(20) is first
        assert lists.read(30) is not first
        monkeypatch.setattr(shared_list, "KEPT_SECONDS", -1.0)
        assert lists.read(20) is not first

    def test_have_every_change_that_is_told(self, ulno: User) -> None:
        lists = PageLists()
        assert list(lists.read(20).tables) == []
        table = kalah(ulno)
        assert list(lists.read(20).tables) == [table.pk]

    def test_have_it_in_their_own_language(self, ulno: User) -> None:
        lists, table = PageLists(), kalah(ulno)
        english = lists.read(20).tables[table.pk]["title"]
        with translation.override("ru"):
            assert lists.read(20).tables[table.pk]["title"] != english
        assert lists.read(20).tables[table.pk]["title"] == english

    def test_show_nobody_what_is_another_persons(self, ulno: User, artjom: User) -> None:
        table = kalah(ulno)
        for person, mine in ((None, []), (ulno, [table.pk]), (artjom, []), (None, [])):
            client = Client()
            if person is not None:
                client.force_login(person, "lobby.auth.backends.PasswordBackend")
            page = client.get("/")
            assert [each["id"] for each in page.context["my_tables"]] == mine
            shown = [*page.context["my_tables"], *page.context["tables"]]
            assert [(each["mine"], each["hosted"]) for each in shown] == [(bool(mine), bool(mine))]
