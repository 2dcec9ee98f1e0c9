"""Waiting inside an event loop for something to become true."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable

from tools.harness.patience import patience


async def eventually(
    true: Callable[[], object] | Callable[[], Awaitable[object]], seconds: float = 20.0
) -> None:
    """Return once a condition, which may be a coroutine function, is true.

    Args:
        true: the condition.
        seconds: how long to wait on an idle machine.

    Raises:
        TimeoutError: it was not true in time.
    """
    async with asyncio.timeout(patience(seconds)):
        while True:
            answer = true()
            if await answer if inspect.isawaitable(answer) else answer:
                return
            await asyncio.sleep(0.01)
