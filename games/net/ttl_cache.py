"""A value that all threads of a process share for a while."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class TtlCache(Generic[T]):
    """Reads a value again once it is older than its lifetime. Concurrent callers share one read.

    Args:
        read: returns the value.
        seconds: returns the lifetime in seconds.
    """

    def __init__(self, read: Callable[[], T], seconds: Callable[[], float]) -> None:
        self._read, self._seconds = read, seconds
        self._cached: tuple[float, T] | None = None
        self._lock = threading.Lock()

    def get(self) -> T:
        """The value; do not modify it. Raises what `read` does."""
        with self._lock:
            if self._cached is None or time.monotonic() - self._cached[0] > self._seconds():
                value = self._read()
                self._cached = time.monotonic(), value
            return self._cached[1]
