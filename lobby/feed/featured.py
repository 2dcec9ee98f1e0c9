"""Choosing the match on the front page: one with many spectators, which stays for a while."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

CLEARLY = 1.5
"""Another match replaces it only with this many times its spectators, at least two more,"""
PATIENCE = 20.0
"""for at least this many seconds."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A match that could be featured.

    Attributes:
        id: the id of the match.
        watchers: its spectators.
        rating: mean of its players' ratings; an unknown one counts as 0.
        begun: when it began.
        people: number of players that are not computers.
    """

    id: str
    watchers: int
    rating: float
    begun: datetime
    people: int


class Stage:
    """Keeps a match until it ends or another has had clearly more spectators for a while."""

    def __init__(self) -> None:
        self._current: str | None = None
        self._outshone: float | None = None

    def choose(self, candidates: Iterable[Candidate], now: float) -> str | None:
        """The id of the match to feature, or None; `now` is in seconds of any monotonic clock."""
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
    """Sort key: spectators first, then matches between people rather than against a computer."""
    return match.watchers, match.people > 1, match.rating, match.begun
