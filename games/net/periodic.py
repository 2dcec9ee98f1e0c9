"""Periodic background work."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import NoReturn

from games.net.process import process

RESTS_AFTER = 30.0
"""Seconds without activity after which a server rests."""
REST_SECONDS = 5.0
"""Minimum interval of periodic work while a server rests."""

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


class Activity:
    """Whether this process has anything to do. If not, it rests: periodic work is done less often.

    Requests, messages of clients and running live clocks are activity. A process rests only after `begin`.
    """

    def __init__(self) -> None:
        self._rests = False
        self._last = 0.0
        self._sleeping: set[Wakeup] = set()

    def begin(self) -> None:
        """Allow this process to rest."""
        self._last = time.monotonic()
        self._rests = True

    def note(self) -> None:
        """Note activity. Wakes all periodic work if the process was at rest. Safe from any thread."""
        resting = self.resting
        self._last = time.monotonic()
        if resting:
            for wakeup in tuple(self._sleeping):
                wakeup.wake()

    @property
    def resting(self) -> bool:
        """Whether there was no activity for a while."""
        return self._rests and time.monotonic() - self._last > RESTS_AFTER

    async def wait(self, seconds: float, wakeup: Wakeup) -> None:
        """Return after so many seconds, at rest after `REST_SECONDS` at least, or when woken."""
        self._sleeping.add(wakeup)
        try:
            await wakeup.wait(max(seconds, REST_SECONDS) if self.resting else seconds)
        finally:
            self._sleeping.discard(wakeup)


activity = process.part(Activity)
"""The activity of this process."""


async def every(
    seconds: float,
    work: Callable[[], Awaitable[object]],
    wakeup: Wakeup | None = None,
    *,
    rests: bool = True,
) -> NoReturn:
    """Do the work now, then every so many seconds, and at each `wakeup.wake()`.

    The work may fail, for instance while the database is down. The first failure in a row is logged, and the
    recovery too.

    Args:
        rests: whether the work is done less often while the process rests (`Activity`).
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
        await (activity.wait(seconds, wakeup) if rests else wakeup.wait(seconds))
