"""How far away somebody is, measured by the server.

The server sends a number and sees how long it takes to come back; half of that is the way of a move. A
client can answer late and look further away than it is, which is why the credit for it has a cap and a
budget (`games.domain.clock`); it cannot answer before it was asked.
"""

from __future__ import annotations

from collections import deque

KEPT = 4
"""Measures of which the mean counts, so that one hiccup does not."""


class Lag:
    """The measures of one connection. `now` is in seconds, of any clock that only goes forward."""

    def __init__(self) -> None:
        self._number = 0
        self._asked: float | None = None
        self._round_trips: deque[float] = deque(maxlen=KEPT)

    def ask(self, now: float) -> int:
        """The number to send; one that was not answered yet does not count any more."""
        self._number += 1
        self._asked = now
        return self._number

    def answered(self, number: int, now: float) -> None:
        """A number came back. Any but the last, or one that came back before, says nothing."""
        if number == self._number and self._asked is not None:
            self._round_trips.append(now - self._asked)
            self._asked = None

    @property
    def milliseconds(self) -> int:
        """One way; 0 until something was measured."""
        if not self._round_trips:
            return 0
        return round(sum(self._round_trips) / len(self._round_trips) / 2 * 1000)
