"""Logs slow queries and whatever blocks the event loop."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from games.net.limits import Bucket
from games.net.measures import measures
from games.net.process import process
from games.net.tasks import activity

SLOW = 0.1
"""Seconds that a query, or one iteration of the event loop, may take."""
LOOK_EVERY = 0.05
REST_LOOK = 1.0
"""Seconds between two looks while the process rests, when nobody waits for the event loop."""
LONGEST_SQL = 500
INNERMOST = 3
"""How many frames of a blocking call stack are logged."""

logger = logging.getLogger(__name__)
# Limits the entries of a site that is slow everywhere.
_complaints = process.part(Bucket, 2.0, 20.0, 20.0, time.monotonic())


def begin() -> None:
    """Start watching. Call it in the event loop."""
    connection_created.connect(_watch_connection)
    LoopWatch(asyncio.get_running_loop()).begin()


def _watch_connection(connection: BaseDatabaseWrapper, **_: Any) -> None:
    # A connection that was reopened still has it.
    if _timed not in connection.execute_wrappers:
        connection.execute_wrappers.append(_timed)


def _timed(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Run and time a query. Its parameters may be secrets and are not logged."""
    begun = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        seconds = time.perf_counter() - begun
        if seconds > SLOW:
            measures.slow_queries += 1
            if _complaints.take(time.monotonic()):
                _say("a query took %d ms: %s", seconds, str(sql)[:LONGEST_SQL])


class LoopWatch:
    """A thread that notices when the event loop is blocked, and logs where."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._thread = loop, threading.get_ident()
        self._due = time.monotonic()
        self._where = ""

    def begin(self) -> None:
        """Watch until the process ends."""
        self._came_round()
        threading.Thread(target=self._look, name="loop-watch", daemon=True).start()

    def _came_round(self) -> None:
        """The loop has run the scheduled callback."""
        now = time.monotonic()
        late, where = max(0.0, now - self._due), self._where
        measures.loop_seconds.note(late)
        if late > SLOW and _complaints.take(now):
            _say("the event loop was kept for %d ms%s", late, where and f" in {where}")
        pause = _pause()
        self._where, self._due = "", now + pause
        self._loop.call_later(pause, self._came_round)

    def _look(self) -> None:
        while threading.main_thread().is_alive():
            time.sleep(_pause())
            if time.monotonic() - self._due > SLOW / 2 and not self._where:
                frame = sys._current_frames().get(self._thread)
                self._where = " < ".join(
                    f"{call.name} ({Path(call.filename).name}:{call.lineno})"
                    for call in reversed(traceback.extract_stack(frame)[-INNERMOST:])
                )


def _pause() -> float:
    return REST_LOOK if activity.resting else LOOK_EVERY


def _say(words: str, seconds: float, what: str) -> None:
    milliseconds = round(seconds * 1000)
    logger.info(words, milliseconds, what, extra={"milliseconds": milliseconds})
