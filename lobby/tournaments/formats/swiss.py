"""Swiss system: in every round, players with the same points who have not met yet meet.

Paired by the Dutch system of FIDE (Handbook C.04.3) where py4swiss is installed, and plainly, by points and
seeds, where it is not or where its rules allow no pairing: in a small field after many rounds. The seat that
moves first stands for the white pieces. Rules for players: docs/guide/tournaments.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from importlib.util import find_spec
from itertools import chain

from lobby.tournaments.formats import report
from lobby.tournaments.formats.base import (
    Kind,
    Options,
    Pairing,
    Player,
    PlayerId,
    Standing,
    check_chosen_rounds,
    check_count,
    chosen_rounds,
)
from lobby.tournaments.formats.byes import in_rounds
from lobby.tournaments.formats.matching import lateness, nearest_pairs, nearest_pairs_but_one, seated
from lobby.tournaments.formats.standings import records
from lobby.tournaments.formats.standings import standings as ranked_standings

INSTALLED = find_spec("py4swiss") is not None
"""There are packages of it for most computers only; see docs/explanation/tournaments.md."""

ARENA, LATE, TABLES = False, True, False
GOES_ON = True
HOST = False
FEWEST = 3
TIE_BREAKS = ("buchholz", "sonneborn_berger", "direct")

Pairs = list[tuple[PlayerId, ...]]
"""By seat; one player alone has the bye."""


def check(count: int, options: Options) -> None:
    """See `Format`."""
    check_count(count, FEWEST)
    check_chosen_rounds(options, count - 1)


rounds = chosen_rounds


@in_rounds
def pair(
    players: Sequence[Player],
    playing: Sequence[PlayerId],
    pairings: Sequence[Pairing],
    options: Options,
    number: int,
) -> Sequence[Pairing]:
    """The next round; nothing, and so the end, if everybody who is left has met everybody else."""
    if len(playing) < 2:
        return ()
    pairs = None
    if len(playing) % 2 and options.computer is not None:
        pairs = _pairs(players, [*playing, options.computer], pairings, options, number)
    # Without a computer, or when those who are left have all met it, somebody has a bye.
    pairs = pairs or _pairs(players, playing, pairings, options, number)
    if pairs is None:
        return ()
    points = records(pairings, options)
    return [
        _pairing(number, table, seats, [points[player].points for player in seats], options)
        for table, seats in enumerate(pairs, 1)
    ]


def _pairing(
    number: int, table: int, seats: tuple[PlayerId, ...], points: Sequence[float], options: Options
) -> Pairing:
    if len(seats) == 1:
        return Pairing(number, table, seats, Kind.BYE, reason="bye", points=(1.0,))
    reason = "score_group" if len(set(points)) == 1 else "floater"
    return Pairing(number, table, seats, reason="computer" if options.computer in seats else reason)


def _pairs(
    players: Sequence[Player],
    playing: Sequence[PlayerId],
    pairings: Sequence[Pairing],
    options: Options,
    number: int,
) -> Pairs | None:
    try:
        return dutch_pairs(_order(players, options), playing, pairings, options.rounds)
    except NotPairable:
        return _plain_pairs(players, playing, pairings, options, number)


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
    absent = RoundResult(id=0, color=ColorToken(report.NO_COLOUR), result=ResultToken(report.ABSENT))
    results = {player: [absent] * done for player in order}
    points = dict.fromkeys(order, 0.0)
    for pairing in pairings:
        for player, opponent, colour, code in report.entries(pairing):
            results[player][pairing.round - 1] = RoundResult(
                id=number[opponent] if opponent else 0, color=ColorToken(colour), result=ResultToken(code)
            )
        for player, won in zip(pairing.seats, pairing.points or (), strict=False):
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


def _order(players: Iterable[Player], options: Options) -> list[PlayerId]:
    """Everyone by seed; the computer comes last."""
    seeds = [player.id for player in sorted(players, key=lambda each: each.seed)]
    return seeds if options.computer is None else [*seeds, options.computer]


def _plain_pairs(
    players: Sequence[Player],
    playing: Sequence[PlayerId],
    pairings: Sequence[Pairing],
    options: Options,
    number: int,
) -> Pairs | None:
    """By points and seeds, each with the nearest they have not met; the lowest who has had no bye gets it."""
    points = records(pairings, options)
    seeds = _order(players, options)
    order = sorted(playing, key=lambda player: (-points[player].points, seeds.index(player)))
    met = {frozenset(pairing.seats) for pairing in pairings if pairing.met}
    had = set(chain.from_iterable(pairing.seats for pairing in pairings if pairing.kind is Kind.BYE))
    late = lateness(pairings)

    def fits(one: PlayerId, other: PlayerId) -> bool:
        return frozenset((one, other)) not in met

    if len(order) % 2 == 0:
        paired = nearest_pairs(order, fits)
        return None if paired is None else [seated(pair, late, options, number) for pair in paired]
    found = nearest_pairs_but_one(order, [player for player in order[::-1] if player not in had], fits)
    if found is None:
        return None
    return [*(seated(pair, late, options, number) for pair in found[0]), (found[1],)]


def standings(
    players: Sequence[Player], pairings: Sequence[Pairing], options: Options
) -> tuple[Standing, ...]:
    """See `Format`."""
    return ranked_standings(players, records(pairings, options), TIE_BREAKS)
