"""Background tasks of this process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from games.net.process import process

logger = logging.getLogger(__name__)


class Tasks:
    """The background tasks that run."""

    def __init__(self) -> None:
        self.running: set[asyncio.Task[None]] = set()

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
