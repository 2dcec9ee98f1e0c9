"""Sockets are let in by turns: whoever is inside already does not wait while a thousand come at once.

To let somebody in asks the store who they are and what they are to be shown, some milliseconds of work. The
work of a thousand, all begun at once, would stand before every move of everybody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from games.net.sockets import INSIDE

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

AT_ONCE = 2
"""How many are let in at a time: while one waits for the store, the other is worked for."""
TURN_SECONDS = 0.1
"""After which the next one has their turn: whoever is not in by then only waits, and costs nothing."""


class ByTurns:
    """Lets sockets in, those first that came first."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        await self._turns.acquire()
        turn = _Turn(self._turns)
        try:
            scope[INSIDE] = turn.end
            await self._application(scope, receive, send)
        finally:
            turn.end()


class _Turn:
    """The turn of one socket, which ends once."""

    def __init__(self, turns: asyncio.Semaphore) -> None:
        self._turns: asyncio.Semaphore | None = turns
        self._late: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(TURN_SECONDS, self.end)

    def end(self) -> None:
        """Let the next one in."""
        if self._turns is not None and self._late is not None:
            self._turns.release()
            self._late.cancel()
            self._turns = self._late = None
