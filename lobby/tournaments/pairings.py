"""Stores pairings, begins their matches, and decides them. The only module that writes `Pairing`.

Every function runs in a transaction of its caller, who holds the row of the tournament.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from django.db.models import Prefetch, Q, QuerySet

from games.domain import clock, codec, match_actions
from games.domain.terms import Terms
from games.models import Match, Ply
from games.play import begin
from games.play.begin import Seated
from games.registry import GAMES
from games.rules.base import Outcome
from games.store import history
from lobby.ratings.rated import may_have_rating
from lobby.tables import computers
from lobby.tournaments.formats import base
from lobby.tournaments.formats.base import Kind, PlayerId
from lobby.tournaments.models import Entrant, Pairing, PairingSeat, Tournament
from lobby.tournaments.sheet import absent_seats, forfeited

ENDED_WITHIN = timedelta(minutes=1)
"""After this time a match that ended is not looked at again."""
FASTER, FASTEST = "3+2", "1+0"
"""Clocks of the faster match that decides after a draw."""


def store(tournament: Tournament, paired: Sequence[base.Pairing], now: datetime) -> list[Pairing]:
    """Store new pairings, and return them. Byes and forfeits have points and are decided at once."""
    hosts = set(tournament.entrants.filter(host=True).values_list("pk", flat=True))
    rows = Pairing.objects.bulk_create(
        Pairing(
            tournament=tournament,
            round=each.round,
            table=each.table,
            replay=each.replay,
            kind=each.kind,
            reason=each.reason,
            created=now,
            decided=None if each.points is None else now,
        )
        for each in paired
    )
    PairingSeat.objects.bulk_create(
        PairingSeat(
            pairing=row,
            seat=seat,
            entrant_id=entrant,
            round=each.round,
            replay=each.replay,
            board=each.table if entrant in hosts else 0,
            points=None if each.points is None else each.points[seat],
        )
        for row, each in zip(rows, paired, strict=True)
        for seat, entrant in enumerate(each.seats)
    )
    return rows


def store_first(tournament: Tournament, sizes: Sequence[int], now: datetime) -> list[Pairing]:
    """Store the only round of a tournament, of which the entrants sit in the order of their seeds.

    Args:
        sizes: of the tables. One player alone meets the computer, if it is among the entrants, or has a bye.
    """
    seeded = iter(tournament.entrants.order_by("seed").values_list("pk", flat=True))
    tables = [tuple(islice(seeded, size)) for size in sizes]
    computer = next(seeded, None)
    return store(tournament, [_first(*each, computer) for each in enumerate(tables, 1)], now)


def _first(table: int, seats: tuple[PlayerId, ...], computer: PlayerId | None) -> base.Pairing:
    if len(seats) > 1:
        return base.Pairing(1, table, seats, reason="least_met")
    if computer is not None:
        return base.Pairing(1, table, (*seats, computer), reason="computer")
    return base.Pairing(1, table, seats, Kind.BYE, points=(1.0,))


def undecided(tournament: Tournament) -> QuerySet[Pairing]:
    """The pairings that are still to be played or decided, by round and table, with their players."""
    in_play = Q(match=None) | ~Q(match__status=Match.Status.FINISHED)
    rows = Pairing.objects.filter(in_play, tournament=tournament, decided=None)
    seats = PairingSeat.objects.order_by("seat").select_related("entrant__user")
    return rows.order_by("round", "table", "replay").prefetch_related(Prefetch("seats", seats))


class OpenTable(NamedTuple):
    """A table that a round waits for: its players by seat, its match if it has begun, and who is to move."""

    round: int
    table: int
    players: list[str]
    match: str | None
    status: str
    to_move: list[str]
    since: datetime


def holding_up(tournament: Tournament, name: Callable[[Entrant], str] = Entrant.get_name) -> list[OpenTable]:
    """The tables that are still to be played or decided, so that the organiser can look after them.

    Args:
        tournament: one in progress.
        name: gives the name of a player.
    """
    return [_open_table(pairing, name) for pairing in undecided(tournament).select_related("match")]


def _open_table(pairing: Pairing, name: Callable[[Entrant], str]) -> OpenTable:
    names = [name(entrant) for entrant in players(pairing)]
    match = pairing.match
    if match is None:
        return OpenTable(pairing.round, pairing.table, names, None, "waiting", names, pairing.created)
    last = Ply.objects.filter(match=match).order_by("-number").values_list("state", "at").first()
    state, since = last or (match.start, match.created)
    turn = codec.decode_state(GAMES[match.game].rules, state).turn
    return OpenTable(pairing.round, pairing.table, names, match.pk, match.status, [names[turn]], since)


def without_match(tournament: Tournament) -> QuerySet[Pairing]:
    """Those of them whose match is still to be made."""
    return undecided(tournament).filter(match=None, kind=Kind.PLAYED)


def players(pairing: Pairing) -> list[Entrant]:
    """The players of a pairing, by seat."""
    return [seat.entrant for seat in pairing.seats.all()]


def begin_matches(tournament: Tournament, ready: Sequence[Pairing]) -> None:
    """Begin the matches of pairings that have none, and announce them together."""
    options = codec.decode(GAMES[tournament.game].rules.Options, tournament.options)
    tables = [_table(tournament, pairing) for pairing in ready]
    for pairing, match in zip(ready, begin.create_many(tournament.game, options, tables), strict=True):
        pairing.match = match
    Pairing.objects.bulk_update(ready, ["match"])


def _table(tournament: Tournament, pairing: Pairing) -> Seated:
    entrants = players(pairing)
    game, users = GAMES[tournament.game], [entrant.user for entrant in entrants]
    known = ((seat, computers.level_at(game, user)) for seat, user in enumerate(users))
    keepers = {seat: each.keeper_id for seat, each in enumerate(entrants) if each.keeper_id is not None}
    usual = faster(tournament.clock) if pairing.replay else tournament.clock
    for seat, entrant in enumerate(entrants):
        if entrant.host:
            usual = clock.hosted(usual, seat, tournament.extra_minutes)
    terms = Terms(
        # Nobody can play several matches at one device against the clock.
        clock="" if keepers else usual,
        chat=tournament.chat,
        # Matches with programs are casual in a rated tournament, too.
        rated=tournament.rated and all(may_have_rating(user) is None for user in users),
    )
    levels = {seat: level for seat, level in known if level is not None}
    names = {seat: each.name for seat, each in enumerate(entrants) if each.name}
    return Seated(users, terms, levels, keepers, names)


def faster(notation: str) -> str:
    """The clock of the match that decides after a draw; others keep theirs."""
    control = clock.parse(notation)
    if not control.live:
        return notation
    return FASTER if control.initial > clock.parse(FASTER).initial else FASTEST


def with_gone(tournament: Tournament) -> QuerySet[Pairing]:
    """The open pairings that a player loses who is gone, or who has left before the match was made.

    At tables of three and more the others play on, and the director has the player leave the match.
    """
    gone = Q(seats__entrant__removed=True) | Q(seats__entrant__user__is_active=False)
    left = Q(match=None, seats__entrant__withdrawn__isnull=False)
    lost = left | gone if tournament.seats == 2 else left | gone & Q(match=None)
    return undecided(tournament).filter(lost).distinct()


def forfeit_gone(tournament: Tournament, now: datetime) -> None:
    """Decide the open pairings of players who are gone or have left: they lose by forfeit."""
    for pairing in with_gone(tournament):
        entrants = players(pairing)
        absent = absent_seats(entrants)
        if pairing.match_id is None:
            absent |= {seat for seat, entrant in enumerate(entrants) if entrant.withdrawn}
        decide(pairing, Kind.FORFEIT, forfeited(absent, len(entrants)), "", now)


def unattended(tournament: Tournament, online: Set[int], now: datetime) -> list[Pairing]:
    """The matches to which nobody came: one player did not move in time, and the others are not online."""
    ended = Pairing.objects.filter(
        tournament=tournament,
        decided=None,
        match__ended__gt=now - ENDED_WITHIN,
        match__outcome__contains=f'"{match_actions.ABORTED}"',
    ).prefetch_related("seats__entrant")
    return [pairing for pairing in ended if _unattended(pairing, online)]


def _unattended(pairing: Pairing, online: Set[int]) -> bool:
    # Time has no command; who moved, or aborted the match, was there.
    came = Ply.objects.filter(match=pairing.match_id).exclude(command=None).exists()
    return not came and online.isdisjoint(entrant.user_id for entrant in players(pairing))


def unnoted(tournament: Tournament) -> QuerySet[Pairing]:
    """The pairings whose match has ended and of which it is not noted who came, the earliest end first."""
    ended = Pairing.objects.filter(tournament=tournament, noted=False, match__status=Match.Status.FINISHED)
    seats = PairingSeat.objects.order_by("seat")
    return ended.order_by("match__ended").select_related("match").prefetch_related(Prefetch("seats", seats))


class Attendance(NamedTuple):
    """Who came to a match and who missed it, by entrant. Whoever had nothing to do is in neither."""

    came: list[PlayerId]
    missed: list[PlayerId]


def attendance(pairing: Pairing) -> Attendance:
    """Who came to the match of a pairing that has ended.

    A player has missed it whose time for the first move ran out. Who aborts a match was there.
    """
    assert pairing.match is not None
    assert pairing.match.outcome is not None
    reason = codec.decode(Outcome, pairing.match.outcome).reason
    entrants = [seat.entrant_id for seat in pairing.seats.all()]
    if len(entrants) == 2 and reason not in (match_actions.ABORTED, "time"):
        return Attendance(entrants, [])
    known = history.participation(pairing.match.pk)
    late = {seat for seat, why in known.left.items() if why == "time"}
    for text, command in known.beside:
        act = match_actions.parse(text)
        if act is not None and act.kind == match_actions.ABORTED and command is None:
            late.add(act.seat)
    missed = [entrants[seat] for seat in late - known.acted]
    return Attendance([entrants[seat] for seat in known.acted], missed)


def note(ended: Sequence[Pairing]) -> None:
    """Note that it is known who came to the matches of pairings."""
    Pairing.objects.filter(pk__in=[pairing.pk for pairing in ended]).update(noted=True)


def decide(pairing: Pairing, kind: Kind, points: Sequence[float] | None, why: str, now: datetime) -> None:
    """Set the points of a pairing by seat, whatever comes of its match; None: it counts as never paired."""
    pairing.kind, pairing.why, pairing.decided = kind, why, now
    pairing.save(update_fields=["kind", "why", "decided"])
    for seat in pairing.seats.all():
        seat.points = None if points is None else points[seat.seat]
        seat.save(update_fields=["points"])


def erase(tournament: Tournament) -> list[str]:
    """Delete the pairings of a tournament; returns the ids of their matches, which still exist."""
    rows = Pairing.objects.filter(tournament=tournament)
    match_ids = list(rows.filter(match__isnull=False).values_list("match", flat=True))
    rows.delete()
    return match_ids


def told(pairing_ids: Sequence[int]) -> None:
    """Note that players were told of their matches."""
    Pairing.objects.filter(pk__in=pairing_ids).update(told=True)
