"""What comes within a moment is dealt with together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Debouncer(Generic[K, V]):
    """Takes note of what comes in the event loop, and hands it over a moment after the first of it.

    Of what comes again with the same key the last counts.

    Args:
        seconds: how long a moment is.
        deal: is given all that came, by key, in the order in which the keys came first; it takes no time.
    """

    def __init__(self, seconds: float, deal: Callable[[Mapping[K, V]], None]) -> None:
        self._seconds, self._deal = seconds, deal
        self._came: dict[K, V] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def note(self, key: K, value: V) -> None:
        """Something has come."""
        loop = asyncio.get_running_loop()
        # What a loop that ended before its time was told goes on in the next one.
        if not self._came or loop is not self._loop:
            self._loop = loop
            loop.call_later(self._seconds, self._over)
        self._came[key] = value

    def __contains__(self, key: K) -> bool:
        return key in self._came

    def _over(self) -> None:
        came, self._came = self._came, {}
        self._deal(came)
