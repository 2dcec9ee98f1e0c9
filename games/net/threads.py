"""Database work beside the event loop."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar, cast

from channels.db import database_sync_to_async
from django.db import connection

T = TypeVar("T")

in_thread = partial(database_sync_to_async, thread_sensitive=False)
"""Run a whole unit of database work, transaction included, in any free thread.

Channels' default puts all of them into one thread, where one slow query delays every socket.
"""


def _flush_later() -> None:
    if connection.vendor == "sqlite":
        cast(Any, connection).flushes = False


class ThrottledExecutor(ThreadPoolExecutor):
    """One thread, which rests between pieces of work for as long as the last one has used the processor.

    A thread at work holds the event loop up whenever that lets go of the interpreter, which it does for every
    frame it sends. Many pieces in a row, as when fifty matches end at once, left it no time to catch up.

    On SQLite its commits wait for no disk, so that who stores moves, and waits for them, waits for no disk
    twice. What a power cut undoes is done again: a match that has ended has its results still to come.
    """

    def __init__(self, name: str) -> None:
        super().__init__(1, name, initializer=_flush_later)
        self._rested = 0.0

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        return super().submit(self._after_a_rest, fn, *args, **kwargs)

    def _after_a_rest(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
        time.sleep(max(0.0, self._rested - time.monotonic()))
        used = time.thread_time()
        try:
            return fn(*args, **kwargs)
        finally:
            self._rested = time.monotonic() + time.thread_time() - used


in_low_priority_thread = partial(
    database_sync_to_async, thread_sensitive=False, executor=ThrottledExecutor("background")
)
"""The same for what nobody waits for: one after the other, so that matches in play hardly notice."""
