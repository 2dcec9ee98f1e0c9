"""Detects a full disk from failed writes."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator

from games.domain.refusals import DiskFullUnavailable, SavingUnavailable
from games.net.process import process

DISK_FULL = "53100"
"""The SQLSTATE of PostgreSQL."""
NOTED_SECONDS = 5.0
"""Seconds for which a failure counts. Every heartbeat writes meanwhile, so a full disk fails again soon."""


def with_causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and its causes; nothing for None."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or one of its causes, is a full disk."""
    return any(
        getattr(each, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        or getattr(each, "sqlstate", None) == DISK_FULL
        for each in with_causes(error)
    )


class Disk:
    """The state of the disk as this process knows it."""

    def __init__(self) -> None:
        self._noted = float("-inf")

    def note(self, error: BaseException) -> None:
        """Record a failed write. Safe from any thread."""
        if is_full(error):
            self._noted = time.monotonic()

    @property
    def full(self) -> bool:
        """Whether a write failed recently because the disk was full."""
        return time.monotonic() - self._noted < NOTED_SECONDS


disk = process.part(Disk)
"""The disk state of this process."""


def unstored(error: BaseException) -> SavingUnavailable:
    """Record a database error, and return the refusal to raise for it."""
    disk.note(error)
    return DiskFullUnavailable() if is_full(error) else SavingUnavailable()
