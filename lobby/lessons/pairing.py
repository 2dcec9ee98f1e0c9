"""Who plays whom in a round of a class. Pure.

Those meet who have met the least often, and among these pupils with nearly the same points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lobby.tournaments.formats.base import Options, Pairing, PlayerId, drawn_lot
from lobby.tournaments.formats.matching import lateness, nearest_pairs, nearest_pairs_but_one, seated


class Round(NamedTuple):
    """The pairs of a round by seat, and the pupil who is left over if their number is odd."""

    pairs: list[tuple[PlayerId, ...]]
    over: PlayerId | None


def pair(
    pupils: Sequence[PlayerId],
    points: Mapping[PlayerId, float],
    history: Sequence[Pairing],
    options: Options,
    number: int,
) -> Round:
    """Pair a round.

    Args:
        pupils: who plays, in any order.
        points: what they have won so far.
        history: the earlier rounds. A pupil alone was left over.
        options: its lot decides between equals.
        number: the number of the round.
    """
    order = sorted(pupils, key=lambda each: (-points.get(each, 0), drawn_lot(options, "order", number, each)))
    met = Counter(frozenset(each.seats) for each in history if each.met)
    alone = Counter(each.seats[0] for each in history if len(each.seats) == 1)
    # The weakest who were left over the least often.
    leaving = sorted(order, key=lambda each: (alone[each], -order.index(each))) if len(order) % 2 else []
    late = lateness(history)
    found = next(
        found
        for most in range(max(met.values(), default=0) + 1)
        if (found := _nearest(order, leaving, met, most)) is not None
    )
    return Round([seated(each, late, options, number) for each in found.pairs], found.over)


def _nearest(
    order: Sequence[PlayerId], leaving: Sequence[PlayerId], met: Counter[frozenset[PlayerId]], most: int
) -> Round | None:
    """Pair pupils who have met at most so many times; None if that leaves somebody without an opponent."""

    def fits(one: PlayerId, other: PlayerId) -> bool:
        return met[frozenset((one, other))] <= most

    if not leaving:
        pairs = nearest_pairs(order, fits)
        return None if pairs is None else Round([*pairs], None)
    found = nearest_pairs_but_one(order, leaving, fits)
    return None if found is None else Round([*found[0]], found[1])
