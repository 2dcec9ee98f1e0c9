"""Threads write to SQLite by turns, and none is overtaken."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing, suppress

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from config.sqlite import base
from config.sqlite.turns import Turns
from games.models import Seating

PATIENCE = 20


@pytest.fixture
def turns() -> Turns:
    return Turns()


def queue_up(turns: Turns, number: int, write: Callable[[int], None]) -> list[threading.Thread]:
    """So many threads that wait for their turn, one behind the other, and then write."""
    threads = [threading.Thread(target=write, args=(each,)) for each in range(number)]
    for each, thread in enumerate(threads):
        thread.start()
        while len(turns._waiting) <= each:
            assert thread.is_alive()
    return threads


def finish(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


class TestTurns:
    def test_come_in_the_order_in_which_they_were_asked_for(self, turns: Turns) -> None:
        order: list[int] = []

        def write(number: int) -> None:
            assert turns.take(PATIENCE)
            order.append(number)
            turns.give()

        assert turns.take(PATIENCE)
        threads = queue_up(turns, 8, write)
        turns.give()
        finish(threads)
        assert order == list(range(8))

    def test_who_gives_and_asks_again_is_behind_those_who_wait(self, turns: Turns) -> None:
        order: list[str] = []

        def write(_: int) -> None:
            assert turns.take(PATIENCE)
            order.append("another")
            turns.give()

        assert turns.take(PATIENCE)
        threads = queue_up(turns, 1, write)
        turns.give()
        assert turns.take(PATIENCE)
        order.append("the first again")
        turns.give()
        finish(threads)
        assert order == ["another", "the first again"]

    def test_who_gave_up_is_passed_over(self, turns: Turns) -> None:
        assert turns.take(PATIENCE)
        assert not turns.take(0.001)
        turns.give()
        assert turns.take(PATIENCE)


@pytest.mark.django_db(transaction=True)
class TestConnections:
    @pytest.fixture
    def turns(self) -> Turns:
        return base._turns[str(connection.settings_dict["NAME"])]

    def test_wait_while_another_thread_writes(self, turns: Turns) -> None:
        order: list[int] = []

        def write(number: int) -> None:
            with closing(connection), transaction.atomic():
                order.append(number)

        with transaction.atomic():
            threads = queue_up(turns, 5, write)
            assert order == []
        finish(threads)
        assert order == list(range(5))

    @pytest.mark.parametrize("end", ["commit", "rollback", "savepoint", "close"])
    def test_give_their_turn_however_a_transaction_ends(self, turns: Turns, end: str) -> None:
        with suppress(LookupError), transaction.atomic():
            assert not turns.take(0.001)
            match end:
                case "rollback":
                    raise LookupError
                case "savepoint":
                    with transaction.atomic():
                        pass
                    assert not turns.take(0.001)
                case "close":
                    connection.close()
        assert turns.take(PATIENCE)
        turns.give()

    def test_give_their_turn_when_the_commit_fails(self, turns: Turns) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            # What refers to nothing is refused at the end alone.
            Seating.objects.create(match_id="none", seat=0)
        assert turns.take(PATIENCE)
        turns.give()

    def test_say_so_when_the_store_stays_locked(self, monkeypatch: pytest.MonkeyPatch, turns: Turns) -> None:
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.01)
        assert turns.take(PATIENCE)
        with pytest.raises(OperationalError, match="locked"), transaction.atomic():
            pass
        turns.give()
        with transaction.atomic():
            assert not turns.take(0.001)
        assert turns.take(PATIENCE)
        turns.give()

    def test_a_turn_that_sqlite_refuses_is_given_back(self, turns: Turns) -> None:
        connection.ensure_connection()
        connection.connection.execute("BEGIN IMMEDIATE")
        try:
            with pytest.raises(OperationalError, match="within a transaction"), transaction.atomic():
                pass
        finally:
            connection.connection.rollback()
        assert turns.take(PATIENCE)
        turns.give()
