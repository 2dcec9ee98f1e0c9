"""The connection to SQLite; the name of this file is Django's."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from config.sqlite.write_lock import Turns

CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)"

_turns: defaultdict[str, Turns] = defaultdict(Turns)
"""By the names of the databases that this process writes to."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose transactions wait for their turn among those of other threads.

    Other processes are waited for as ever: for `timeout` seconds, by SQLite.

    Attributes:
        flushes: whether a commit returns once the disk has it. Else it is flushed with the next one that
            does, or when the log is copied: a power cut undoes it whole, and nothing flushed before it.
            It counts from the next connection on.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._turn: Turns | None = None
        self.flushes = True

    def get_new_connection(self, conn_params: Any) -> Any:
        connection = super().get_new_connection(conn_params)
        if not self.flushes:
            connection.execute("PRAGMA synchronous=NORMAL")
        return connection

    @property
    def turns(self) -> Turns:
        """The turns of those who write to this database."""
        return _turns[str(self.settings_dict["NAME"])]

    def checkpoint(self) -> None:
        """Copy the log into the file, mostly beside those who write, and have the log begin anew.

        It does so once all of it is copied: what came meanwhile, which is little, is copied in a turn.
        """
        with self.cursor() as cursor:
            cursor.execute(CHECKPOINT).fetchall()
            with self.turn():
                cursor.execute(CHECKPOINT).fetchall()

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """A turn outside of a transaction, for a statement that is one by itself.

        Raises `OperationalError` if it does not come within `timeout` seconds.
        """
        self._take_turn()
        try:
            yield
        finally:
            self._give_turn()

    def _take_turn(self) -> None:
        turns = self.turns
        if not turns.take(self.settings_dict["OPTIONS"]["timeout"]):
            raise OperationalError("database is locked")
        self._turn = turns

    def _start_transaction_under_autocommit(self) -> None:
        self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._give_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._give_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._give_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._give_turn()

    def _give_turn(self) -> None:
        turn, self._turn = self._turn, None
        if turn is not None:
            turn.give()
