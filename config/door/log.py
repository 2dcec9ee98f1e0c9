"""What stands in the log of requests that were wrong: a line each."""

import logging


class OneLineForClients(logging.Filter):
    """Leaves the traceback out of what a client did wrong, of which anybody could have any number written."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True
