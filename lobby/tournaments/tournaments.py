"""Tournaments: finding and locking them, their beginning and their end.

Writes `Tournament` and the seeds of entrants.

The row of a tournament is its lock. Lock order as in `lobby.clubs.lookup`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.registry import GAMES
from lobby.people.models import User
from lobby.ratings.glicko2 import AVERAGE
from lobby.tables import computers
from lobby.tournaments import pairings, refusals, sheet, signals, teams
from lobby.tournaments.formats import FORMATS, byes
from lobby.tournaments.formats.base import BadRounds, Kind
from lobby.tournaments.models import Entrant, Pairing, Tournament

State = Tournament.State
UNFINISHED = (State.OPEN, State.RUNNING)
IN_ORDER = F("board").asc(nulls_last=True)
"""Orders the players of a team match by the lineups of their clubs."""


def listed(*states: Tournament.State) -> Any:
    """The public tournaments in these states, newest first.

    Each has the number of its players in `players`, and the last round that was paired in `paired`.
    """
    # Subqueries for each tournament that is read: a join would count the players of all of them.
    there = Entrant.objects.filter(
        tournament=OuterRef("pk"), withdrawn=None, removed=False, host=False, user__computer=""
    )
    players = there.order_by().values("tournament").annotate(Count("pk")).values("pk__count")
    # Evenings and rounds of classes are for those who are there.
    public = Tournament.objects.filter(evening=None, class_round=None)
    known = public.filter(state__in=states, game__in=GAMES, format__in=FORMATS)
    paired = Pairing.objects.filter(tournament=OuterRef("pk")).order_by("-round").values("round")[:1]
    counted = known.annotate(players=Coalesce(Subquery(players), 0), paired=Coalesce(Subquery(paired), 0))
    return counted.select_related("organiser", "club").order_by("-created")


def find(tournament_id: str) -> Tournament:
    """A tournament, whoever may see it (`lobby.tournaments.visibility`).

    Raises:
        TournamentError: "unknown-tournament".
    """
    return _found(Tournament.objects.all(), tournament_id)


def locked(tournament_id: str) -> Tournament:
    """A tournament, locked until the transaction ends.

    Raises:
        TournamentError: "unknown-tournament".
    """
    return _found(Tournament.objects.select_for_update(of=("self",)), tournament_id)


def _found(rows: QuerySet[Tournament], tournament_id: str) -> Tournament:
    known = rows.filter(pk=tournament_id, game__in=GAMES, format__in=FORMATS)
    tournament = known.select_related("organiser", "club", "evening", "class_round__school_class").first()
    if tournament is None:
        raise refusals.UnknownTournament
    return tournament


def running() -> int:
    """The number of tournaments that are running."""
    return Tournament.objects.filter(state=State.RUNNING).count()


def overdue(before: datetime) -> int:
    """The number of tournaments that no director has looked at since they became due before this time."""
    return Tournament.objects.filter(due__lt=before, game__in=GAMES, format__in=FORMATS).count()


def last_round(tournament: Tournament) -> int:
    """The last round that was paired; 0 before the first."""
    return Pairing.objects.filter(tournament=tournament).aggregate(last=Max("round"))["last"] or 0


def present(tournament: Tournament) -> QuerySet[Entrant]:
    """Those who have entered and not left, the host and the computer player in the odd chair apart."""
    return tournament.entrants.filter(withdrawn=None, removed=False, host=False, user__computer="")


def admitted(tournament: Tournament) -> QuerySet[Entrant]:
    """Those of them who will play: in a simul the host may choose, and plays against them."""
    there = present(tournament)
    if not sheet.form_of(tournament).HOST:
        return there
    if not tournament.computer:
        there = there.exclude(user=tournament.organiser)
    return there.filter(admitted=True) if tournament.host_admits else there


def begin(tournament: Tournament, now: datetime) -> None:
    """Begin a locked tournament: seed the players by rating, the earlier entry first where they are equal.

    In a team match the lineups of the clubs go first.

    If there are too few players for the planned rounds, there are fewer rounds. Players who lose a bye by
    that are told.

    Raises:
        TooFewPlayers, TooManyPlayers, TooFewClubs, BadRounds: the format cannot begin
            (`lobby.tournaments.formats`).
    """
    there = list(admitted(tournament).select_related("user").order_by(IN_ORDER, "-rating", "pk"))
    if teams.play(tournament):
        teams.check_players(there)
    lost_before = [lost_byes(entrant, tournament) for entrant in there]
    tournament.rounds = _rounds(tournament, len(there))
    for entrant, lost in zip(there, lost_before, strict=True):
        if lost_byes(entrant, tournament) != lost:
            signals.terms_changed(tournament, entrant.user)
    start(tournament, there, now)


def start(tournament: Tournament, there: Sequence[Entrant], now: datetime) -> None:
    """Start a locked tournament with these players, the strongest first.

    The computer player of the odd chair, if there is one, comes last.
    """
    for seed, entrant in enumerate(there, 1):
        entrant.seed = seed
    Entrant.objects.bulk_update(there, ["seed"], batch_size=200)
    if sheet.form_of(tournament).HOST:
        present(tournament).filter(seed=None).update(withdrawn=now)
        _enter_last(tournament, _host(tournament), len(there) + 1, host=True)
    elif tournament.computer:
        besides = [entrant.user_id for entrant in there]
        computer = computers.seat(GAMES[tournament.game], tournament.computer, besides)
        _enter_last(tournament, computer, len(there) + 1)
    tournament.state, tournament.began, tournament.due = State.RUNNING, now, now
    note_change(tournament, "state", "began", "due", "rounds")
    signals.tournament_started(tournament)


def hosts(user: User | AnonymousUser, tournament: Tournament) -> bool:
    """Whether a user is the host of a simul."""
    return sheet.form_of(tournament).HOST and not tournament.computer and user == tournament.organiser


def _host(tournament: Tournament) -> User:
    """The host of a simul: the computer player of its level, or the organiser."""
    if tournament.computer:
        return computers.seat(GAMES[tournament.game], tournament.computer)
    return tournament.organiser


def _enter_last(tournament: Tournament, user: User, seed: int, *, host: bool = False) -> None:
    """Enter who is not one of the players: the host, or the computer player in the odd chair."""
    entered = {"rating": AVERAGE, "seed": seed, "host": host, "withdrawn": None}
    Entrant.objects.update_or_create(tournament=tournament, user=user, defaults=entered)


def _rounds(tournament: Tournament, count: int) -> int:
    """The number of rounds for so many players: as planned, as many as they can play, or the format's own.

    Raises:
        TooFewPlayers, BadRounds: the format cannot begin (`lobby.tournaments.formats.base`).
    """
    form, planned = sheet.form_of(tournament), sheet.options_of(tournament)
    try:
        form.check(count, planned)
    except BadRounds as error:
        most = int(str(error.params["most"]))
        if planned.rounds <= most:
            raise
        form.check(count, replace(planned, rounds=most))
        return most
    return form.rounds(count, planned)


def lost_byes(entrant: Entrant, tournament: Tournament) -> list[int]:
    """The rounds that a player has asked to sit out, and will not: there are fewer rounds now.

    The player can ask for others instead.
    """
    given = byes.granted(entrant.byes, sheet.options_of(tournament))
    return [number for number in entrant.byes if number not in given]


def call_off(tournament: Tournament, now: datetime) -> None:
    """Cancel a locked tournament.

    Raises:
        TournamentError: "tournament-over".
    """
    unfinished(tournament)
    for pairing in pairings.undecided(tournament):
        pairings.decide(pairing, Kind.VOID, None, "", now)
    tournament.state, tournament.ended, tournament.due = State.CANCELLED, now, now
    note_change(tournament, "state", "ended", "due")
    signals.tournament_finished(tournament)


def unfinished(tournament: Tournament) -> None:
    """Check that a tournament is not over.

    Raises:
        TournamentError: "tournament-over".
    """
    if tournament.state not in UNFINISHED:
        raise refusals.TournamentOver


def note_change(tournament: Tournament, *columns: str) -> None:
    """Save columns of a locked tournament, number the change, and tell of it."""
    tournament.version += 1
    tournament.save(update_fields=["version", *columns])
    signals.tournament_changed(tournament)


def look_at(tournament: Tournament, *columns: str) -> None:
    """Note a change, and have a director look at the tournament soon if it runs."""
    if tournament.state == State.RUNNING:
        tournament.due = timezone.now()
    note_change(tournament, "due", *columns)
