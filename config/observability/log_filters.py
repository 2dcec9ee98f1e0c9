"""Filters that shorten log entries about external faults."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence

from games.store.disk import is_full, with_causes

UNREACHABLE = ("08", "57")
"""The SQLSTATE classes of a lost connection and of a server that ends."""


class ShortClientErrors(logging.Filter):
    """Drops tracebacks of 4xx errors, so that clients cannot flood the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Remove tracebacks of responses with a 4xx status."""
        if 400 <= getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


class ShortFaults(logging.Filter):
    """Keeps one line a minute about each fault of a service that the site needs, without a traceback.

    Every move, every loop and every attempt to connect fails meanwhile.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace tracebacks of known faults by a sentence, at most once a minute for each."""
        fault = next((sentence for sentence, is_it in FAULTS if is_it(record)), None)
        if fault is None:
            return True
        now = time.monotonic()
        if now - self._said.get(fault, float("-inf")) < 60:
            return False
        self._said[fault] = now
        record.msg, record.args = f"{fault}. This is said once a minute.", None
        record.levelno, record.levelname = logging.ERROR, "ERROR"
        record.exc_info = record.exc_text = None
        return True


def _error(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if record.exc_info else None


def _is_full_disk(record: logging.LogRecord) -> bool:
    return is_full(_error(record))


def _is_unreachable_postgres(record: logging.LogRecord) -> bool:
    return record.name.startswith("psycopg.pool") or any(
        # An error of the connection itself has no SQLSTATE.
        _is_a(each, "psycopg", "OperationalError")
        and (getattr(each, "sqlstate", None) or "08").startswith(UNREACHABLE)
        for each in with_causes(_error(record))
    )


def _is_unreachable_redis(record: logging.LogRecord) -> bool:
    return any(
        _is_a(each, "redis.exceptions", "ConnectionError", "TimeoutError")
        for each in with_causes(_error(record))
    )


def _is_a(error: BaseException, module: str, *names: str) -> bool:
    """Whether an error is of a class. By name, as a site without PostgreSQL or Redis loads no client."""
    return any(kind.__module__ == module and kind.__name__ in names for kind in type(error).__mro__)


FAULTS: Sequence[tuple[str, Callable[[logging.LogRecord], bool]]] = (
    ("The disk is full", _is_full_disk),
    ("PostgreSQL cannot be reached", _is_unreachable_postgres),
    ("Redis cannot be reached", _is_unreachable_redis),
)
"""What log entries say of each fault, and which entries are about it."""
