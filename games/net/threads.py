"""Database work beside the event loop."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from channels.db import database_sync_to_async

in_thread = partial(database_sync_to_async, thread_sensitive=False)
"""Run a whole unit of database work, transaction included, in any free thread.

Channels' default puts all of them into one thread, where one slow query delays every socket.
"""

in_background = partial(
    database_sync_to_async, thread_sensitive=False, executor=ThreadPoolExecutor(1, "background")
)
"""The same for what nobody waits for: one after the other, so that matches in play hardly notice."""
