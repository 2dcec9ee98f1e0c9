"""Rounds without an opponent in formats with rounds that players enter late or sit out: Swiss and tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from typing import TypeAlias

from lobby.tournaments.formats.base import Kind, Options, Pairing, Player, PlayerId, next_round

Pair: TypeAlias = Callable[..., tuple[Pairing, ...]]
"""`pair` of a format."""
PairRound: TypeAlias = Callable[
    [Sequence[Player], Sequence[PlayerId], Sequence[Pairing], Options, int], Sequence[Pairing]
]
"""Pairs a round: takes all players, those who play in it (the strongest first), the earlier pairings, the
options and the number of the round."""


def may_be_asked(number: int, last: int, options: Options) -> bool:
    """Whether a player can ask to sit out a round: one that is not paired yet, and not the last one.

    Args:
        last: the last round that was paired.
    """
    return last < number < options.rounds


def granted(asked: Collection[int], options: Options) -> list[int]:
    """The rounds that a player sits out, of those asked for: the first ones, as many as are allowed.

    Others are not given: there may be fewer rounds now than when they were asked for.
    """
    return sorted(number for number in asked if may_be_asked(number, 0, options))[: options.half_byes]


def sits_out(player: Player, number: int, options: Options) -> bool:
    """Whether a player has a bye in a round because they asked for it in time."""
    return number in granted(player.byes, options)


def half_byes(
    players: Sequence[Player], pairings: Sequence[Pairing], options: Options, number: int, table: int
) -> Iterator[Pairing]:
    """The byes for half a point that are due with round `number`: asked for, and missed before a late entry.

    Args:
        players: the players who take part in this round.
        table: the first free table of this round.
    """
    seen = {player for pairing in pairings for player in pairing.seats}
    tables = {number: table}
    for player in players:
        if player.joined == number and player.id not in seen:
            for missed in range(max(1, number - options.late_byes), number):
                yield _bye(player, missed, tables, pairings, "late_bye")
        if sits_out(player, number, options):
            yield _bye(player, number, tables, pairings, "asked_bye")


def _bye(
    player: Player, number: int, tables: dict[int, int], pairings: Sequence[Pairing], reason: str
) -> Pairing:
    table = tables.setdefault(
        number, max((pairing.table for pairing in pairings if pairing.round == number), default=0) + 1
    )
    tables[number] += 1
    return Pairing(number, table, (player.id,), Kind.HALF_BYE, reason=reason, points=(0.5,))


def present(players: Sequence[Player], number: int) -> list[Player]:
    """The players who take part in a round, byes included, the strongest first."""
    there = [player for player in players if not player.withdrawn and player.joined <= number]
    return sorted(there, key=lambda player: player.seed)


def in_rounds(pair_round: PairRound) -> Pair:
    """Makes `pair` of a format, from the function that pairs the players of one round.

    Players who are away are paired only if there is nothing to pair otherwise, so that a tournament does not
    end because somebody sleeps. Byes that are due are added.
    """

    @wraps(pair_round)
    def pair(
        players: Sequence[Player],
        pairings: Sequence[Pairing],
        options: Options,
        waiting: Collection[PlayerId] = (),
        patient: Collection[PlayerId] = (),
    ) -> tuple[Pairing, ...]:
        number = next_round(pairings)
        if any(pairing.open for pairing in pairings) or number > options.rounds:
            return ()
        awake = [replace(player, withdrawn=player.withdrawn or player.away) for player in players]
        for everyone in (awake, players):
            there = present(everyone, number)
            playing = [player.id for player in there if not sits_out(player, number, options)]
            paired = pair_round(everyone, playing, pairings, options, number)
            if paired:
                return (*paired, *half_byes(there, pairings, options, number, len(paired) + 1))
        return ()

    return pair
