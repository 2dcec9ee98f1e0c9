"""The messages of one connection, handled in order, one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from typing import Any

Work = Coroutine[Any, Any, None]

MAX_WAITING = 100
MAX_WAITING_CHARACTERS = 64 * 1024
"""What may wait while an earlier message is handled."""


class Overflow(Exception):
    """More messages wait than the queue keeps."""


class MessageQueue:
    """Handles each message once the one before it is done.

    Args:
        handle: what to do with a message: a coroutine to run, or None if nothing is left to do.
        spawn: runs a coroutine as a task.
        on_error: called with what `handle` or its coroutine raised. Nothing is handled afterwards.

    Attributes:
        received_at: when the message arrived that is handled now, by `time.perf_counter`.
    """

    def __init__(
        self,
        handle: Callable[[str], Work | None],
        spawn: Callable[[Work], object],
        on_error: Callable[[Exception], None],
    ) -> None:
        self._handle, self._spawn, self._on_error = handle, spawn, on_error
        # Hardly ever more than one, and an empty deque takes ten times the memory of an empty list.
        self._waiting: list[tuple[str, float]] = []
        self._characters = 0
        self._busy = True
        self.received_at = 0.0

    def start(self) -> None:
        """Handle what has arrived until now, and from now on every message."""
        self._busy = False
        self._handle_waiting()

    def put(self, text: str) -> None:
        """Add a message that has arrived. Raises `Overflow` if too many wait already."""
        if self._busy and (
            len(self._waiting) >= MAX_WAITING or self._characters + len(text) > MAX_WAITING_CHARACTERS
        ):
            raise Overflow
        self._waiting.append((text, time.perf_counter()))
        self._characters += len(text)
        self._handle_waiting()

    def clear(self) -> None:
        """Drop what waits."""
        self._waiting.clear()
        self._characters = 0

    def _handle_waiting(self) -> None:
        while self._waiting and not self._busy:
            text, self.received_at = self._waiting.pop(0)
            self._characters -= len(text)
            self._busy = True
            try:
                work = self._handle(text)
            except Exception as error:
                self._on_error(error)
                return
            if work is None:
                self._busy = False
            else:
                self._spawn(self._finish(work))

    async def _finish(self, work: Work) -> None:
        try:
            await work
        except Exception as error:
            self._on_error(error)
        else:
            self.start()
