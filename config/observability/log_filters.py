"""Filters that shorten log entries about external faults."""

from __future__ import annotations

import logging
import time

import psycopg

from games.store.disk import is_full, with_causes

UNREACHABLE = ("08", "57")
"""The SQLSTATE classes of a lost connection and of a server that ends."""


class ShortClientErrors(logging.Filter):
    """Drops tracebacks of 4xx errors, so that clients cannot flood the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


class ShortDiskErrors(logging.Filter):
    """Drops tracebacks of disk-full errors, which are the same for every write."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and is_full(record.exc_info[1]):
            record.msg, record.args = f"{record.getMessage()}: the disk is full", None
            record.exc_info = record.exc_text = None
        return True


class ShortDatabaseErrors(logging.Filter):
    """Keeps one line a minute about a PostgreSQL that cannot be reached, without a traceback.

    Every move, every loop and every attempt of the pool fails meanwhile.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said = float("-inf")

    def filter(self, record: logging.LogRecord) -> bool:
        if not _is_unreachable(record):
            return True
        if time.monotonic() - self._said < 60:
            return False
        self._said = time.monotonic()
        record.msg, record.args = "PostgreSQL cannot be reached. This is said once a minute.", None
        record.exc_info = record.exc_text = None
        return True


def _is_unreachable(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return record.name.startswith("psycopg.pool") or any(
        # An error of the connection itself has no SQLSTATE.
        isinstance(each, psycopg.OperationalError) and (each.sqlstate or "08").startswith(UNREACHABLE)
        for each in with_causes(error)
    )
