"""Which match is on the front page: one that many watch, and one that stays a while."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

CLEARLY = 1.5
"""Another match takes the place only with so many times the watchers, and at least two more,"""
PATIENCE = 20.0
"""and only after that many seconds."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A match that could be featured.

    Attributes:
        rating: its players' mean, 0 where none is known.
        people: how many of them are no computer players.
    """

    id: str
    watchers: int
    rating: float
    begun: datetime
    people: int


class Stage:
    """Keeps a match in its place until it ends or another one has clearly more watchers for a while."""

    def __init__(self) -> None:
        self._current: str | None = None
        self._outshone: float | None = None

    def choose(self, candidates: Iterable[Candidate], now: float) -> str | None:
        """The id of the match to feature at `now`, in seconds of any steady clock; None if there is none."""
        by_id = {candidate.id: candidate for candidate in candidates}
        best = max(by_id.values(), key=_appeal, default=None)
        current = None if self._current is None else by_id.get(self._current)
        if best is None or current is None:
            return self._put(best)
        if best.watchers < max(current.watchers * CLEARLY, current.watchers + 2):
            self._outshone = None
        elif self._outshone is None:
            self._outshone = now
        elif now - self._outshone >= PATIENCE:
            return self._put(best)
        return current.id

    def _put(self, candidate: Candidate | None) -> str | None:
        self._current = None if candidate is None else candidate.id
        self._outshone = None
        return self._current


def _appeal(match: Candidate) -> tuple[int, bool, float, datetime]:
    """What makes one match better to look at than another; nobody comes to see a computer play alone."""
    return match.watchers, match.people > 1, match.rating, match.begun
