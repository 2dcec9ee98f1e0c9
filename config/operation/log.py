"""Lines of the log as JSON, for programs that collect them.

What is put into a line beside its words are the fields below and nothing else, so that no secret gets in by
the way: no header, no cookie, no parameter of a query and no body of a request.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

KNOWN = ("match", "person", "command", "milliseconds", "queries", "where", "status_code")
"""What a line may say beside its words, as its `extra` or by the request that it is about."""


class JsonLines(logging.Formatter):
    """One JSON object a line: `time`, `level`, `logger`, `message`, and what is known of those in `KNOWN`."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        said |= _of_request(getattr(record, "request", None))
        said |= {name: value for name in KNOWN if (value := getattr(record, name, None)) is not None}
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False, default=str)


def _of_request(request: Any) -> dict[str, Any]:
    """Whose request it was and what match it was about, as far as that is known already."""
    # Asking for the user would be a query, perhaps to a database that is away.
    person = getattr(getattr(request, "_cached_user", None), "pk", None)
    route = getattr(request, "resolver_match", None)
    match = None if route is None else route.kwargs.get("match_id")
    return {name: value for name, value in (("match", match), ("person", person)) if value is not None}
