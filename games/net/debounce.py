"""Batches events that arrive close together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


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
