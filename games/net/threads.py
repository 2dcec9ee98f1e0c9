"""Database work outside the event loop."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar, cast

from channels.db import database_sync_to_async
from django.db import connection

T = TypeVar("T")

in_thread = partial(
    database_sync_to_async, thread_sensitive=False, executor=ThreadPoolExecutor(thread_name_prefix="database")
)
"""Run a whole unit of database work, transaction included, in any free thread.

By default Channels runs all of them in one thread, where one slow query delays every socket. The threads of
the event loop are left to Django: it logs error responses there, such as that of `/readyz`, which must not
wait for an unreachable database.
"""


def _disable_flush() -> None:
    if connection.vendor == "sqlite":
        cast(Any, connection).flushes = False


class ThrottledExecutor(ThreadPoolExecutor):
    """A single worker limited to half a CPU: it sleeps after each job for that job's CPU time.

    A busy thread delays the event loop each time the loop releases the GIL, as for every frame it sends.
    Without the pauses, many jobs in a row (fifty matches ending at once) left the loop no time to catch up.

    On SQLite its commits do not wait for the disk, so that moves do not wait for these flushes as well as
    their own. Work lost in a power cut is done again: an ended match is still marked as unsettled.
    """

    def __init__(self, name: str) -> None:
        super().__init__(1, name, initializer=_disable_flush)
        self._idle_until = 0.0

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        return super().submit(self._run_throttled, fn, *args, **kwargs)

    def _run_throttled(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
        time.sleep(max(0.0, self._idle_until - time.monotonic()))
        used = time.thread_time()
        try:
            return fn(*args, **kwargs)
        finally:
            self._idle_until = time.monotonic() + time.thread_time() - used


in_low_priority_thread = partial(
    database_sync_to_async, thread_sensitive=False, executor=ThrottledExecutor("background")
)
"""The same for work that nothing waits for, one job at a time, with little effect on running matches."""
