"""A tournament as its format sees it: derived from stored pairings and matches, and stored when it ends.

Until a tournament is over, no result is stored beside the matches. Then `keep` stores the standings and the
results, which nothing changes any more; names are read with every sheet. Writes `FinalSheet`.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.db import DatabaseError, transaction

from games.domain import codec, match_actions
from games.models import Match
from games.net.process import process
from games.registry import GAMES
from games.rules.base import Outcome, Seat
from games.store import history
from games.store.history import Participation
from lobby.people import relationships
from lobby.ratings.results import ranks
from lobby.tournaments import teams
from lobby.tournaments.formats import FORMATS, simul
from lobby.tournaments.formats.base import (
    Format,
    Kind,
    Options,
    Pairing,
    Player,
    PlayerId,
    Standing,
    points_by_place,
)
from lobby.tournaments.formats.team_standings import TeamStanding, team_standings
from lobby.tournaments.models import Entrant, FinalSheet, PairingSeat, Tournament
from lobby.tournaments.models import Pairing as Row

CHEAP_SECONDS = 0.02
"""A sheet that takes at most this long is re-read after every change; seconds of processor time."""
CACHE_FACTOR = 20
"""A slower sheet is cached for this many times as long as it took."""
KEPT_SECONDS = 60
"""How long a sheet stays in memory after its last use."""
NOBODY_LEFT = Participation(frozenset(), {}, False)

Result = tuple[Kind, tuple[float, ...]]
"""The kind of result of a finished match, and its points by seat."""
Names = tuple[tuple[PlayerId, str, str, str | None], ...]
"""The names of all players in the tournament and on the site, by id, and those of their clubs."""


class Ended(NamedTuple):
    """A finished match: its outcome is JSON."""

    match_id: str
    outcome: str
    seats: int


ResultsOf = Callable[[Sequence[Ended]], Mapping[str, Result]]
"""Returns the results of finished matches by the ids of these."""


@dataclass(frozen=True, slots=True)
class Final:
    """The stored sheet of a tournament that is over. A new field needs a default, as older rows lack it."""

    standings: tuple[Standing, ...]
    pairings: tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The players and pairings of a tournament.

    Attributes:
        entrants: the rows of the players, by id.
        matches: the ids of the matches, by the key of the pairing.
        final: the standings that were stored at the end of the tournament; None before.
    """

    form: Format
    options: Options
    players: tuple[Player, ...]
    pairings: tuple[Pairing, ...]
    entrants: Mapping[PlayerId, Entrant]
    matches: Mapping[tuple[int, int, int], str]
    final: tuple[Standing, ...] | None = None

    @property
    def round(self) -> int:
        """The last round that was paired; 0 before the first."""
        return max((pairing.round for pairing in self.pairings), default=0)

    @property
    def open(self) -> list[Pairing]:
        """The pairings that are still to be played or decided."""
        return [pairing for pairing in self.pairings if pairing.open]

    @property
    def score(self) -> simul.Score | None:
        """The result of a simul so far; None before its start, and in other formats."""
        host = self.options.host
        return None if host is None else simul.score(self.pairings, host)

    def standings(self) -> tuple[Standing, ...]:
        """The order of all players now, or at the end."""
        if self.final is not None:
            return self.final
        return self.form.standings(self.players, self.pairings, self.options)

    def team_standings(self, order: Sequence[Standing]) -> tuple[TeamStanding, ...]:
        """The order of the clubs, from that of the players; nothing where players play for themselves."""
        return team_standings(self.players, order, self.options.team_size if self.form.ARENA else None)


def form_of(tournament: Tournament) -> Format:
    """The format of a tournament."""
    return FORMATS[tournament.format]


def options_of(
    tournament: Tournament, computer: PlayerId | None = None, host: PlayerId | None = None
) -> Options:
    """The options of a tournament as its format sees them.

    Args:
        computer: the entrant in the odd chair.
        host: the entrant who plays everybody else in a simul.
    """
    return Options(
        format=tournament.format,
        rounds=tournament.rounds,
        least_seats=min(tournament.seats, max(2, GAMES[tournament.game].rules.SEATS[0])),
        seats=tournament.seats,
        third_place=tournament.third_place,
        team_size=tournament.team_size,
        half_byes=tournament.half_byes,
        computer=computer,
        host=host,
        host_seat=tournament.host_seat,
        lot=tournament.pk,
    )


def results_of(ended: Sequence[Ended]) -> dict[str, Result]:
    """The results of finished matches, by match; at most two queries for all of them.

    In a match without a result the seat that did not come, or aborted the match, has lost by forfeit.
    """
    outcomes = {each.match_id: codec.decode(Outcome, each.outcome) for each in ended}
    without = {pk for pk, outcome in outcomes.items() if outcome.reason in match_actions.WITHOUT_RESULT}
    # With two seats the outcome says it all.
    several = {each.match_id for each in ended if each.seats > 2} - without
    last = history.last_actions(without) if without else {}
    took_part = history.participations(several) if several else {}
    return {
        pk: without_result(last[pk], seats)
        if pk in without
        else with_result(outcomes[pk], took_part.get(pk, NOBODY_LEFT), seats)
        for pk, _, seats in ended
    }


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


def read(tournament: Tournament) -> Sheet:
    """The sheet of a tournament: as it was stored when it ended, or derived from the matches until then."""
    if not _is_over(tournament):
        return derive(tournament)
    return _stored(tournament) or keep(tournament)


def derive(tournament: Tournament, results: ResultsOf = results_of) -> Sheet:
    """The sheet of a tournament by its pairings and matches. `results` derives the results of matches."""
    rows = list(_rows([tournament.pk]))
    pairings = _pairings(rows, _seats([tournament.pk]), results)
    matches = {(row.round, row.table, row.replay): row.match_id for row in rows if row.match_id}
    return _sheet(tournament, pairings, matches)


def keep(tournament: Tournament) -> Sheet:
    """Store the standings and results of a tournament that is over; returns its sheet. Idempotent.

    They derive from rows that no longer change, so any process may store them: the one that ended the
    tournament, or the first reader, if that process died or ran an earlier version.
    """
    derived = derive(tournament)
    final = Final(derived.standings(), derived.pairings)
    try:
        with transaction.atomic():
            FinalSheet.objects.create(tournament=tournament, content=codec.encode(final).decode())
            teams.keep(derived.team_standings(final.standings))
    except DatabaseError:
        # Somebody else has stored it, the tournament was erased, or the store fails: the next reader will.
        pass
    return replace(derived, final=final.standings)


def ended(tournament: Tournament) -> None:
    """Store the standings and results of a tournament that has just ended, after the commit."""
    transaction.on_commit(partial(keep, tournament), robust=True)


def _stored(tournament: Tournament) -> Sheet | None:
    content = FinalSheet.objects.filter(tournament=tournament).values_list("content", flat=True).first()
    if content is None:
        return None
    final = codec.decode(Final, content)
    made = Row.objects.filter(tournament=tournament, match__isnull=False)
    rows = made.values_list("round", "table", "replay", "match_id")
    matches = {(round, table, replay): match_id for round, table, replay, match_id in rows}
    return _sheet(tournament, final.pairings, matches, final.standings)


def _sheet(
    tournament: Tournament,
    pairings: tuple[Pairing, ...],
    matches: Mapping[tuple[int, int, int], str],
    final: tuple[Standing, ...] | None = None,
) -> Sheet:
    entrants = _entrants(tournament)
    host = next((pk for pk, entrant in entrants.items() if entrant.host), None)
    computer = next((pk for pk, entrant in entrants.items() if entrant.user.computer and pk != host), None)
    return Sheet(
        form=form_of(tournament),
        options=options_of(tournament, computer, host),
        players=tuple(_player(each) for each in entrants.values() if each.pk not in (computer, host)),
        pairings=pairings,
        entrants=entrants,
        matches=matches,
        final=final,
    )


def _entrants(tournament: Tournament) -> dict[PlayerId, Entrant]:
    rows = Entrant.objects.filter(tournament=tournament, seed__isnull=False)
    return {entrant.pk: entrant for entrant in rows.select_related("user", "team__club").order_by("seed")}


def _names(tournament: Tournament) -> Names:
    rows = Entrant.objects.filter(tournament=tournament, seed__isnull=False).order_by("seed")
    return tuple(rows.values_list("pk", "name", "user__username", "team__club__name"))


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


class SharedSheet:
    """The sheet of one tournament as its readers share it, and the results that are known of its matches."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.asked = time.monotonic()
        self._shown: Shown | None = None
        self._names: Names = ()
        self._results: dict[str, Result] = {}
        self._read, self._took = 0.0, 0.0

    def get(self, tournament: Tournament, *, exact: bool) -> Shown:
        """See `Sheets.cached`; under the lock."""
        self.asked = now = time.monotonic()
        # The version and the names are read before what they stand for, so that nothing newer is missed.
        names = _names(tournament)
        shown = self._shown
        if shown is None or (shown.version < tournament.version and (exact or now - self._read > self._rest)):
            began = time.thread_time()
            sheet = read(tournament) if _is_over(tournament) else derive(tournament, self._results_of)
            shown = Shown(tournament.version, sheet, sheet.standings())
            self._read, self._took = now, time.thread_time() - began
        elif names != self._names:
            shown = shown._replace(sheet=replace(shown.sheet, entrants=_entrants(tournament)))
        self._shown, self._names = shown, names
        return shown

    @property
    def _rest(self) -> float:
        """For how many seconds a sheet is shown at least that took long to read."""
        return CACHE_FACTOR * self._took if self._took > CHEAP_SECONDS else 0.0

    def _results_of(self, ended: Sequence[Ended]) -> Mapping[str, Result]:
        # The result of a finished match never changes.
        new = [each for each in ended if each.match_id not in self._results]
        self._results |= results_of(new)
        return self._results


class Sheets:
    """A cache of sheets, shared by all readers of a tournament."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shared: dict[str, SharedSheet] = {}

    def cached(self, tournament: Tournament, *, exact: bool = False) -> Shown:
        """The sheet as of the last change; of a large tournament it may be some seconds old.

        It has the names that hold now. Concurrent callers share one read. Call it outside of transactions.

        Args:
            exact: always as of the last change, for the user who has just made it.
        """
        shared = self._of(tournament.pk)
        with shared.lock:
            return shared.get(tournament, exact=exact)

    def _of(self, tournament_id: str) -> SharedSheet:
        with self._lock:
            oldest = time.monotonic() - KEPT_SECONDS
            self._shared = {pk: each for pk, each in self._shared.items() if each.asked > oldest}
            return self._shared.setdefault(tournament_id, SharedSheet())


sheets = process.part(Sheets)
"""The sheets of this process."""


def score_of(tournament: Tournament) -> simul.Score | None:
    """The result of a simul that has begun; None of other tournaments."""
    return sheets.cached(tournament).sheet.score if _is_begun_simul(tournament) else None


def scores_of(listed: Iterable[Tournament]) -> dict[str, simul.Score]:
    """The results of those tournaments that are simuls and have begun, by id; a few queries for all."""
    simuls = [each.pk for each in listed if _is_begun_simul(each)]
    if not simuls:
        return {}
    hosts = Entrant.objects.filter(tournament__in=simuls, host=True).values_list("tournament", "pk")
    seats, rows = _seats(simuls), list(_rows(simuls))
    results = results_of(_finished(rows, seats))
    by_simul = defaultdict[str, list[Any]](list)
    for row in rows:
        by_simul[row.tournament_id].append(row)
    return {pk: simul.score(_pairings(by_simul[pk], seats, lambda _: results), host) for pk, host in hosts}


def _is_begun_simul(tournament: Tournament) -> bool:
    return form_of(tournament).HOST and tournament.began is not None


def _is_over(tournament: Tournament) -> bool:
    return tournament.state not in (Tournament.State.OPEN, Tournament.State.RUNNING)


def gone(entrant: Entrant) -> bool:
    """Whether a player cannot finish a match: removed by the organiser, banned, or without an account."""
    return entrant.removed or not entrant.user.is_active


def _player(entrant: Entrant) -> Player:
    return Player(
        id=entrant.pk,
        seed=entrant.seed or 0,
        joined=entrant.joined,
        # Whoever is banned or deletes the account is withdrawn by that (`entries.leave_all`).
        withdrawn=entrant.withdrawn is not None or entrant.removed,
        away=entrant.away is not None,
        byes=frozenset(entrant.byes),
        team=entrant.team_id,
    )


def _rows(tournaments: Sequence[str]) -> Any:
    columns = ("pk", "tournament_id", "round", "table", "replay", "kind", "reason", "decided", "match_id")
    of_match = ("match__status", "match__outcome", "match__ended")
    rows = Row.objects.filter(tournament__in=tournaments).order_by("round", "table", "replay")
    return rows.values_list(*columns, *of_match, named=True)


def _seats(tournaments: Sequence[str]) -> Mapping[int, list[tuple[int, float | None]]]:
    """The entrant and the decided points of each seat, by pairing."""
    found = defaultdict[int, list[tuple[int, float | None]]](list)
    seats = PairingSeat.objects.filter(pairing__tournament__in=tournaments).order_by("pairing", "seat")
    for pairing, entrant, points in seats.values_list("pairing", "entrant", "points"):
        found[pairing].append((entrant, points))
    return found


def _finished(rows: Sequence[Any], seats: Mapping[int, list[tuple[int, float | None]]]) -> list[Ended]:
    """The matches that decide pairings, of those that have ended."""
    finished = [row for row in rows if row.decided is None and row.match__status == Match.Status.FINISHED]
    return [Ended(row.match_id, row.match__outcome, len(seats[row.pk])) for row in finished]


def _pairings(
    rows: Sequence[Any], seats: Mapping[int, list[tuple[int, float | None]]], results: ResultsOf
) -> tuple[Pairing, ...]:
    counted = results(_finished(rows, seats))
    paired: list[tuple[datetime | None, Pairing]] = []
    for row in rows:
        players, points = zip(*seats[row.pk], strict=True)
        pairing = Pairing(row.round, row.table, players, Kind(row.kind), replay=row.replay, reason=row.reason)
        if row.decided is not None:
            ended, told = row.decided, None if Kind(row.kind) is Kind.VOID else points
            paired.append((ended, replace(pairing, points=told)))
        elif row.match__status == Match.Status.FINISHED:
            kind, points = counted[row.match_id]
            paired.append((row.match__ended, replace(pairing, kind=kind, points=points)))
        else:
            paired.append((None, pairing))
    order = sorted((ended, pairing.key) for ended, pairing in paired if ended is not None)
    place = {key: number for number, (_, key) in enumerate(order, 1)}
    return tuple(replace(pairing, ended=place.get(pairing.key)) for _, pairing in paired)


def absent_seats(entrants: Sequence[Entrant]) -> frozenset[Seat]:
    """The seats of a pairing whose players are gone."""
    return frozenset(seat for seat, entrant in enumerate(entrants) if gone(entrant))
