"""Lines of the log: as JSON for programs that collect them, and as text for people.

What is put into a line beside its words are the fields below and nothing else, so that no secret gets in by
the way: no header, no cookie, no parameter of a query and no body of a request.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

ABOUT = ("match", "person", "command")
"""What a line is about, as its `extra` or the request in that says."""
KNOWN = (*ABOUT, "milliseconds", "status_code")
"""What a line may say beside its words; all but what it is about is in its words as well."""


class TextLines(logging.Formatter):
    """A line of words, and after them in brackets what is known of those in `ABOUT`."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name of logging
        said = " ".join(f"{name}={_on_one_line(value)}" for name, value in _known(record, ABOUT).items())
        return super().formatMessage(record) + (said and f" [{said}]")


class JsonLines(logging.Formatter):
    """One JSON object a line: `time`, `level`, `logger`, `message`, and what is known of those in `KNOWN`."""

    def format(self, record: logging.LogRecord) -> str:
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
    """What is known of those names."""
    said = {name: value for name in names if (value := getattr(record, name, None)) is not None}
    return _of_request(getattr(record, "request", None)) | said


def _on_one_line(value: object) -> str:
    """A value of which a visitor may have chosen the letters."""
    return str(value).encode("unicode_escape").decode("ascii")


def _of_request(request: Any) -> dict[str, Any]:
    """Whose request it was and what match it was about, as far as that is known already."""
    # Asking for the user would be a query, perhaps to a database that is away.
    person = getattr(getattr(request, "_cached_user", None), "pk", None)
    route = getattr(request, "resolver_match", None)
    match = None if route is None else route.kwargs.get("match_id")
    return {name: value for name, value in (("match", match), ("person", person)) if value is not None}
