"""Messages that are acted upon one after the other, each at once if nothing has to be waited for.

A message hardly ever has to wait for anything but the journal. So it is acted upon where it is read, and goes
on by hand when what it waits for is a `Brief`. Only what is left of the work once it waits for anything else
becomes a task.
"""

from __future__ import annotations

import asyncio
import time
import types
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any

Work = Coroutine[Any, Any, None]

MOST_WAITING = 100
MOST_WAITING_BYTES = 64 * 1024
"""What may wait in an inbox that is busy."""


class Overflow(Exception):
    """More messages wait than an inbox keeps."""


class Brief(asyncio.Future[None]):
    """Something that will be over in a moment: who waits for it in an inbox needs no task for that."""


class Inbox:
    """What one sender sends.

    Args:
        act: what is to be done about a message; None if nothing is.
        spawn: runs what is left of it beside.
        failed: is told of an error that `act` raised; nothing is acted upon afterwards.

    Attributes:
        received_at: when the message came that is acted upon now, on the clock of `time.perf_counter`.
    """

    def __init__(
        self,
        act: Callable[[str], Work | None],
        spawn: Callable[[Work], object],
        failed: Callable[[Exception], None],
    ) -> None:
        self._act, self._spawn, self._failed = act, spawn, failed
        # Hardly ever more than one, and an empty deque takes fourteen times the memory of an empty list.
        self._waiting: list[tuple[str, float]] = []
        self._bytes = 0
        self._busy = True
        self.received_at = 0.0

    def open(self) -> None:
        """Act upon what has come until now, and from now on upon everything."""
        self._busy = False
        self._go_on()

    def take(self, text: str) -> None:
        """A message has come. Raises `Overflow` if too many wait already."""
        if self._busy and (
            len(self._waiting) >= MOST_WAITING or self._bytes + len(text) > MOST_WAITING_BYTES
        ):
            raise Overflow
        self._waiting.append((text, time.perf_counter()))
        self._bytes += len(text)
        if not self._busy:
            self._go_on()

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting.clear()
        self._bytes = 0

    def _go_on(self) -> None:
        while self._waiting and not self._busy:
            self._busy = True
            self._run(None)

    def _run(self, work: Work | None) -> None:
        """Go on with some work until it is done or waits again; None: with what the next message comes to."""
        try:
            if work is None:
                text, self.received_at = self._waiting.pop(0)
                self._bytes -= len(text)
                work = self._act(text)
            if work is None:
                self._busy = False
                return
            waits_for = work.send(None)
        except StopIteration:
            self._busy = False
        except Exception as error:
            self._failed(error)
        else:
            if type(waits_for) is Brief:
                # So a task says that it took note.
                waits_for._asyncio_future_blocking = False
                waits_for.add_done_callback(partial(self._resume, work))
            else:
                self._spawn(self._finish(work, waits_for))

    def _resume(self, work: Work, _over: Brief) -> None:
        self._run(work)
        self._go_on()

    async def _finish(self, work: Work, waits_for: Any) -> None:
        try:
            await _rest(work, waits_for)
        except Exception as error:
            self._failed(error)
        else:
            self.open()


@types.coroutine
def _rest(work: Work, waits_for: Any) -> Generator[Any, Any, None]:
    """The rest of a coroutine that was begun by hand and waits for something."""
    while True:
        go_on = partial(work.send, None)
        try:
            yield waits_for
        except BaseException as error:
            go_on = partial(work.throw, error)
        try:
            waits_for = go_on()
        except StopIteration:
            return
