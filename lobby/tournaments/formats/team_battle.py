"""Team battle: an arena in which everybody plays for a club, and the best players of each club count.

Rules for players: docs/guide/tournaments.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from lobby.tournaments.formats import arena
from lobby.tournaments.formats.arena import Fits
from lobby.tournaments.formats.base import Options, Pairing, Player, PlayerId, TeamId
from lobby.tournaments.formats.matching import Pairs

ARENA, LATE, TABLES = True, True, False
GOES_ON = True
HOST = False

check = arena.check
rounds = arena.rounds
standings = arena.standings


def pair(
    players: Sequence[Player],
    pairings: Sequence[Pairing],
    options: Options,
    waiting: Collection[PlayerId] = (),
    patient: Collection[PlayerId] = (),
) -> tuple[Pairing, ...]:
    """Pair the players who wait as in an arena, but nobody with a player of the same club."""
    clubs = {player.id: player.team for player in players}

    def pairs_of(
        free: Sequence[PlayerId], by_rank: Mapping[PlayerId, int], fits: Fits
    ) -> tuple[Pairs, PlayerId | None]:
        order = sorted(_without_surplus(free, clubs), key=by_rank.__getitem__)
        return _pairs(order, clubs, lambda one, other: clubs[one] != clubs[other] and fits(one, other)), None

    return arena.paired_by(pairs_of, players, pairings, options, waiting, patient)


def _without_surplus(free: Sequence[PlayerId], clubs: Mapping[PlayerId, TeamId | None]) -> Sequence[PlayerId]:
    """Those who can all be paired: who has waited least goes on waiting.

    A club with more than half of the players has some for whom there is no opponent of another club.
    """
    if not free:
        return free
    largest, count = Counter(clubs[player] for player in free).most_common(1)[0]
    surplus = 2 * count - len(free)
    last = [player for player in free if surplus <= 0 or clubs[player] == largest]
    rest = last[len(last) - max(surplus, len(free) % 2) :]
    return [player for player in free if player not in rest]


def _pairs(order: Sequence[PlayerId], clubs: Mapping[PlayerId, TeamId | None], fits: Fits) -> Pairs:
    """Pair neighbours in the standings. Who has no new opponent left takes one of a pair, or waits."""
    left, alone, pairs = list(order), list[PlayerId](), Pairs()
    while left:
        # Once a club has half of the players, each pair has one of them, so that none is left over.
        largest, count = Counter(clubs[player] for player in left).most_common(1)[0]
        one = left.pop(0)
        near = (other for other in left if fits(one, other))
        if 2 * count > len(left):
            near = (other for other in near if largest in (clubs[one], clubs[other]))
        other = next(near, None)
        if other is None:
            alone.append(one)
        else:
            left.remove(other)
            pairs.append((one, other))
    while len(alone) > 1:
        one, other = alone.pop(0), alone.pop(0)
        pairs = _exchanged(pairs, one, other, fits)
    return pairs


def _exchanged(pairs: Pairs, one: PlayerId, other: PlayerId, fits: Fits) -> Pairs:
    """The pairs with two more players, who exchange opponents with the nearest pair that allows it."""
    for place, (first, second) in reversed([*enumerate(pairs)]):
        for mine, theirs in ((first, second), (second, first)):
            if fits(one, mine) and fits(other, theirs):
                return [*pairs[:place], (one, mine), (other, theirs), *pairs[place + 1 :]]
    return pairs
