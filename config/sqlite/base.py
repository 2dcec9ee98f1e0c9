"""The connection to SQLite; the name of this file is Django's."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from config.sqlite.turns import Turns

_turns: defaultdict[str, Turns] = defaultdict(Turns)
"""By the names of the databases that this process writes to."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose transactions wait for their turn among those of other threads.

    Other processes are waited for as ever: for `timeout` seconds, by SQLite.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._turn: Turns | None = None

    def _start_transaction_under_autocommit(self) -> None:
        turns = _turns[str(self.settings_dict["NAME"])]
        if not turns.take(self.settings_dict["OPTIONS"]["timeout"]):
            raise OperationalError("database is locked")
        self._turn = turns
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
