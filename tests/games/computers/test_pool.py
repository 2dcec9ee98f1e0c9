"""The queue before a process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from games.computers.pool import Busy, SerialPool


@pytest.fixture
async def pool() -> AsyncIterator[SerialPool]:
    pool = SerialPool(1)
    yield pool
    await pool.close()


async def test_job_keeps_its_place_after_its_client_left(pool: SerialPool) -> None:
    waiting = asyncio.ensure_future(pool.ask_in_line(time.sleep, 20))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with pytest.raises(Busy):
        await pool.ask_in_line(time.sleep, 0)


async def test_job_that_ends_frees_its_place(pool: SerialPool) -> None:
    for _ in range(2):
        await pool.ask_in_line(time.sleep, 0)
