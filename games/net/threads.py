"""Database work outside the event loop."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from channels.db import database_sync_to_async

in_thread = partial(
    database_sync_to_async, thread_sensitive=False, executor=ThreadPoolExecutor(thread_name_prefix="database")
)
"""Run a whole unit of database work, transaction included, in any free thread.

By default Channels runs all of them in one thread, where one slow query delays every socket. The threads of
the event loop are left to Django: it logs error responses there, such as that of `/readyz`, which must not
wait for an unreachable database.
"""


in_low_priority_thread = partial(
    database_sync_to_async, thread_sensitive=False, executor=ThreadPoolExecutor(1, "background")
)
"""The same for work that nothing waits for, one job at a time."""
