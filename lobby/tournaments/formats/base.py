"""The words that every tournament format is written in.

A format is a module with the names of the protocol `Format`. It is pure: no clock, no database, no
randomness. The director calls `pair` again and again, stores what it returns, and plays the matches.
Everything else, standings included, follows from the players and the stored pairings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from games.domain.refusals import Refused
from games.rules.base import gettext_noop

PlayerId: TypeAlias = int
"""The id of an entry: a person or a computer player in this tournament."""
TeamId: TypeAlias = int
"""The id of a club's part in a tournament of clubs."""


class TooFewPlayers(Refused):
    """The tournament cannot begin with so few players."""

    code, status = "too-few-players", 409
    sentence = gettext_noop("This tournament needs at least %(fewest)d players.")


class TooFewClubs(TooFewPlayers):
    """A tournament of clubs cannot begin with players of so few clubs."""

    code, status = "too-few-clubs", 409
    sentence = gettext_noop("This tournament needs players of at least two clubs.")


class BadRounds(Refused):
    """The number of rounds is outside what the format allows."""

    code, status = "bad-rounds", 422
    sentence = gettext_noop("Choose between %(fewest)d and %(most)d rounds.")


class Kind(StrEnum):
    """What a pairing stands for.

    `PLAYED`: a match, in play or finished. `FORFEIT`: a match that did not take place because somebody was
    absent or had withdrawn; it has points, but is no meeting. `BYE`: a round without an opponent, for a full
    point. `HALF_BYE`: the same for half a point, asked for or missed before a late entry. `VOID`: annulled
    by the organiser; it counts as if it had never been.
    """

    PLAYED = "played"
    FORFEIT = "forfeit"
    BYE = "bye"
    HALF_BYE = "half_bye"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a tournament.

    Attributes:
        seed: the rank before the first round: 1 is the strongest; no two players share one.
        joined: the first round that the player could be paired in; 1 for everyone who was there at the start.
            It stays when a player withdraws and comes back.
        withdrawn: whether the player has left, was removed, or has no account any more.
        away: whether the player has missed a match and has not come back since.
        byes: the rounds for which the player has asked for a bye.
        apart: players whom this one has blocked. An arena does not pair the two.
        team: the club for which the player plays; None where everybody plays for themselves.
    """

    id: PlayerId
    seed: int
    joined: int = 1
    withdrawn: bool = False
    away: bool = False
    byes: frozenset[int] = frozenset()
    apart: frozenset[PlayerId] = frozenset()
    team: TeamId | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """The players of one match, or one player with a bye. `key` is unique in a tournament.

    Attributes:
        round: from 1. In an arena, the wave of pairing.
        table: from 1 in each round; the leading players sit at the first one.
        seats: the players by seat. One player alone has a bye.
        replay: 0, or 1 for the faster match after a draw in a knock-out.
        reason: why these players meet: a key of `REASONS` in `lobby.tournaments.formats.words`, or "".
        points: by seat, once it has ended: 1 for a win, ½ for a draw, 0 for a loss. `points_by_place` gives
            those of larger tables.
        ended: the order in which the matches of a tournament ended, from 1. It orders streaks.
    """

    round: int
    table: int
    seats: tuple[PlayerId, ...]
    kind: Kind = Kind.PLAYED
    replay: int = 0
    reason: str = ""
    points: tuple[float, ...] | None = None
    ended: int | None = None

    @property
    def key(self) -> tuple[int, int, int]:
        """Identifies the pairing in its tournament."""
        return self.round, self.table, self.replay

    @property
    def open(self) -> bool:
        """Whether the match is still to be played or decided."""
        return self.points is None and self.kind is not Kind.VOID

    @property
    def met(self) -> bool:
        """Whether its players have met: an absent player may be paired with the same opponent again."""
        return self.kind is Kind.PLAYED and len(self.seats) > 1


@dataclass(frozen=True, slots=True)
class Options:
    """What the organiser has chosen. None of it changes after the start.

    Attributes:
        format: a key of `lobby.tournaments.formats.FORMATS`.
        rounds: number of rounds of a Swiss or of rounds of tables; other formats know theirs.
        least_seats: fewest players of a match.
        seats: most players of a match.
        third_place: whether the losers of the semi-finals of a knock-out play for the third place.
        team_size: how many players of each club count.
        half_byes: most rounds with half a point that a player may ask for.
        late_byes: most rounds before a late entry that give half a point; the others give none.
        computer: the computer player that takes the odd chair in place of a bye; it is not among the players.
            None for a bye.
        host: who plays everybody else in a simul; not among the players.
        host_seat: where the host sits, one of `lobby.tournaments.formats.simul.HOST_SEATS`.
        lot: text that decides by lot what nothing else decides, such as the id of the tournament.
    """

    format: str
    rounds: int = 0
    least_seats: int = 2
    seats: int = 2
    third_place: bool = True
    team_size: int = 0
    half_byes: int = 1
    late_byes: int = 1
    computer: PlayerId | None = None
    host: PlayerId | None = None
    host_seat: str = "alternating"
    lot: str = ""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """The value of one tie-break: `name` is a key of `standings.TIE_BREAKS`."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings.

    Attributes:
        rank: shared by players whom nothing separates; None for a player who has not played yet.
        points: sum of the points, with streaks in an arena.
        tie_breaks: in the order in which they decide.
        played: number of matches that have ended, forfeits and byes not counted.
        on_streak: whether the next win counts double.
    """

    player: PlayerId
    rank: int | None
    points: float
    tie_breaks: tuple[TieBreak, ...] = ()
    played: int = 0
    on_streak: bool = False


class Format(Protocol):
    """What a format module offers.

    Attributes:
        ARENA: whether players are paired as they become free until a clock ends it; otherwise, in rounds.
        LATE: whether players may enter after the start.
        TABLES: whether matches may have more than two players.
        GOES_ON: whether players are paired again after a defeat.
        HOST: whether one player, the host, plays all others at once.
    """

    ARENA: bool
    LATE: bool
    TABLES: bool
    GOES_ON: bool
    HOST: bool

    def check(self, count: int, options: Options) -> None:
        """Check whether `count` players can begin.

        Raises:
            TooFewPlayers, BadRounds: they cannot.
        """

    def rounds(self, count: int, options: Options) -> int:
        """The number of rounds for `count` players; 0 for an arena."""

    def pair(
        self,
        players: Sequence[Player],
        pairings: Sequence[Pairing],
        options: Options,
        waiting: Collection[PlayerId] = (),
        patient: Collection[PlayerId] = (),
    ) -> tuple[Pairing, ...]:
        """What is to be paired now; nothing while a round goes on or when the last one is over.

        The same arguments give the same pairings, so that a step that was not stored is repeated safely.

        Args:
            players: everyone who has entered, players who have withdrawn since the start included. Where
                nobody may enter late, always the players of the start.
            pairings: everything that has been paired so far.
            waiting: in an arena, the players who are present and free, the longest wait first.
            patient: those of them who have waited long enough to meet their last opponent again.
        """

    def standings(
        self, players: Sequence[Player], pairings: Sequence[Pairing], options: Options
    ) -> tuple[Standing, ...]:
        """The order of all players now, from what has ended."""


def finished(
    form: Format,
    players: Sequence[Player],
    pairings: Sequence[Pairing],
    options: Options,
    *,
    closed: bool = False,
) -> bool:
    """Whether a tournament is over: every match has ended, and there is nothing left to pair.

    Args:
        closed: nothing more is to be paired: the time of an arena is up, or the organiser ends it early.
    """
    if any(pairing.open for pairing in pairings):
        return False
    return closed or not (form.ARENA or form.pair(players, pairings, options))


def points_by_place(places: Sequence[int]) -> tuple[float, ...]:
    """Points by seat from places: the share of the opponents that a player has beaten, a tie for half.

    So first place gives 1 and last place 0 at a table of any size, and a table of two counts like a match.

    Args:
        places: by seat, 1 for the winner; equal numbers are ties.
    """
    others = len(places) - 1
    return tuple(
        (sum(other > place for other in places) + (places.count(place) - 1) / 2) / others for place in places
    )


def check_count(count: int, fewest: int) -> None:
    """Check that there are enough players. Raises TooFewPlayers."""
    if count < fewest:
        raise TooFewPlayers(fewest=fewest)


def check_chosen_rounds(options: Options, most: int) -> None:
    """Check the number of rounds that the organiser has chosen. Raises BadRounds."""
    if not 1 <= options.rounds <= most:
        raise BadRounds(fewest=1, most=most)


def chosen_rounds(count: int, options: Options) -> int:
    """As many as the organiser has chosen: `rounds` of a format."""
    return options.rounds


def next_round(pairings: Sequence[Pairing]) -> int:
    """The number of the round after the last one that was paired."""
    return max((pairing.round for pairing in pairings), default=0) + 1


def drawn_lot(options: Options, *subject: object) -> int:
    """A lot that everyone can draw again: a number that depends on the tournament and the subject only."""
    text = ":".join(map(str, (options.lot, *subject)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
