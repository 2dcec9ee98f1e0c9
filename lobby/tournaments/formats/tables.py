"""Rounds of tables, for games of three and more players: every table is scored by place.

Rules for players: docs/guide/tournaments.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

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
    drawn_lot,
)
from lobby.tournaments.formats.byes import in_rounds
from lobby.tournaments.formats.matching import lateness, seated
from lobby.tournaments.formats.standings import records
from lobby.tournaments.formats.standings import standings as ranked_standings

ARENA, LATE, TABLES = False, True, True
GOES_ON = True
HOST = False
MOST_ROUNDS = 30
TIE_BREAKS = ("wins", "buchholz")
NEAR = 2
"""How many tables' worth of players, from the next in the standings, a seat is filled from."""


def check(count: int, options: Options) -> None:
    """See `Format`."""
    check_count(count, options.least_seats)
    check_chosen_rounds(options, MOST_ROUNDS)


rounds = chosen_rounds


@in_rounds
def pair(
    players: Sequence[Player],
    playing: Sequence[PlayerId],
    pairings: Sequence[Pairing],
    options: Options,
    number: int,
) -> Sequence[Pairing]:
    """Seat players with nearly the same points together, if possible those who have not met yet."""
    found = records(pairings, options)
    order = sorted(
        playing,
        key=lambda player: (-found[player].points, drawn_lot(options, "table", number, player)),
    )
    sizes = table_sizes(len(order), options.least_seats, options.seats)
    if not sizes:
        return ()
    byes = Counter(each.seats[0] for each in pairings if each.reason in ("bye", "second_bye"))
    lowest_first = order[::-1]
    resting = sorted(lowest_first, key=byes.__getitem__)[: len(order) - sum(sizes)]
    seated_now = [player for player in order if player not in resting]
    late = lateness(pairings)
    paired = [
        Pairing(number, table, seated(group, late, options, number), reason="tables")
        for table, group in enumerate(_groups(seated_now, sizes, pairings), 1)
    ]
    for player in resting:
        kind, points, reason = (Kind.HALF_BYE, 0.5, "second_bye") if byes[player] else (Kind.BYE, 1.0, "bye")
        paired.append(Pairing(number, len(paired) + 1, (player,), kind, reason=reason, points=(points,)))
    return paired


def table_sizes(count: int, least: int, most: int) -> list[int]:
    """The sizes of as few tables as can seat everyone, nearly equal; else of as many as can be filled.

    The sum is less than `count` only if some must sit out.
    """
    tables = -(-count // most)
    if tables * least > count:
        tables = count // least
    if not tables:
        return []
    seats = min(count, tables * most)
    return [seats // tables + (table < seats % tables) for table in range(tables)]


def _groups(
    order: Sequence[PlayerId], sizes: Sequence[int], pairings: Sequence[Pairing]
) -> list[list[PlayerId]]:
    """Fill the tables from the top, each seat with the one near by who has met the others least."""
    met = _met(pairings)
    left, groups = list(order), []
    for size in sizes:
        group = [left.pop(0)]
        while len(group) < size:
            near = left[: NEAR * size]
            group.append(min(near, key=lambda each: sum(met[frozenset((each, other))] for other in group)))
            left.remove(group[-1])
        groups.append(group)
    return groups


def _met(pairings: Sequence[Pairing]) -> Mapping[frozenset[PlayerId], int]:
    """How often each two players have sat at one table."""
    return Counter(
        frozenset(two) for pairing in pairings if pairing.met for two in combinations(pairing.seats, 2)
    )


def standings(
    players: Sequence[Player], pairings: Sequence[Pairing], options: Options
) -> tuple[Standing, ...]:
    """See `Format`."""
    return ranked_standings(players, records(pairings, options), TIE_BREAKS)
