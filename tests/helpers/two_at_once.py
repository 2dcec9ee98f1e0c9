"""Two transactions at the same time, each in a thread with a connection of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection, transaction

from tools.harness.patience import wait_until

WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
)


def meanwhile(
    first: Callable[[], object], second: Callable[[], object], then: Callable[[], object] = lambda: None
) -> BaseException | None:
    """Do `second` after `first`, then `then` in the transaction of `first`.

    That begins once `second` waits for the transaction or has ended; on SQLite it waits before its first
    query. Returns what `second` has raised.
    """

    def do() -> None:
        try:
            second()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            other = pool.submit(do)
            wait_until(lambda: other.done() or _is_waiting(), "the second to wait or to end")
            then()
        return other.exception()


def _is_waiting() -> bool:
    if connection.vendor == "sqlite":
        return True
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return bool(cursor.fetchone()[0])
