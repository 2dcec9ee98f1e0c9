"""The database backend; Django expects the name `base`."""

from __future__ import annotations

import contextlib
import threading
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)"


class Turns:
    """A fair write lock: first come, first served.

    SQLite lets one thread write, and the others sleep and retry with growing pauses. A thread that comes
    later can overtake them, and one may starve for seconds. Here nobody is overtaken, and the next writer
    starts at once. Without this lock, the transactions of others beside 300 a second of the journal take ten
    times as long at p99, and up to five seconds.

    Attributes:
        over: how many times the lock was released.
    """

    def __init__(self) -> None:
        self.over = 0
        self._guard = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Lock] = deque()

    def take(self, seconds: float) -> bool:
        """Wait for the lock for up to `seconds`. Returns whether it was acquired."""
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        if mine.acquire(timeout=seconds):
            return True
        with self._guard:
            if mine in self._waiting:
                self._waiting.remove(mine)
                return False
        # It was handed over at the last moment.
        return True

    def give(self) -> None:
        """Release the lock to the next waiter."""
        with self._guard:
            self.over += 1
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False


_turns: defaultdict[str, Turns] = defaultdict(Turns)
"""The write locks, by database name."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose write transactions queue behind those of other threads.

    Other processes are handled by SQLite's `timeout` in seconds.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._turn: Turns | None = None

    @property
    def turns(self) -> Turns:
        """The write lock of this database."""
        return _turns[str(self.settings_dict["NAME"])]

    def checkpoint(self) -> None:
        """Copy the write-ahead log into the database, mostly without blocking writers, and restart the log.

        The log can restart only once all of it is copied. The little that arrived meanwhile is copied under
        the write lock.
        """
        with self.cursor() as cursor:
            cursor.execute(CHECKPOINT).fetchall()
            with self.turn():
                cursor.execute(CHECKPOINT).fetchall()

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the write lock outside of a transaction, for a single statement.

        Raises `OperationalError` if the lock is not free within `timeout` seconds.
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
