"""Measures the network delay of a client.

The server sends a number and times its return; half of that is the one-way delay of a move. A client can
pretend a longer delay by answering late, so the credit has a cap and a budget (`games.domain.clock`). It
cannot answer before it was asked.
"""

from __future__ import annotations

from collections import deque

KEPT = 4
"""How many measurements are averaged, so that a single outlier counts little."""


class Lag:
    """The measurements of one connection. `now` is in seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._number = 0
        self._asked: float | None = None
        self._round_trips: deque[float] = deque(maxlen=KEPT)

    def ask(self, now: float) -> int:
        """Start a measurement and return the number to send. An unanswered earlier number is void."""
        self._number += 1
        self._asked = now
        return self._number

    def answered(self, number: int, now: float) -> None:
        """Take the returned number. Ignores all but the last one sent, and repeats."""
        if number == self._number and self._asked is not None:
            self._round_trips.append(now - self._asked)
            self._asked = None

    @property
    def milliseconds(self) -> int:
        """The one-way delay; 0 before the first measurement."""
        if not self._round_trips:
            return 0
        return round(sum(self._round_trips) / len(self._round_trips) / 2 * 1000)
