"""Moments as the clocks count them, whole milliseconds of Unix time, and as they are written."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> int:
    """The moment it is. The processes of a site are expected to agree on it, as NTP makes them."""
    return time.time_ns() // 1_000_000


def moment(milliseconds: int) -> datetime:
    """As the database has it, aware and in UTC."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def milliseconds(at: datetime) -> int:
    """The other way round; parts of a millisecond are dropped."""
    return int(at.replace(microsecond=0).timestamp()) * 1000 + at.microsecond // 1000


def timestamp(at: datetime) -> str:
    """A moment as RFC 3339 text in UTC, to the millisecond."""
    return written(milliseconds(at))


def written(milliseconds: int) -> str:
    """The same of a moment as the clocks count it."""
    second, rest = divmod(milliseconds, 1000)
    return f"{_second_written(second)}.{rest:03d}Z"


def read(text: str) -> int:
    """What `written` wrote, in milliseconds."""
    return milliseconds(datetime.fromisoformat(text))


@lru_cache(1000)
def _second_written(second: int) -> str:
    # Most that is written is of the same few seconds, and to write one takes longer than the rest of a ply.
    return moment(second * 1000).isoformat()[: -len("+00:00")]
