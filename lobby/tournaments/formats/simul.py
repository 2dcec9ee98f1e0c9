"""Simul: one player, the host, plays all others at once.

Rules for players: docs/guide/tournaments.md.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from games.domain.refusals import Refused
from games.rules.base import Seat, gettext_noop
from lobby.tournaments.formats.base import Options, Pairing, Player, PlayerId, Standing, check_count
from lobby.tournaments.formats.standings import records
from lobby.tournaments.formats.standings import standings as ranked_standings

ARENA, LATE, TABLES = False, False, False
GOES_ON = False
HOST = True
FEWEST, MOST = 2, 30
"""Players besides the host."""
HOST_SEATS = ("first", "second", "alternating")
"""Where the host sits; alternating: first at the first board, second at the next one, and so on."""


class TooManyPlayers(Refused):
    """The host cannot play so many at once."""

    code, status = "too-many-players", 409
    sentence = gettext_noop("A simul has at most %(most)d players besides the host.")


class Score(NamedTuple):
    """The points of the host, and those of the others together."""

    host: float
    others: float


def check(count: int, options: Options) -> None:
    """See `Format`. The host does not count."""
    check_count(count, FEWEST)
    if count > MOST:
        raise TooManyPlayers(most=MOST)


def rounds(count: int, options: Options) -> int:
    """Everybody plays at once."""
    return 1


def pair(
    players: Sequence[Player],
    pairings: Sequence[Pairing],
    options: Options,
    waiting: Collection[PlayerId] = (),
    patient: Collection[PlayerId] = (),
) -> tuple[Pairing, ...]:
    """One board for each player, the strongest at the first one."""
    assert options.host is not None
    if pairings:
        return ()
    there = sorted((player for player in players if not player.withdrawn), key=lambda each: each.seed)
    seats = [(options.host, player.id) for player in there]
    return tuple(
        Pairing(1, board, two[::-1] if host_seat(options.host_seat, board) else two, reason="host")
        for board, two in enumerate(seats, 1)
    )


def host_seat(chosen: str, board: int) -> Seat:
    """The seat of the host at a board; `chosen` is one of `HOST_SEATS`."""
    return (board - 1) % 2 if chosen == "alternating" else HOST_SEATS.index(chosen)


def standings(
    players: Sequence[Player], pairings: Sequence[Pairing], options: Options
) -> tuple[Standing, ...]:
    """See `Format`. The host is not among the players."""
    return ranked_standings(players, records(pairings, options), ())


def score(pairings: Sequence[Pairing], host: PlayerId) -> Score:
    """The result of the boards that have ended."""
    points = [dict(zip(each.seats, each.points, strict=True)) for each in pairings if each.points is not None]
    won = sum(each[host] for each in points)
    return Score(won, sum(sum(each.values()) for each in points) - won)
