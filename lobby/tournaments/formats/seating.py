"""Who moves first: the turn order of a table, balanced over a tournament."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from lobby.tournaments.formats.base import Options, Pairing, PlayerId, drawn_lot

Lateness = Mapping[PlayerId, float]
"""How much later than the middle of the turn order a player has sat so far, summed over the matches."""


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
