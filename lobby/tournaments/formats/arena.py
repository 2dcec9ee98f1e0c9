"""Arena: players are paired as they become free, until the time is up.

Rules for players: docs/guide/tournaments.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from lobby.tournaments.formats.base import (
    Kind,
    Options,
    Pairing,
    Player,
    PlayerId,
    Standing,
    TieBreak,
    check_count,
    next_round,
)
from lobby.tournaments.formats.matching import lateness, nearest_pairs, nearest_pairs_but_one, seated
from lobby.tournaments.formats.standings import ranked

ARENA, LATE, TABLES = True, True, False
GOES_ON = True
HOST = False
WIN, DRAW = 2, 1
"""Points of a match; twice as many on a streak."""
STREAK = 2
"""Wins in a row from which the next matches count double."""

Fits = Callable[[PlayerId, PlayerId], bool]
PairsOf = Callable[
    [Sequence[PlayerId], Mapping[PlayerId, int], Fits],
    tuple[list[tuple[PlayerId, PlayerId]], PlayerId | None],
]
"""Pairs who is free: takes them, the longest wait first, their places in the standings, and who may meet.
Returns the pairs, and the player left over by an odd number, if any."""


def check(count: int, options: Options) -> None:
    """See `Format`."""
    check_count(count, 2)


def rounds(count: int, options: Options) -> int:
    """An arena has no rounds."""
    return 0


def pair(
    players: Sequence[Player],
    pairings: Sequence[Pairing],
    options: Options,
    waiting: Collection[PlayerId] = (),
    patient: Collection[PlayerId] = (),
) -> tuple[Pairing, ...]:
    """Pair the players who wait, neighbours in the standings with each other.

    If the number is odd, the player who has waited least goes on waiting, or plays the computer if they have
    been patient.
    """
    return paired_by(_pairs, players, pairings, options, waiting, patient)


def paired_by(
    pairs_of: PairsOf,
    players: Sequence[Player],
    pairings: Sequence[Pairing],
    options: Options,
    waiting: Collection[PlayerId],
    patient: Collection[PlayerId],
) -> tuple[Pairing, ...]:
    """Pair the players who wait as `pairs_of` says.

    Nobody meets their last opponent again, unless nobody else is present or they have been patient, and
    nobody meets somebody whom they have blocked.
    """
    playing = {player for pairing in pairings if pairing.open for player in pairing.seats}
    there = {player.id for player in players if not player.withdrawn}
    free = [player for player in waiting if player in there and player not in playing]
    last = _last_opponents(pairings)
    apart = {player.id: player.apart for player in players}
    alone = len(free) == 2 and not playing - {options.computer}

    def fits(one: PlayerId, other: PlayerId) -> bool:
        if one in apart[other] or other in apart[one]:
            return False
        fresh = last.get(one) != other and last.get(other) != one
        return fresh or alone or (one in patient and other in patient)

    by_rank = {line.player: place for place, line in enumerate(standings(players, pairings, options))}
    pairs, rest = pairs_of(free, by_rank, fits)
    late, wave = lateness(pairings), next_round(pairings)
    groups = [(pair, "again" if last.get(pair[0]) == pair[1] else "nearest") for pair in pairs]
    if rest is not None and rest in patient and options.computer is not None:
        groups.append(((rest, options.computer), "computer"))
    return tuple(
        Pairing(wave, table, seated(group, late, options, wave), reason=reason)
        for table, (group, reason) in enumerate(groups, 1)
    )


def _pairs(
    free: Sequence[PlayerId], by_rank: Mapping[PlayerId, int], fits: Fits
) -> tuple[list[tuple[PlayerId, PlayerId]], PlayerId | None]:
    """Pair neighbours in the standings, and return the player left over by an odd number, if any."""
    order = sorted(free, key=by_rank.__getitem__)
    if len(free) % 2:
        found = nearest_pairs_but_one(order, free[::-1], fits)
        if found is not None:
            return found
    else:
        pairs = nearest_pairs(order, fits)
        if pairs is not None:
            return pairs, None
    # Only a few who have met each other wait: as many as possible are paired.
    pairs = []
    while order:
        one = order.pop(0)
        other = next((each for each in order if fits(one, each)), None)
        if other is not None:
            order.remove(other)
            pairs.append((one, other))
    return pairs, None


def _last_opponents(pairings: Sequence[Pairing]) -> Mapping[PlayerId, PlayerId]:
    """By player: whom they met last."""
    found: dict[PlayerId, PlayerId] = {}
    for pairing in sorted(pairings, key=lambda each: each.key):
        if pairing.met:
            one, other = pairing.seats
            found[one], found[other] = other, one
    return found


@dataclass
class _Score:
    points: int = 0
    streak: int = 0
    played: int = 0
    wins: int = 0

    @property
    def on_streak(self) -> bool:
        return self.streak >= STREAK

    def add(self, points: float, kind: Kind) -> None:
        """Count one match. A win against an absent player is worth a win, and leaves the streak as it is."""
        worth = WIN if points == 1 else DRAW if points > 0 else 0
        if kind is Kind.PLAYED:
            self.points += worth * 2 if self.on_streak else worth
            self.played += 1
            self.wins += points == 1
        else:
            self.points += worth
        if points < 1:
            self.streak = 0
        elif kind is Kind.PLAYED:
            self.streak += 1


def standings(
    players: Sequence[Player], pairings: Sequence[Pairing], options: Options
) -> tuple[Standing, ...]:
    """See `Format`. Matches count in the order in which they ended; ties are broken by the number of wins."""
    scores: defaultdict[PlayerId, _Score] = defaultdict(_Score)
    ended = [pairing for pairing in pairings if pairing.points is not None]
    for pairing in sorted(ended, key=lambda each: (each.ended or 0, each.key)):
        for player, points in zip(pairing.seats, pairing.points or (), strict=True):
            scores[player].add(points, pairing.kind)
    lines = []
    for one in sorted(players, key=lambda each: each.seed):
        score = scores[one.id]
        wins = (TieBreak("wins", score.wins),)
        line = Standing(one.id, None, score.points, wins, score.played, score.on_streak)
        lines.append(((float(score.points), float(score.wins)), line))
    return ranked(lines)
