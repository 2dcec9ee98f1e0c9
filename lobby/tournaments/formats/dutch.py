"""The Dutch system by py4swiss. The only module that knows the library."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from importlib.util import find_spec

from lobby.tournaments.formats.base import Kind, Pairing, PlayerId

INSTALLED = find_spec("py4swiss") is not None
"""There are packages of it for most computers only; see docs/explanation/tournaments.md."""


class NotPairable(Exception):
    """The library is not installed, or its rules allow no pairing of this round."""


def dutch_pairs(
    order: Sequence[PlayerId], playing: Collection[PlayerId], pairings: Sequence[Pairing], rounds: int
) -> list[tuple[PlayerId, ...]]:
    """Pair a round.

    Args:
        order: everyone by seed.
        playing: who plays in this round.
        pairings: all earlier rounds, ended.
        rounds: number of rounds of the tournament.

    Returns:
        The pairs in order of tables, the player who moves first in front; the one who has the bye alone.

    Raises:
        NotPairable: the rules allow no pairing.
    """
    if not INSTALLED:
        raise NotPairable
    # Loads pydantic models and a C++ extension: only processes that pair a Swiss round need them.
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection

    number = {player: place for place, player in enumerate(order, 1)}
    done = max((pairing.round for pairing in pairings), default=0)
    absent = RoundResult(id=0, color=ColorToken("-"), result=ResultToken("Z"))
    results = {player: [absent] * done for player in order}
    points = dict.fromkeys(order, 0.0)
    for pairing in pairings:
        for player, opponent, colour, token, won in _lines(pairing):
            results[player][pairing.round - 1] = RoundResult(
                id=number.get(opponent, 0), color=ColorToken(colour), result=ResultToken(token)
            )
            points[player] += won
    sections = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=number[player],
            points_times_ten=round(points[player] * 10),
            rank=number[player],
            results=results[player],
        )
        for player in order
    ]
    zeroed = {number[player] for player in order if player not in playing}
    rules = XSection(number_of_rounds=rounds, zeroed_ids=zeroed)
    try:
        pairs = DutchEngine.generate_pairings(ParsedTrf(player_sections=sections, x_section=rules))
    except PairingError as error:
        raise NotPairable from error
    return [tuple(order[each - 1] for each in (pair.white, pair.black) if each) for pair in pairs]


def _lines(pairing: Pairing) -> Iterator[tuple[PlayerId, PlayerId, str, str, float]]:
    """Each player's line of a tournament report: player, opponent (0 for none), colour, result, points."""
    points = pairing.points or ()
    if pairing.kind in (Kind.BYE, Kind.HALF_BYE):
        yield pairing.seats[0], 0, "-", "U" if pairing.kind is Kind.BYE else "H", points[0]
    elif pairing.points is not None:
        one, other = pairing.seats
        tokens = {1: "+", 0.5: "H", 0: "-"} if pairing.kind is Kind.FORFEIT else {1: "1", 0.5: "=", 0: "0"}
        for player, opponent, colour, won in ((one, other, "w", points[0]), (other, one, "b", points[1])):
            yield player, opponent, colour, tokens[won], won
