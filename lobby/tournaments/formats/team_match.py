"""Team match: two clubs over a number of boards, two rounds with changed sides.

Rules for players: docs/guide/tournaments.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from lobby.tournaments.formats.base import (
    Kind,
    Options,
    Pairing,
    Player,
    PlayerId,
    Standing,
    TeamId,
    check_count,
    next_round,
)
from lobby.tournaments.formats.standings import records
from lobby.tournaments.formats.standings import standings as ranked_standings

ARENA, LATE, TABLES = False, False, False
GOES_ON = True
HOST = False
ROUNDS = 2
TIE_BREAKS = ("wins",)

Seat = tuple[PlayerId | None, bool]
"""Who has a board, and whether they play in this round; None if the club has nobody for it."""


def check(count: int, options: Options) -> None:
    """See `Format`."""
    check_count(count, 2)


def rounds(count: int, options: Options) -> int:
    """Two, with changed sides."""
    return ROUNDS


def pair(
    players: Sequence[Player],
    pairings: Sequence[Pairing],
    options: Options,
    waiting: Collection[PlayerId] = (),
    patient: Collection[PlayerId] = (),
) -> tuple[Pairing, ...]:
    """The next round. Seeds are the order of the lineups.

    A board without a player on one side is lost by forfeit. Players who are away are paired only if there
    would be no match in the round otherwise.
    """
    number = next_round(pairings)
    if number > ROUNDS or any(pairing.open for pairing in pairings):
        return ()
    there = {player.id for player in players if not player.withdrawn}
    awake = there - {player.id for player in players if player.away}
    for playing in (awake, there):
        found = tuple(_round(number, lineups(players), options.team_size, playing))
        if any(pairing.open for pairing in found):
            break
    return found if there else ()


def lineups(players: Sequence[Player]) -> list[list[PlayerId]]:
    """The players of the two clubs in the order of their boards, those of the organising club first."""
    clubs = defaultdict[TeamId, list[PlayerId]](list)
    for player in sorted(players, key=lambda each: each.seed):
        if player.team is not None:
            clubs[player.team].append(player.id)
    return [clubs[team] for team in sorted(clubs)]


def _round(
    number: int, clubs: Sequence[Sequence[PlayerId]], boards: int, playing: Collection[PlayerId]
) -> Iterator[Pairing]:
    sides = zip(*(_seats(club, boards, playing) for club in clubs), strict=True)
    for board, seats in enumerate(sides, 1):
        # On odd boards the organising club moves first in the first round.
        order = seats if (board + number) % 2 == 0 else seats[::-1]
        pairing = _pairing(number, board, order)
        if pairing is not None:
            yield pairing


def _seats(club: Sequence[PlayerId], boards: int, playing: Collection[PlayerId]) -> list[Seat]:
    """Who has each board of a club: reserves take those of players who do not play, in their order."""
    reserves = iter([player for player in club[boards:] if player in playing])
    found: list[Seat] = []
    for player in club[:boards]:
        chosen = player if player in playing else next(reserves, player)
        found.append((chosen, chosen in playing))
    return found + [(None, False)] * (boards - len(found))


def _pairing(number: int, board: int, order: Sequence[Seat]) -> Pairing | None:
    """The match of a board, or its forfeit; None if neither club has a player for it."""
    seats = tuple(player for player, _plays in order if player is not None)
    plays = [plays for player, plays in order if player is not None]
    if not seats:
        return None
    if len(seats) == 2 and all(plays):
        return Pairing(number, board, seats, reason="boards")
    points = tuple(float(each) for each in plays)
    reason = "empty_board" if len(seats) == 1 else "absent"
    return Pairing(number, board, seats, Kind.FORFEIT, reason=reason, points=points)


def standings(
    players: Sequence[Player], pairings: Sequence[Pairing], options: Options
) -> tuple[Standing, ...]:
    """See `Format`."""
    return ranked_standings(players, records(pairings, options), TIE_BREAKS)
