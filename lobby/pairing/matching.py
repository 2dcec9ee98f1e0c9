"""Who of those who wait is paired with whom. Pure: `now` is an argument, all times are seconds."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

CLOSE = 100.0
"""How far apart two ratings may be at first."""
WIDER = 15.0
"""How much farther for each second of waiting."""
PATIENCE = 60.0
"""Seconds after which anybody will do."""


class Waiting(NamedTuple):
    """Somebody in the queue."""

    user: int
    rating: float
    since: float


Couple = tuple[int, int]


def widest(waited: float) -> float:
    """How far apart the ratings of two people may be when one of them has waited that long."""
    return float("inf") if waited >= PATIENCE else CLOSE + WIDER * max(waited, 0.0)


def couple(one: int, other: int) -> Couple:
    """Two people, whatever their order."""
    return (one, other) if one < other else (other, one)


def couples(waiting: Sequence[Waiting], never: Container[Couple], now: float) -> list[tuple[int, int]]:
    """Pairs of users, each with the one who has waited longer first.

    The one who has waited longest chooses first, and takes the nearest rating within the range that their
    own wait, the longer of the two, has opened. Those left over go on waiting.

    Args:
        waiting: everyone who waits for the same kind of match.
        never: the couples that must not meet, as `couple` gives them.
        now: the time by the clock of `Waiting.since`.
    """
    queue = sorted(waiting, key=lambda each: each.since)
    found = []
    while queue:
        first = queue.pop(0)
        limit = widest(now - first.since)
        near = [
            (abs(other.rating - first.rating), place)
            for place, other in enumerate(queue)
            if abs(other.rating - first.rating) <= limit and couple(first.user, other.user) not in never
        ]
        if near:
            found.append((first.user, queue.pop(min(near)[1]).user))
    return found
