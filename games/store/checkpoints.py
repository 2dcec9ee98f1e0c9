"""Beside those who write, the log of SQLite is copied into its file.

Left to itself SQLite has whoever commits the thousandth page copy the log and flush the file: 5 to 10 ms,
or as long as the disk takes, for which everybody who writes waits.
"""

from __future__ import annotations

from typing import Any, cast

from django.db import connection

from games.net.threads import in_thread

EVERY = 0.25
"""Seconds between two looks."""
ENOUGH = 1000
"""Transactions after which it is done: about as many as fill five thousand pages, twenty megabytes.

Whoever commits meanwhile waits for the same disk, and for a moment for the copying itself: with two hundred
one move in a hundred did where three hundred are played a second.
"""


class Checkpoints:
    """Those of one process on SQLite, whose connections are `config.sqlite`'s."""

    def __init__(self) -> None:
        self._copied = 0

    async def once(self) -> None:
        """Copy the log if enough has been written since it was done last. Raises `DatabaseError`."""
        turns = cast(Any, connection).turns
        if turns.over - self._copied >= ENOUGH:
            await in_thread(copy_log)()
            self._copied = turns.over


def copy_log() -> None:
    """Copy the log of this thread's connection."""
    cast(Any, connection).checkpoint()
