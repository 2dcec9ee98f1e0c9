"""Background checkpoints of SQLite's write-ahead log.

By default SQLite checkpoints within the commit that fills the thousandth page. That takes 5 to 10 ms, more on
a slow disk, and blocks all writers. Without this module, p99 at 300 moves a second is 1.3 to 1.6 times as
long.
"""

from __future__ import annotations

from typing import Any, cast

from django.db import connection

from games.net.threads import in_thread

EVERY = 0.25
"""Seconds between two checks."""
TRANSACTIONS_PER_CHECKPOINT = 1000
"""Transactions between two checkpoints: about five thousand pages, twenty megabytes.

Commits during a checkpoint wait for the disk and briefly for the checkpoint. At 200 transactions, and 300
moves a second, one move in a hundred was affected.
"""


class Checkpoints:
    """The checkpoints of one process. SQLite only, with the database backend of `config.sqlite`."""

    def __init__(self) -> None:
        self._copied = 0

    async def once(self) -> None:
        """Checkpoint if enough transactions were committed since the last one. Raises `DatabaseError`."""
        lock = cast(Any, connection).write_lock
        if lock.releases - self._copied >= TRANSACTIONS_PER_CHECKPOINT:
            await in_thread(copy_log)()
            self._copied = lock.releases


def copy_log() -> None:
    """Checkpoint through this thread's connection."""
    cast(Any, connection).checkpoint()
