"""Periodic background work."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import NoReturn

logger = logging.getLogger(__name__)


class Wakeup:
    """Starts periodic work early."""

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def wake(self) -> None:
        """Start the work now. Safe from any thread. Does nothing before `listen` was called."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self._woken.set)

    def listen(self) -> None:
        """Start to notice `wake`. Call it before the work, so that no `wake` during the work is lost."""
        self._loop = asyncio.get_running_loop()
        self._woken.clear()

    async def wait(self, seconds: float) -> None:
        """Return after so many seconds, or at `wake`."""
        # In Python 3.11 `wait_for` loses a cancellation that coincides with the wakeup.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()


async def every(
    seconds: float, work: Callable[[], Awaitable[object]], wakeup: Wakeup | None = None
) -> NoReturn:
    """Do the work now, then every so many seconds, and at each `wakeup.wake()`.

    The work may fail, for instance while the database is down. The first failure in a row is logged, and the
    recovery too.
    """
    wakeup, name, failing = wakeup or Wakeup(), getattr(work, "__qualname__", repr(work)), False
    while True:
        wakeup.listen()
        try:
            await work()
        except Exception:
            if not failing:
                logger.exception("%s failed, and is tried again every %g seconds", name, seconds)
            failing = True
        else:
            if failing:
                logger.warning("%s works again", name)
            failing = False
        await wakeup.wait(seconds)
