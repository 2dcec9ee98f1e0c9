"""Work that a process does again and again for as long as it runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import NoReturn

logger = logging.getLogger(__name__)


class Bell:
    """Has work done before its time."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def ring(self) -> None:
        """There is something to do; from any thread. Before the work has begun, it changes nothing."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self._rung.set)

    def listen(self) -> None:
        """From here on a ring counts; call it before the work, which may miss what comes during it."""
        self._loop = asyncio.get_running_loop()
        self._rung.clear()

    async def wait(self, seconds: float) -> None:
        """Return after so many seconds, or as soon as the bell rings."""
        # Python 3.11's `wait_for` forgets that it was cancelled where the bell rings at the same moment.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()


async def every(seconds: float, work: Callable[[], Awaitable[object]], bell: Bell | None = None) -> NoReturn:
    """Do the work now, and again whenever so many seconds have passed since, or the bell rings.

    The database may be away for a while: work that fails is logged once, tried again like any other,
    and logged when it succeeds.
    """
    bell, name, failing = bell or Bell(), getattr(work, "__qualname__", repr(work)), False
    while True:
        bell.listen()
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
        await bell.wait(seconds)
