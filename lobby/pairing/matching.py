"""Matching of waiting players by rating. Pure: `now` is an argument, all times are seconds."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import NamedTuple

FIRST_RANGE = 100.0
"""Maximum rating difference at first."""
RANGE_PER_SECOND = 15.0
"""Growth of that maximum per second of waiting."""
PATIENCE = 60.0
"""Seconds after which any rating matches."""


class Waiting(NamedTuple):
    """A player in the queue."""

    user: int
    rating: float
    since: float


Couple = tuple[int, int]


def widest(waited: float) -> float:
    """The maximum rating difference for a player who has waited `waited` seconds."""
    return float("inf") if waited >= PATIENCE else FIRST_RANGE + RANGE_PER_SECOND * max(waited, 0.0)


def couple(one: int, other: int) -> Couple:
    """A pair of users, independent of their order."""
    return (one, other) if one < other else (other, one)


def groups(
    waiting: Sequence[Waiting], size: int, never: Container[Couple], now: float
) -> list[tuple[int, ...]]:
    """Form groups of `size` players; each lists the player who has waited longest first.

    The player who has waited longest chooses first and gets the nearest ratings that fit. Any two players of
    a group are within the range that the longer wait of the two allows. The rest keep waiting.

    Args:
        waiting: all players who wait for the same kind of match.
        size: players per match.
        never: pairs that must not meet, as returned by `couple`.
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
    """Choose `wanted` of the players in `near`, nearest first, any two of whom fit; None if impossible."""
    if not wanted:
        return []
    for place in range(len(near) - wanted + 1):
        each = near[place]
        others = _nearest([o for o in near[place + 1 :] if go_together(each, o)], wanted - 1, go_together)
        if others is not None:
            return [each, *others]
    return None
