"""A tournament as its format sees it, read from the stored pairings and the matches.

Results are never stored beside the matches: every reader derives them here.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from games.domain import codec, match_actions
from games.models import Match, Ply
from games.net.process import process
from games.registry import GAMES
from games.rules.base import Outcome, Seat
from games.store import history
from games.store.history import Participation
from lobby.formats.base import Format, Kind, Options, Pairing, Player, PlayerId, Standing, points_by_place
from lobby.formats.registry import FORMATS
from lobby.models import Entrant, PairingSeat, Tournament
from lobby.models import Pairing as Row
from lobby.people import relationships
from lobby.ratings.results import ranks

CHEAP_SECONDS = 0.02
"""What takes no longer is read anew after every change."""
SPARING = 20
"""What takes longer is read once in so many times as long."""
KEPT_SECONDS = 60
"""For how long a sheet is kept that nobody looks at."""
NOBODY_LEFT = Participation(frozenset(), {}, False)

Result = tuple[Kind, tuple[float, ...]]
"""What a finished match counts as, and its points by seat."""
ResultOf = Callable[[str, str, int], Result]
"""Returns the result of a finished match from its id, its outcome (JSON) and its number of seats."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The players and pairings of a tournament.

    Attributes:
        entrants: the rows of the players, by id.
        matches: the ids of the matches, by the key of the pairing.
    """

    form: Format
    options: Options
    players: tuple[Player, ...]
    pairings: tuple[Pairing, ...]
    entrants: Mapping[PlayerId, Entrant]
    matches: Mapping[tuple[int, int, int], str]

    @property
    def round(self) -> int:
        """The last round that was paired; 0 before the first."""
        return max((pairing.round for pairing in self.pairings), default=0)

    @property
    def open(self) -> list[Pairing]:
        """The pairings that are still to be played or decided."""
        return [pairing for pairing in self.pairings if pairing.open]

    def standings(self) -> tuple[Standing, ...]:
        """The order of all players now."""
        return self.form.standings(self.players, self.pairings, self.options)


def form_of(tournament: Tournament) -> Format:
    """The format of a tournament."""
    return FORMATS[tournament.format]


def options_of(tournament: Tournament, computer: PlayerId | None = None) -> Options:
    """The options of a tournament as its format sees them; `computer` is the entrant in the odd chair."""
    return Options(
        format=tournament.format,
        rounds=tournament.rounds,
        least_seats=min(tournament.seats, max(2, GAMES[tournament.game].rules.SEATS[0])),
        seats=tournament.seats,
        third_place=tournament.third_place,
        half_byes=tournament.half_byes,
        computer=computer,
        lot=tournament.pk,
    )


def result_of(match_id: str, outcome: str, seats: int) -> Result:
    """The result of a finished match.

    In a match without a result the seat that did not come, or aborted the match, has lost by forfeit.
    """
    ended = codec.decode(Outcome, outcome)
    if ended.reason in match_actions.WITHOUT_RESULT:
        last = Ply.objects.filter(match=match_id).order_by("-number").values_list("action", flat=True)[0]
        return without_result(last, seats)
    # With two seats the outcome says it all.
    return with_result(ended, NOBODY_LEFT if seats == 2 else history.participation(match_id), seats)


def with_result(outcome: Outcome, participation: Participation, seats: int) -> Result:
    """The result of a match that was played to an end."""
    return Kind.PLAYED, points_by_place([1 + place for place in ranks(outcome, participation, seats)])


def without_result(last: str, seats: int) -> Result:
    """The result of a match without one; `last` is its last ply."""
    act = match_actions.parse(last)
    return Kind.FORFEIT, forfeited({act.seat} if act else (), seats)


def forfeited(absent: Any, seats: int) -> tuple[float, ...]:
    """The points by seat of a match to which the seats in `absent` did not come; nobody wins if none came."""
    places = [2 if seat in absent else 1 for seat in range(seats)]
    return points_by_place(places) if min(places) == 1 else (0.0,) * seats


def read(tournament: Tournament, result: ResultOf = result_of) -> Sheet:
    """The sheet of a tournament. `result` derives the results of matches."""
    entrants = {
        entrant.pk: entrant
        for entrant in Entrant.objects.filter(tournament=tournament, seed__isnull=False)
        .select_related("user")
        .order_by("seed")
    }
    computer = next((pk for pk, entrant in entrants.items() if entrant.user.computer), None)
    rows = list(_rows(tournament))
    return Sheet(
        form=form_of(tournament),
        options=options_of(tournament, computer),
        players=tuple(_player(entrant) for entrant in entrants.values() if entrant.pk != computer),
        pairings=_pairings(rows, _seats(tournament), result),
        entrants=entrants,
        matches={(row.round, row.table, row.replay): row.match_id for row in rows if row.match_id},
    )


def kept_apart(known: Sheet) -> tuple[Player, ...]:
    """The players of a sheet, with whom each of them has blocked."""
    player_of = {entrant.user_id: pk for pk, entrant in known.entrants.items()}
    apart = defaultdict[PlayerId, set[PlayerId]](set)
    for user_id, other_id in relationships.blocks_among(player_of.keys()):
        apart[player_of[user_id]].add(player_of[other_id])
    return tuple(replace(player, apart=frozenset(apart[player.id])) for player in known.players)


class Shown(NamedTuple):
    """A sheet with its standings, and the version of the tournament that it shows."""

    version: int
    sheet: Sheet
    standings: tuple[Standing, ...]


class Sheets:
    """The sheets that were read lately, which all who look at a tournament share."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[float, float, Shown]] = {}

    def lately(self, tournament: Tournament) -> Shown:
        """The sheet as of the last change; of a large tournament it may be some seconds old."""
        now = time.monotonic()
        at, took, shown = self._read.get(tournament.pk, (0.0, 0.0, None))
        if shown is None or (shown.version != tournament.version and now - at > SPARING * took):
            sheet = read(tournament)
            shown = Shown(tournament.version, sheet, sheet.standings())
            took = time.monotonic() - now
            self._read[tournament.pk] = now, took if took > CHEAP_SECONDS else 0.0, shown
            self._forget(now)
        return shown

    def _forget(self, now: float) -> None:
        for pk in [pk for pk, (at, *_) in self._read.items() if now - at > KEPT_SECONDS]:
            del self._read[pk]


sheets = process.part(Sheets)
"""The sheets of this process."""


def gone(entrant: Entrant) -> bool:
    """Whether a player cannot finish a match: removed by the organiser, banned, or without an account."""
    return entrant.removed or not entrant.user.is_active


def _player(entrant: Entrant) -> Player:
    return Player(
        id=entrant.pk,
        seed=entrant.seed or 0,
        joined=entrant.joined,
        withdrawn=entrant.withdrawn is not None or gone(entrant),
        byes=frozenset(entrant.byes),
    )


def _rows(tournament: Tournament) -> Any:
    columns = ("pk", "round", "table", "replay", "kind", "reason", "decided", "match_id")
    of_match = ("match__status", "match__outcome", "match__ended")
    rows = Row.objects.filter(tournament=tournament).order_by("round", "table", "replay")
    return rows.values_list(*columns, *of_match, named=True)


def _seats(tournament: Tournament) -> Mapping[int, list[tuple[int, float | None]]]:
    """The entrant and the decided points of each seat, by pairing."""
    found = defaultdict[int, list[tuple[int, float | None]]](list)
    seats = PairingSeat.objects.filter(pairing__tournament=tournament).order_by("pairing", "seat")
    for pairing, entrant, points in seats.values_list("pairing", "entrant", "points"):
        found[pairing].append((entrant, points))
    return found


def _pairings(
    rows: Sequence[Any], seats: Mapping[int, list[tuple[int, float | None]]], result: ResultOf
) -> tuple[Pairing, ...]:
    paired: list[tuple[datetime | None, Pairing]] = []
    for row in rows:
        players, points = zip(*seats[row.pk], strict=True)
        pairing = Pairing(row.round, row.table, players, Kind(row.kind), replay=row.replay, reason=row.reason)
        if row.decided is not None:
            ended, told = row.decided, None if Kind(row.kind) is Kind.VOID else points
            paired.append((ended, replace(pairing, points=told)))
        elif row.match__status == Match.Status.FINISHED:
            kind, points = result(row.match_id, row.match__outcome, len(players))
            paired.append((row.match__ended, replace(pairing, kind=kind, points=points)))
        else:
            paired.append((None, pairing))
    order = sorted((ended, pairing.key) for ended, pairing in paired if ended is not None)
    place = {key: number for number, (_, key) in enumerate(order, 1)}
    return tuple(replace(pairing, ended=place.get(pairing.key)) for _, pairing in paired)


def absent_seats(entrants: Sequence[Entrant]) -> frozenset[Seat]:
    """The seats of a pairing whose players are gone."""
    return frozenset(seat for seat, entrant in enumerate(entrants) if gone(entrant))
