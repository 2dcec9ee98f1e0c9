"""Log formats: JSON for log collectors, text for people.

A log entry contains its message and the fields below, nothing else, so that no secret can get in: no header,
no cookie, no query parameter and no request body.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

ABOUT = ("match", "person", "command")
"""The context fields of an entry, from its `extra` or its request."""
KNOWN = (*ABOUT, "milliseconds", "status_code")
"""All fields of an entry. Those not in `ABOUT` are repeated in its message."""


class TextLines(logging.Formatter):
    """The message, followed by the known fields of `ABOUT` in brackets."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name of logging
        """The message, followed by what is known about the request."""
        said = " ".join(f"{name}={_on_one_line(value)}" for name, value in _known(record, ABOUT).items())
        return super().formatMessage(record) + (said and f" [{said}]")


class JsonLines(logging.Formatter):
    """One JSON object a line: `time`, `level`, `logger`, `message`, and the known fields of `KNOWN`."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON."""
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        said |= _known(record, KNOWN)
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False, default=str)


def _known(record: logging.LogRecord, names: Sequence[str]) -> dict[str, Any]:
    """The values of those fields, if known."""
    said = {name: value for name in names if (value := getattr(record, name, None)) is not None}
    return _of_request(getattr(record, "request", None)) | said


def _on_one_line(value: object) -> str:
    """A value that a visitor may have chosen, without line breaks."""
    return str(value).encode("unicode_escape").decode("ascii")


def _of_request(request: Any) -> dict[str, Any]:
    """The user and the match of a request, as far as they are known already."""
    # Loading the user would be a query, perhaps to a database that is down.
    person = getattr(getattr(request, "_cached_user", None), "pk", None)
    route = getattr(request, "resolver_match", None)
    match = None if route is None else route.kwargs.get("match_id")
    return {name: value for name, value in (("match", match), ("person", person)) if value is not None}
