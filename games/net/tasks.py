"""Background tasks of this process: single ones, periodic ones, and batches of events."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from itertools import islice
from typing import Any, Generic, NoReturn, TypeVar

from games.net.process import process

K = TypeVar("K")
V = TypeVar("V")

RESTS_AFTER = 30.0
"""Seconds without activity after which a server rests."""
REST_SECONDS = 10.0
"""Minimum interval of periodic work while a server rests."""

logger = logging.getLogger(__name__)


class Tasks:
    """The background tasks that run."""

    def __init__(self) -> None:
        self.running: set[asyncio.Task[None]] = set()
        self.periodic: dict[str, Callable[[], Awaitable[object]]] = {}
        """The work that `every` does, by its name."""

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine in the background, keep it from being collected, and log its failure."""
        task = asyncio.ensure_future(coroutine)
        self.running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.running.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.error("a background task failed", exc_info=task.exception())


tasks = process.part(Tasks)
"""The tasks of this process."""
spawn = tasks.spawn


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
    tasks.periodic[name] = work
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


class Periodic:
    """Work that a process repeats, and does at once when it is woken.

    Args:
        seconds: the pause between two times.
        work: the work, under a name of its own.
    """

    def __init__(self, seconds: float, work: Callable[[], Awaitable[object]]) -> None:
        self._seconds, self._work, self._wakeup = seconds, work, Wakeup()

    def begin(self) -> None:
        """Start, in the event loop."""
        spawn(every(self._seconds, self._work, self._wakeup))

    def wake(self) -> None:
        """Do it now; from any thread. Other processes notice at their next time."""
        self._wakeup.wake()


class Debouncer(Generic[K, V]):
    """Collects values and delivers them together, a fixed delay after the first one.

    A later value replaces an earlier one with the same key.

    Args:
        seconds: the delay.
        deal: called in the event loop with the values by key, in order of first arrival; must not block.
        most: maximum values per call of `deal`, which is called again for the rest; None: no limit.
    """

    def __init__(
        self, seconds: float, deal: Callable[[Mapping[K, V]], None], most: int | None = None
    ) -> None:
        self._seconds, self._deal, self._most = seconds, deal, most
        self._values: dict[K, V] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def note(self, key: K, value: V) -> None:
        """Add a value, or replace the one with this key."""
        loop = asyncio.get_running_loop()
        # If the previous loop was closed before delivery, deliver in the new one.
        if not self._values or loop is not self._loop:
            self._loop = loop
            loop.call_later(self._seconds, self._deliver)
        self._values[key] = value

    def __contains__(self, key: K) -> bool:
        return key in self._values

    def _deliver(self) -> None:
        came, self._values = iter(self._values.items()), {}
        while some := dict(islice(came, self._most)):
            self._deal(some)
