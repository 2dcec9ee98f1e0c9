"""Knock-out: who loses is out.

Rules for players: docs/guide/tournaments.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from lobby.tournaments.formats.base import (
    Kind,
    Options,
    Pairing,
    Player,
    PlayerId,
    Standing,
    check_count,
    drawn_lot,
)
from lobby.tournaments.formats.matching import lateness, seated
from lobby.tournaments.formats.standings import ranked, records

ARENA, LATE, TABLES = False, False, False
GOES_ON = False
HOST = False
FEWEST = 3
FINAL, THIRD = 1, 2
"""The tables of the last round."""

Slot = PlayerId | None
"""A place in the bracket; None if nobody has come through to it."""


class Decision(NamedTuple):
    """Who goes on from a table, and by what.

    `by` is "match", "replay" (the faster match after a draw), "lot" (that was drawn, too), "absence" (the
    opponent was absent; with no winner, both were), "withdrawal" (the opponent withdrew after a draw) or
    "walkover" (there was no opponent). The loser is None if there was none, or if both were absent.
    """

    winner: Slot
    loser: Slot
    by: str


Decisions = Mapping[tuple[int, int], Decision]
"""By round and table; tables that are still to be decided are missing."""


def check(count: int, options: Options) -> None:
    """See `Format`."""
    check_count(count, FEWEST)


def rounds(count: int, options: Options) -> int:
    """Rounds until one player is left."""
    return (count - 1).bit_length()


def bracket(players: Sequence[Player], size: int) -> list[Slot]:
    """The places of the first round, two by two.

    Seeds 1 and 2 can meet in the final only, 1 to 4 in the semi-finals, and so on. Seeds that do not exist
    leave the highest seeds without an opponent.
    """
    seeds = [1]
    while len(seeds) < size:
        seeds = [each for seed in seeds for each in (seed, 2 * len(seeds) + 1 - seed)]
    roster = [player.id for player in sorted(players, key=lambda each: each.seed)]
    return [roster[seed - 1] if seed <= len(roster) else None for seed in seeds]


def pair(
    players: Sequence[Player],
    pairings: Sequence[Pairing],
    options: Options,
    waiting: Collection[PlayerId] = (),
    patient: Collection[PlayerId] = (),
) -> tuple[Pairing, ...]:
    """The faster matches that draws call for, at once; else the next round, once this one is decided."""
    last = max((pairing.round for pairing in pairings), default=0)
    there = {player.id for player in players if not player.withdrawn}
    done = decisions(players, pairings, options)
    ties = _ties(pairings)
    undecided = [tie for key, tie in ties.items() if key not in done]
    if undecided:
        return tuple(_replay(tie[0]) for tie in undecided if not tie[-1].open)
    total = rounds(len(players), options)
    late = lateness(pairings)
    for number in range(last + 1, total + 1):
        slots = _slots(players, done, ties, number, there)
        matches = list(_matches(slots, done, number, total, options, there))
        found = tuple(
            _pairing(number, table, tuple(each for each in pair if each is not None), late, options, reason)
            for table, pair, reason in matches
            if any(each is not None for each in pair)
        )
        if found:
            return found
    return ()


def _matches(
    slots: Sequence[Slot],
    done: Decisions,
    number: int,
    total: int,
    options: Options,
    there: Collection[PlayerId],
) -> Iterator[tuple[int, tuple[Slot, Slot], str]]:
    """The tables of a round: number, the two places, and the reason why they meet."""
    for table, pair in enumerate(zip(slots[::2], slots[1::2], strict=True), 1):
        yield table, pair, "winners" if number > 1 else "seeding"
    if options.third_place and number == total > 1:
        losers = [done[number - 1, table].loser if (number - 1, table) in done else None for table in (1, 2)]
        one, other = (loser if loser in there else None for loser in losers)
        yield THIRD, (one, other), "third_place"


def _pairing(
    number: int,
    table: int,
    group: tuple[PlayerId, ...],
    late: Mapping[PlayerId, float],
    options: Options,
    reason: str,
) -> Pairing:
    if len(group) == 1:
        why = "top_seed" if number == 1 else "walkover"
        return Pairing(number, table, group, Kind.BYE, reason=why, points=(1.0,))
    return Pairing(number, table, seated(group, late, options, number), reason=reason)


def _replay(drawn: Pairing) -> Pairing:
    return Pairing(drawn.round, drawn.table, drawn.seats[::-1], replay=1, reason="replay")


def _ties(pairings: Sequence[Pairing]) -> Mapping[tuple[int, int], list[Pairing]]:
    """The matches of each table, the faster one last."""
    ties: defaultdict[tuple[int, int], list[Pairing]] = defaultdict(list)
    for pairing in sorted(pairings, key=lambda each: each.key):
        ties[pairing.round, pairing.table].append(pairing)
    return ties


def _slots(
    players: Sequence[Player],
    done: Decisions,
    ties: Mapping[tuple[int, int], list[Pairing]],
    number: int,
    there: Collection[PlayerId],
) -> list[Slot]:
    """The places of round `number`, after the one before. Who has withdrawn does not come through."""
    size = 1 << rounds(len(players), Options("knockout"))
    if number == 1:
        slots = bracket(players, size)
    else:
        tables = range(1, (size >> (number - 1)) + 1)
        slots = [done[number - 1, table].winner if (number - 1, table) in ties else None for table in tables]
    return [each if each in there else None for each in slots]


def decisions(players: Sequence[Player], pairings: Sequence[Pairing], options: Options) -> Decisions:
    """Everything that has been decided so far."""
    there = {player.id for player in players if not player.withdrawn}
    decided = {key: _decision(tie, options, there) for key, tie in _ties(pairings).items()}
    return {key: decision for key, decision in decided.items() if decision is not None}


def _decision(tie: Sequence[Pairing], options: Options, there: Collection[PlayerId]) -> Decision | None:
    """Who goes on from one table, from its matches; None if it is not decided yet."""
    last = tie[-1]
    if last.open:
        return None
    if len(last.seats) == 1:
        return Decision(last.seats[0], None, "walkover")
    if last.points is None or not any(last.points):
        return Decision(None, None, "absence")
    if last.points[0] != last.points[1]:
        winner, loser = last.seats if last.points[0] > last.points[1] else last.seats[::-1]
        by = "absence" if last.kind is Kind.FORFEIT else "replay" if last.replay else "match"
        return Decision(winner, loser, by)
    if last.replay:
        lot = drawn_lot(options, "decider", last.round, last.table) % 2
        winner, loser = sorted(last.seats, reverse=bool(lot))
        return Decision(winner, loser, "lot")
    left = [player for player in last.seats if player in there]
    if len(left) == 2:
        return None
    loser = next(player for player in last.seats if player not in left)
    return Decision(left[0] if left else None, loser if left else None, "withdrawal")


def standings(
    players: Sequence[Player], pairings: Sequence[Pairing], options: Options
) -> tuple[Standing, ...]:
    """See `Format`. Points are the tables won. Who went out in the same round shares a rank.

    The match for the third place separates the losers of the semi-finals.
    """
    done = decisions(players, pairings, options)
    total = rounds(len(players), options)
    found = records(pairings, options)
    won = defaultdict[PlayerId, int](int)
    reached = dict.fromkeys((player.id for player in players), 1)
    out = {player.id for player in players if player.withdrawn}
    third: Slot = None
    for (number, table), tie in sorted(_ties(pairings).items()):
        decision = done.get((number, table))
        if decision is None:
            continue
        if decision.winner is not None and decision.by != "walkover":
            won[decision.winner] += 1
        if options.third_place and (number, table) == (total, THIRD):
            third = decision.winner
            continue
        for each in tie[0].seats:
            reached[each] = number + (each == decision.winner)
            if each != decision.winner:
                out.add(each)
    lines = []
    for player in sorted(players, key=lambda each: each.seed):
        # Everyone who is still in shares the first rank.
        number = reached[player.id] if player.id in out else total + 1
        line = Standing(player.id, None, float(won[player.id]), (), found[player.id].played)
        lines.append(((float(number), float(player.id == third)), line))
    return ranked(lines)
