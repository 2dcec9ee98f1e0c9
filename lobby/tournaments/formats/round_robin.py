"""Round robin: everybody meets everybody once, by the Berger tables of FIDE (Handbook C.05, annex 1).

Rules for players: docs/guide/tournaments.md.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lobby.tournaments.formats.base import (
    Kind,
    Options,
    Pairing,
    Player,
    PlayerId,
    Standing,
    check_count,
    next_round,
)
from lobby.tournaments.formats.standings import records
from lobby.tournaments.formats.standings import standings as ranked_standings

ARENA, LATE, TABLES = False, False, False
GOES_ON = True
HOST = False
FEWEST = 3
TIE_BREAKS = ("direct", "sonneborn_berger", "wins")


def check(count: int, options: Options) -> None:
    """See `Format`."""
    check_count(count, FEWEST)


def rounds(count: int, options: Options) -> int:
    """One fewer than players; as many as players if their number is odd."""
    return _even(count) - 1


def berger(count: int, number: int) -> list[tuple[int, int]]:
    """The pairs of a round, numbers from 1, the first to move in front; `count` is even, `number` from 1."""
    turning = count - 1
    anchor = (number + 1) // 2 if number % 2 else (count + number) // 2
    pairs = [(anchor, count) if number % 2 else (count, anchor)]
    return pairs + [
        ((anchor - 1 + step) % turning + 1, (anchor - 1 - step) % turning + 1)
        for step in range(1, count // 2)
    ]


def pair(
    players: Sequence[Player],
    pairings: Sequence[Pairing],
    options: Options,
    waiting: Collection[PlayerId] = (),
    patient: Collection[PlayerId] = (),
) -> tuple[Pairing, ...]:
    """The next round of the tables.

    The matches of a player who has withdrawn are forfeits if their results stay, and are left out otherwise.
    Those of a player who is away are forfeits, unless there would be no match in the round.
    """
    there = {player.id for player in players if not player.withdrawn}
    awake = there - {player.id for player in players if player.away}
    if any(pairing.open for pairing in pairings) or not there:
        return ()
    out = struck_out(players, pairings)
    roster = [player.id for player in sorted(players, key=lambda each: each.seed)]
    size = _even(len(roster))
    for number in range(next_round(pairings), size):
        seats = [
            (roster[one - 1], roster[other - 1])
            for one, other in berger(size, number)
            if max(one, other) <= len(roster)
        ]
        left = [
            (table, pair) for table, pair in enumerate(seats, 1) if not out & set(pair) and there & set(pair)
        ]
        playing = awake if any(awake.issuperset(pair) for _table, pair in left) else there
        found = tuple(_pairing(number, table, pair, there, playing) for table, pair in left)
        if found:
            return found
    return ()


def _pairing(
    number: int,
    table: int,
    seats: tuple[PlayerId, PlayerId],
    there: Collection[PlayerId],
    playing: Collection[PlayerId],
) -> Pairing:
    if all(player in playing for player in seats):
        return Pairing(number, table, seats, reason="schedule")
    points = tuple(float(player in playing) for player in seats)
    reason = "away" if all(player in there for player in seats) else "withdrawn"
    return Pairing(number, table, seats, Kind.FORFEIT, reason=reason, points=points)


def struck_out(players: Sequence[Player], pairings: Sequence[Pairing]) -> frozenset[PlayerId]:
    """The players who withdrew before half of their matches were played: none of their results counts."""
    found = records(pairings, Options("round_robin"))
    return frozenset(
        player.id for player in players if player.withdrawn and 2 * found[player.id].played < len(players) - 1
    )


def standings(
    players: Sequence[Player], pairings: Sequence[Pairing], options: Options
) -> tuple[Standing, ...]:
    """See `Format`. Players who are struck out have no rank."""
    out = struck_out(players, pairings)
    counting = [pairing for pairing in pairings if not out & set(pairing.seats)]
    return ranked_standings(players, records(counting, options), TIE_BREAKS)


def _even(count: int) -> int:
    return count + count % 2
