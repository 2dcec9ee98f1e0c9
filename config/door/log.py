"""What stands in the log of what was wrong outside of the program: a line each."""

import logging

from games.store.disk import is_full


class OneLineForClients(logging.Filter):
    """Leaves the traceback out of what a client did wrong, of which anybody could have any number written."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


class OneLineForTheDisk(logging.Filter):
    """Leaves the traceback out of what a full disk refuses, the same for everything that anybody does."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and is_full(record.exc_info[1]):
            record.msg, record.args = f"{record.getMessage()}: the disk is full", None
            record.exc_info = record.exc_text = None
        return True
