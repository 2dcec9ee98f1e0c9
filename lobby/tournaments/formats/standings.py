"""Ranks and tie-breaks, from what has ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, permutations

from games.rules.base import gettext_noop
from lobby.tournaments.formats.base import Options, Pairing, Player, PlayerId, Standing, TieBreak

TIE_BREAKS: Mapping[str, tuple[str, str]] = {
    "buchholz": (
        gettext_noop("Buchholz"),
        gettext_noop("The sum of the points of all your opponents: strong opponents count for more."),
    ),
    "sonneborn_berger": (
        gettext_noop("Sonneborn-Berger"),
        gettext_noop(
            "The points of the opponents you have beaten, and half the points of those you drew with."
        ),
    ),
    "direct": (
        gettext_noop("Direct encounter"),
        gettext_noop("Your points against the players you are tied with, if all of you have met each other."),
    ),
    "wins": (gettext_noop("Wins"), gettext_noop("The number of matches that you have won.")),
}
"""By the name of a tie-break: its title, and a sentence that explains it."""

PLACES = 4
"""Decimals of a sum of points: sums of fractions must not differ by the order of adding."""


@dataclass
class Record:
    """What a player has done so far.

    Attributes:
        points: the sum of the points.
        rounds: for each round that counted: the points, and the opponents who were met; none for a bye, a
            forfeit and a match against the computer.
    """

    points: float = 0.0
    rounds: list[tuple[float, tuple[PlayerId, ...]]] = field(default_factory=list)

    @property
    def played(self) -> int:
        """The number of matches with an opponent."""
        return sum(bool(opponents) for _points, opponents in self.rounds)

    @property
    def wins(self) -> int:
        """The number of matches won against an opponent."""
        return sum(points == 1 for points, opponents in self.rounds if opponents)


def records(pairings: Iterable[Pairing], options: Options) -> defaultdict[PlayerId, Record]:
    """Collect what has ended, by player."""
    found: defaultdict[PlayerId, Record] = defaultdict(Record)
    for pairing in pairings:
        for player, points in zip(pairing.seats, pairing.points or (), strict=False):
            others = tuple(each for each in pairing.seats if each != player) if pairing.met else ()
            found[player].rounds.append((points, tuple(each for each in others if each != options.computer)))
    for record in found.values():
        record.points = round(sum(points for points, _opponents in record.rounds), PLACES)
    return found


Values = Mapping[PlayerId, float]


def buchholz(found: Mapping[PlayerId, Record]) -> Values:
    """The sum of the opponents' points. A round without an opponent counts like one with the player's own."""
    return {
        player: round(
            sum(
                sum(found[each].points for each in opponents) if opponents else record.points
                for _points, opponents in record.rounds
            ),
            PLACES,
        )
        for player, record in found.items()
    }


def sonneborn_berger(found: Mapping[PlayerId, Record]) -> Values:
    """The same, each opponent's points multiplied by the points that were won against them."""
    return {
        player: round(
            sum(
                points * (sum(found[each].points for each in opponents) if opponents else record.points)
                for points, opponents in record.rounds
            ),
            PLACES,
        )
        for player, record in found.items()
    }


def wins(found: Mapping[PlayerId, Record]) -> Values:
    """The number of matches won."""
    return {player: record.wins for player, record in found.items()}


def direct(tied: Collection[PlayerId], found: Mapping[PlayerId, Record]) -> Values:
    """Points in the matches among tied players; 0 for all unless each has met each of the others."""
    met = {(player, each) for player in tied for _points, others in found[player].rounds for each in others}
    if not all(pair in met for pair in permutations(tied, 2)):
        return dict.fromkeys(tied, 0.0)
    return {
        player: sum(points for points, others in found[player].rounds if set(others) & set(tied))
        for player in tied
    }


Computed = Callable[[Mapping[PlayerId, Record]], Values]
COMPUTED: Mapping[str, Computed] = {
    "buchholz": buchholz,
    "sonneborn_berger": sonneborn_berger,
    "wins": wins,
}
"""The tie-breaks that do not depend on who is tied."""


def standings(
    players: Sequence[Player],
    found: defaultdict[PlayerId, Record],
    names: Sequence[str],
) -> tuple[Standing, ...]:
    """Rank by points and then by tie-breaks; players whom nothing separates share a rank.

    Args:
        names: the tie-breaks in the order in which they decide, keys of `TIE_BREAKS`.
    """
    for player in players:
        found[player.id]  # everyone has a record
    values = {name: COMPUTED[name](found) for name in names if name in COMPUTED}
    keys: dict[PlayerId, tuple[float, ...]] = {player.id: (found[player.id].points,) for player in players}
    for name in names:
        if name == "direct":
            met: dict[PlayerId, float] = {}
            by_key = sorted(keys, key=keys.__getitem__)
            for _key, group in groupby(by_key, keys.__getitem__):
                tied = tuple(group)
                met.update(direct(tied, found) if len(tied) > 1 else dict.fromkeys(tied, 0.0))
            values[name] = met
        keys = {player: (*key, values[name][player]) for player, key in keys.items()}
    lines = [
        (
            keys[player.id],
            Standing(
                player.id,
                None,
                found[player.id].points,
                tuple(TieBreak(name, values[name][player.id]) for name in names),
                found[player.id].played,
            ),
        )
        for player in sorted(players, key=lambda each: each.seed)
    ]
    return ranked(lines)


def ranked(lines: Iterable[tuple[tuple[float, ...], Standing]]) -> tuple[Standing, ...]:
    """Order standings by their keys, the highest first, and number them; equal keys share a rank.

    Who has played nothing comes last and gets no rank.
    """
    order = sorted(lines, key=lambda each: each[0], reverse=True)
    done: list[Standing] = []
    for _key, group in groupby((each for each in order if each[1].played), key=lambda each: each[0]):
        rank = len(done) + 1
        done += [replace(line, rank=rank) for _, line in group]
    return (*done, *(line for _key, line in order if not line.played))
