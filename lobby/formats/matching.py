"""Dividing players into pairs, each with the nearest in a given order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .base import PlayerId

ATTEMPTS = 20_000
"""Pairs that are tried before a search gives up. A field that can be paired needs few more than it has."""


def nearest_pairs(
    order: Sequence[PlayerId], fits: Callable[[PlayerId, PlayerId], bool]
) -> list[tuple[PlayerId, PlayerId]] | None:
    """Pair an even number of players, the first ones with their nearest neighbours in `order`.

    Depth first: a later pair gives way before an earlier one.

    Returns:
        The pairs, or None if the search found no way to pair everyone.
    """
    stack: list[tuple[Sequence[PlayerId], int]] = [(order, 1)]
    pairs: list[tuple[PlayerId, PlayerId]] = []
    for _attempt in range(ATTEMPTS):
        if not stack:
            return None
        free, start = stack.pop()
        del pairs[len(stack) :]
        if not free:
            return pairs
        for place in range(start, len(free)):
            if fits(free[0], free[place]):
                pairs.append((free[0], free[place]))
                stack += [(free, place + 1), ([*free[1:place], *free[place + 1 :]], 1)]
                break
    return None
