"""Work that a process does again and again for as long as it runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import NoReturn

logger = logging.getLogger(__name__)


class Wakeup:
    """Has work done before its time."""

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def wake(self) -> None:
        """There is something to do; from any thread. Before the work has begun, it changes nothing."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self._woken.set)

    def listen(self) -> None:
        """From here on `wake` counts; call it before the work, which may miss what comes during it."""
        self._loop = asyncio.get_running_loop()
        self._woken.clear()

    async def wait(self, seconds: float) -> None:
        """Return after so many seconds, or as soon as it is woken."""
        # Python 3.11's `wait_for` forgets that it was cancelled where it is woken at the same moment.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()


async def every(
    seconds: float, work: Callable[[], Awaitable[object]], wakeup: Wakeup | None = None
) -> NoReturn:
    """Do the work now, and again whenever so many seconds have passed since, or it is woken.

    The database may be away for a while: work that fails is logged once, tried again like any other,
    and logged when it succeeds.
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
