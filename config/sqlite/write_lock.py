"""Writers take turns: first come, first served."""

from __future__ import annotations

import threading
from collections import deque


class Turns:
    """One writer after the other.

    SQLite lets one write, and has the others sleep and look again, longer and longer: whoever comes later
    and looks sooner overtakes them, and one of them may wait for seconds. Here nobody is overtaken, and
    whoever is next writes at once.

    Attributes:
        over: how many turns have ended.
    """

    def __init__(self) -> None:
        self.over = 0
        self._guard = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Lock] = deque()

    def take(self, seconds: float) -> bool:
        """Wait for one's turn, so many seconds at most; whether it came."""
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        if mine.acquire(timeout=seconds):
            return True
        with self._guard:
            if mine in self._waiting:
                self._waiting.remove(mine)
                return False
        # It came at the last moment.
        return True

    def give(self) -> None:
        """Pass the turn on to whoever is next."""
        with self._guard:
            self.over += 1
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
