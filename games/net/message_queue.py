"""The messages of one connection, handled in order, one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from typing import Any

Work = Coroutine[Any, Any, None]

MAX_WAITING = 100
MAX_WAITING_CHARACTERS = 64 * 1024
"""Limit of the messages that wait while an earlier one is handled."""


class Overflow(Exception):
    """The queue is full."""


class MessageQueue:
    """Handles each message once the one before it is done.

    Args:
        handle: handles a message. Returns a coroutine to run, or None if it is done.
        spawn: runs a coroutine as a task.
        on_error: called with the exception of `handle` or its coroutine. Nothing is handled afterwards.

    Attributes:
        received_at: when the current message arrived, by `time.perf_counter`.
    """

    def __init__(
        self,
        handle: Callable[[str], Work | None],
        spawn: Callable[[Work], object],
        on_error: Callable[[Exception], None],
    ) -> None:
        self._handle, self._spawn, self._on_error = handle, spawn, on_error
        # A list, since it hardly ever has two entries, and an empty deque takes ten times the memory.
        self._waiting: list[tuple[str, float]] = []
        self._characters = 0
        self._busy = True
        self.received_at = 0.0

    def start(self) -> None:
        """Handle the messages that have arrived, and from now on every new one."""
        self._busy = False
        self._handle_waiting()

    def put(self, text: str) -> None:
        """Add a message. Raises `Overflow` if the queue is full."""
        if self._busy and (
            len(self._waiting) >= MAX_WAITING or self._characters + len(text) > MAX_WAITING_CHARACTERS
        ):
            raise Overflow
        self._waiting.append((text, time.perf_counter()))
        self._characters += len(text)
        self._handle_waiting()

    def clear(self) -> None:
        """Drop the waiting messages."""
        self._waiting.clear()
        self._characters = 0

    def _handle_waiting(self) -> None:
        while self._waiting and not self._busy:
            text, self.received_at = self._waiting.pop(0)
            self._characters -= len(text)
            self._busy = True
            try:
                work = self._handle(text)
            except Exception as error:  # noqa: BLE001 - the owner logs it and closes the socket
                self._on_error(error)
                return
            if work is None:
                self._busy = False
            else:
                self._spawn(self._finish(work))

    async def _finish(self, work: Work) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 - as above
            self._on_error(error)
        else:
            self.start()
