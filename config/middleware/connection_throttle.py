"""Limits how many WebSockets are opened at once. The others wait, so that open ones stay fast in a rush.

Opening one reads the user and the first messages from the store: some milliseconds of work. A thousand at
once would delay every move.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from games.net.process import process
from games.net.sockets import RELEASE_SLOT_KEY

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

MAX_OPENING = 2
"""How many are opened at once: while one waits for the store, the other uses the processor."""
SLOT_SECONDS = 0.1
"""A socket gives up its slot after this time. If it is not open by then it only waits, and uses no processor.
"""


slots = process.part(asyncio.Semaphore, MAX_OPENING)
"""The free slots of this process. A semaphore belongs to the event loop in which it was first waited for."""


class ConnectionThrottle:
    """ASGI middleware that opens WebSockets in the order in which they came."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        await slots.acquire()
        slot = _Slot(slots)
        try:
            scope[RELEASE_SLOT_KEY] = slot.release
            await self._application(scope, receive, send)
        finally:
            slot.release()


class _Slot:
    """The slot of one socket, which is released once."""

    def __init__(self, slots: asyncio.Semaphore) -> None:
        self._slots: asyncio.Semaphore | None = slots
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(
            SLOT_SECONDS, self.release
        )

    def release(self) -> None:
        """Let the next socket open."""
        if self._slots is not None and self._timer is not None:
            self._slots.release()
            self._timer.cancel()
            self._slots = self._timer = None
