"""Who of those who wait plays with whom. Pure: `now` is an argument, all times are seconds."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
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


def groups(
    waiting: Sequence[Waiting], size: int, never: Container[Couple], now: float
) -> list[tuple[int, ...]]:
    """Groups of `size` users, each with the one who has waited longest first.

    The one who has waited longest chooses first, and takes the nearest ratings that go together: any two of
    a group are within the range that the longer wait of these two has opened. Those left over go on waiting.

    Args:
        waiting: everyone who waits for the same kind of match.
        size: how many meet in a match.
        never: the couples that must not meet, as `couple` gives them.
        now: the time by the clock of `Waiting.since`.
    """

    def go_together(one: Waiting, other: Waiting) -> bool:
        limit = widest(now - min(one.since, other.since))
        return abs(one.rating - other.rating) <= limit and couple(one.user, other.user) not in never

    queue = sorted(waiting, key=lambda each: each.since)
    found = []
    while queue:
        first = queue.pop(0)
        near = sorted(queue, key=lambda each: abs(each.rating - first.rating))
        others = _nearest([each for each in near if go_together(first, each)], size - 1, go_together)
        if others is not None:
            found.append((first.user, *(each.user for each in others)))
            queue = [each for each in queue if each not in others]
    return found


def _nearest(
    near: Sequence[Waiting], wanted: int, go_together: Callable[[Waiting, Waiting], bool]
) -> list[Waiting] | None:
    """So many of those who are `near`, the nearest first, any two of whom go together; None without."""
    if not wanted:
        return []
    for place in range(len(near) - wanted + 1):
        each = near[place]
        others = _nearest([o for o in near[place + 1 :] if go_together(each, o)], wanted - 1, go_together)
        if others is not None:
            return [each, *others]
    return None
