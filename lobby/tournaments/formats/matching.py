"""Who meets whom, and who moves first: pairs of near players, and seats balanced over a tournament."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from lobby.tournaments.formats.base import Options, Pairing, PlayerId, drawn_lot

ATTEMPTS = 20_000
"""Pairs that are tried before a search gives up. A field that can be paired needs few more than it has."""
PER_PLAYER = 4
"""So many for each player are tried before somebody else is left over."""

Pairs = list[tuple[PlayerId, PlayerId]]
Lateness = Mapping[PlayerId, float]
"""How much later than the middle of the turn order a player has sat so far, summed over the matches."""


def nearest_pairs_but_one(
    order: Sequence[PlayerId], leaving: Sequence[PlayerId], fits: Callable[[PlayerId, PlayerId], bool]
) -> tuple[Pairs, PlayerId] | None:
    """Pair an odd number of players as `nearest_pairs` does, and leave one over.

    All searches together try `ATTEMPTS` pairs: a field that cannot be paired costs as much as one search.

    Args:
        leaving: who may be left over, the first choice first.

    Returns:
        The pairs and the player left over, or None if the search found no way to pair the others.
    """
    tries = PER_PLAYER * len(order)
    for rest in leaving[: max(1, ATTEMPTS // tries)]:
        pairs = nearest_pairs([player for player in order if player != rest], fits, tries)
        if pairs is not None:
            return pairs, rest
    return None


def nearest_pairs(
    order: Sequence[PlayerId], fits: Callable[[PlayerId, PlayerId], bool], attempts: int = ATTEMPTS
) -> Pairs | None:
    """Pair an even number of players, the first ones with their nearest neighbours in `order`.

    Depth first: a later pair gives way before an earlier one.

    Args:
        attempts: how many pairs are tried.

    Returns:
        The pairs, or None if the search found no way to pair everyone.
    """
    stack: list[tuple[Sequence[PlayerId], int]] = [(order, 1)]
    pairs: Pairs = []
    for _attempt in range(attempts):
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


def lateness(pairings: Iterable[Pairing]) -> Lateness:
    """Sum up where everyone has sat in the matches that were played."""
    found: defaultdict[PlayerId, float] = defaultdict(float)
    for pairing in pairings:
        if pairing.met:
            middle = (len(pairing.seats) - 1) / 2
            for seat, player in enumerate(pairing.seats):
                found[player] += seat - middle
    return found


def seated(
    group: Collection[PlayerId], late: Lateness, options: Options, *subject: object
) -> tuple[PlayerId, ...]:
    """The players by seat: who has sat late so far sits early now; a lot decides between equals.

    Args:
        subject: what tells this lot from others, such as the round.
    """
    return tuple(
        sorted(
            group, key=lambda player: (-late.get(player, 0.0), drawn_lot(options, "seat", *subject, player))
        )
    )
