"""Conversions between times: milliseconds of Unix time, datetimes and RFC 3339 text."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from games.domain import clock
from games.domain.clock import Clocks, Control

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> int:
    """The current time in milliseconds. The processes of a site need synchronised clocks (NTP)."""
    return time.time_ns() // 1_000_000


def moment(milliseconds: int) -> datetime:
    """Milliseconds to an aware datetime in UTC, as in the database."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def milliseconds(at: datetime) -> int:
    """A datetime to milliseconds, rounded down."""
    return int(at.replace(microsecond=0).timestamp()) * 1000 + at.microsecond // 1000


def timestamp(at: datetime) -> str:
    """A datetime as RFC 3339 text in UTC, to the millisecond."""
    return written(milliseconds(at))


def written(milliseconds: int) -> str:
    """Milliseconds as RFC 3339 text."""
    second, rest = divmod(milliseconds, 1000)
    return f"{_second_written(second)}.{rest:03d}Z"


def read(text: str) -> int:
    """Parse a result of `written` to milliseconds."""
    return milliseconds(datetime.fromisoformat(text))


@lru_cache(1000)
def _second_written(second: int) -> str:
    # Cached: most times fall into the same few seconds, and formatting takes longer than the rest of a ply.
    return moment(second * 1000).isoformat()[: -len("+00:00")]


def deadline(control: Control, clocks: Clocks | None) -> datetime | None:
    """When the time of the seat on turn is up, for the database column; None without a running clock."""
    due = None if clocks is None else clock.deadline(control, clocks)
    return None if due is None else moment(due)
