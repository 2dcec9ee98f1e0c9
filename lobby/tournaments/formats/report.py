"""The results of a pairing as a tournament report of FIDE writes them (Handbook C.04.A, annex 2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lobby.tournaments.formats.base import Kind, Pairing, PlayerId

ABSENT, BYE, FULL_BYE, HALF_BYE = "Z", "U", "F", "H"
NO_COLOUR = "-"
PLAYED = {1.0: "1", 0.5: "=", 0.0: "0"}
FORFEIT = {1.0: "+", 0.0: "-"}


class Entry(NamedTuple):
    """The round of a player: opponent or None, colour (`w`, `b` or `-`), and code of the result."""

    player: PlayerId
    opponent: PlayerId | None
    colour: str
    code: str


def entries(pairing: Pairing) -> Iterator[Entry]:
    """The entries of the players of a match between two that has ended, or of a bye."""
    if pairing.points is None:
        return
    if len(pairing.seats) == 1:
        code = BYE if pairing.kind is Kind.BYE else HALF_BYE
        yield Entry(pairing.seats[0], None, NO_COLOUR, code)
        return
    codes = FORFEIT if pairing.kind is Kind.FORFEIT else PLAYED
    one, other = pairing.seats
    for player, opponent, colour, points in zip(
        (one, other), (other, one), "wb", pairing.points, strict=True
    ):
        if all(each in codes for each in pairing.points):
            yield Entry(player, opponent, colour, codes[points])
        else:
            # A report knows no such decision about a match that was not played.
            yield Entry(player, None, NO_COLOUR, _bye(points))


def _bye(points: float) -> str:
    """The code of a round without an opponent for about as many points."""
    return FULL_BYE if points >= 0.75 else HALF_BYE if points >= 0.25 else ABSENT
