"""Moments as they are counted and as they are written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.domain import instants

# Until the year 9999; clocks of computers begin in 1970.
counted = st.integers(0, 253_402_300_799_999)


@given(counted)
def test_timestamp_read_back_is_same_millisecond(milliseconds: int) -> None:
    written = instants.written(milliseconds)
    assert instants.milliseconds(datetime.fromisoformat(written)) == milliseconds
    assert written == instants.timestamp(instants.moment(milliseconds))


@pytest.mark.parametrize(
    ("at", "written"),
    [
        (datetime(2026, 11, 24, 19, 0, tzinfo=UTC), "2026-11-24T19:00:00.000Z"),
        (datetime(2026, 11, 24, 19, 0, 5, 7_999, tzinfo=UTC), "2026-11-24T19:00:05.007Z"),
        (datetime(2026, 11, 24, 19, tzinfo=timezone(timedelta(hours=2))), "2026-11-24T17:00:00.000Z"),
    ],
)
def test_a_moment_is_written_in_utc_to_the_millisecond(at: datetime, written: str) -> None:
    assert instants.timestamp(at) == written
