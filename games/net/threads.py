"""Database work and everything costly, outside the event loop."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from channels.db import database_sync_to_async

from games.net.costs import timed

P = ParamSpec("P")
T = TypeVar("T")

_many = ThreadPoolExecutor(thread_name_prefix="database")
_one = ThreadPoolExecutor(1, "background")


def in_thread(work: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Run a whole unit of work, transaction included, in any free thread, and charge its processor time.

    By default Channels runs all of them in one thread, where one slow query delays every socket. The threads
    of the event loop are left to Django: it logs error responses there, such as that of `/readyz`, which must
    not wait for an unreachable database.
    """
    return database_sync_to_async(timed(work), thread_sensitive=False, executor=_many)


def in_low_priority_thread(work: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """The same for work that nothing waits for, one job at a time."""
    return database_sync_to_async(timed(work), thread_sensitive=False, executor=_one)
