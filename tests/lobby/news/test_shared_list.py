"""The list of the lobby that many share who come at the same time, and what ends it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.net.wire import Frame
from lobby.models import News, User
from lobby.news import news
from lobby.news.shared_list import SharedList

pytestmark = pytest.mark.django_db


def queries(shared: SharedList) -> int:
    with CaptureQueriesContext(connection) as made:
        shared.read()
    return len(made)


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
    shared, listed = SharedList(), news.listed

    def listed_and_told() -> news.Listed:
        kept = listed()
        shared.write(Frame.of({"type": "match-over"}))
        return kept

    with monkeypatch.context() as told:
        told.setattr(news, "listed", listed_and_told)
        shared.read()
    assert queries(shared) > 1


def test_everybody_has_the_same_list_with_their_own(ulno: User) -> None:
    shared = SharedList()
    assert news.everything(ulno.pk, shared.read()) == news.everything(ulno.pk)
    assert news.everything(None, shared.read()) == news.everything(None)
