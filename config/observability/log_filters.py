"""Filters that shorten log entries about external faults."""

import logging

from games.store.disk import is_full


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
