"""Whether the disk under the store is full, as those find out who write."""

from __future__ import annotations

import sqlite3
import time

from psycopg.errors import DiskFull

from games.domain.refusals import NoRoom, TryAgain

NOTED_SECONDS = 5.0
"""For how long it is known: whoever is on duty tries to write every second (`games.store.heartbeat`)."""


def is_full(error: BaseException | None) -> bool:
    """Whether something failed because the disk is full."""
    while error is not None:
        full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        if full or isinstance(error, DiskFull):
            return True
        error = error.__cause__ or error.__context__
    return False


class Disk:
    """What is known of the disk in this process."""

    def __init__(self) -> None:
        self._noted = float("-inf")

    def note(self, error: BaseException) -> None:
        """Something could not be stored; from any thread."""
        if is_full(error):
            self._noted = time.monotonic()

    @property
    def full(self) -> bool:
        """Whether something could not be stored lately because there is no room."""
        return time.monotonic() - self._noted < NOTED_SECONDS


disk = Disk()
"""What this process knows of it."""


def unstored(error: BaseException) -> TryAgain:
    """What whoever wanted something of the store is told, where it failed."""
    disk.note(error)
    return NoRoom() if is_full(error) else TryAgain()
