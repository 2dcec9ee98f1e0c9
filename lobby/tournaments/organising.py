"""What organisers do. Writes `Tournament`; entrants by `entries`, pairings by `pairings`.

Every action is one transaction, and carried out once by its command id (`lobby.commands`).
"""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils import timezone

from games.domain import texts
from lobby.chat import lines
from lobby.clubs import lookup
from lobby.commands import erase_log, once, record
from lobby.people import naming
from lobby.people.models import User
from lobby.tournaments import (
    entries,
    pairings,
    plans,
    refusals,
    sheet,
    signals,
    teams,
    tournaments,
    visibility,
)
from lobby.tournaments.formats.base import Kind
from lobby.tournaments.models import WHY_LENGTH, Pairing, Tournament
from lobby.tournaments.plans import Changes, Plan
from lobby.tournaments.tournaments import (
    UNFINISHED,
    State,
    last_round,
    look_at,
    lost_byes,
    note_change,
    present,
    unfinished,
)


@once("tournament-create", again=tournaments.find)
def create(organiser: User, plan: Plan, command: str) -> Tournament:
    """Create a tournament, open for entries.

    Raises:
        TournamentError: "guest", "too-many-tournaments" or what `plans.check` raises.
        ChatError: "muted".
        ClubError, TableError, NotRated: what `plans.check` raises.
    """
    _hold_club(plan)
    # Lock the organiser's row, so that two concurrent requests cannot both pass the limit.
    User.objects.select_for_update().get(pk=organiser.pk)
    if organiser.is_guest:
        raise refusals.OrganiserGuest
    lines.check_author(organiser)
    plans.check(plan, organiser)
    most = settings.TOURNAMENTS_PER_PERSON
    if Tournament.objects.filter(organiser=organiser, state__in=UNFINISHED).count() >= most:
        raise refusals.TooManyTournaments(most)
    tournament = Tournament.objects.create(organiser=organiser, due=plan.starts, **plan.columns())
    if teams.play(tournament):
        teams.organise(tournament)
    record(organiser, "tournament-create", tournament.pk)
    signals.tournament_changed(tournament)
    return tournament


@transaction.atomic
def create_begun(organiser: User, plan: Plan, key: str, players: Sequence[entries.Player]) -> Tournament:
    """Create a tournament of people who are there, and begin it at once. Guests can organise it, too.

    Args:
        key: its id.
        players: the strongest seed first.

    Raises:
        TournamentError, TableError, NotRated: what `plans.check` raises.
        TooFewPlayers, BadRounds: the format cannot begin (`lobby.tournaments.formats.base`).
    """
    plans.check(plan, organiser, untitled=True)
    tournament = Tournament.objects.create(pk=key, organiser=organiser, **plan.columns())
    entries.enter_all(tournament, players)
    tournaments.begin(tournament, timezone.now())
    record(organiser, "tournament-start", tournament.pk)
    return tournament


@transaction.atomic
def create_paired(
    organiser: User, plan: Plan, key: str, paired: Sequence[Sequence[entries.Player]]
) -> Tournament:
    """Create a tournament of one round, of which it is known who meets, and begin it at once.

    Args:
        key: its id.
        paired: the players of each table by seat. One alone meets the computer player of the plan, or waits.

    Raises:
        TournamentError, TableError: what `plans.check` raises.
    """
    plans.check(plan, organiser, untitled=True)
    now = timezone.now()
    tournament = Tournament.objects.create(pk=key, organiser=organiser, **plan.columns())
    entries.enter_all(tournament, [player for players in paired for player in players])
    tournaments.start(tournament, list(tournament.entrants.order_by("pk")), now)
    pairings.store_first(tournament, [len(players) for players in paired], now)
    record(organiser, "tournament-start", tournament.pk)
    return tournament


@transaction.atomic
def annul_open(tournament_id: str) -> None:
    """Annul the tables that are still to be played or decided: their matches end without a result.

    Raises:
        TournamentError: "unknown-tournament".
    """
    tournament = tournaments.locked(tournament_id)
    for pairing in pairings.undecided(tournament):
        pairings.decide(pairing, Kind.VOID, None, "", timezone.now())
    look_at(tournament)


@once("tournament-change", "tournament_id", again=tournaments.find)
def change(organiser: User, tournament_id: str, changes: Changes, command: str) -> Tournament:
    """Change everything about a tournament that has not begun.

    Entries stay. Players who could not enter under the new terms are told, and those who lose a bye.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser", "started" or what `plans.check` raises.
        ChatError: "muted", if the title or the description changes.
        ClubError, TableError, NotRated: what `plans.check` raises.
    """
    _hold_club(changes.changed(Plan.of(tournaments.find(tournament_id))))
    tournament = _organised(organiser, tournament_id)
    if tournament.state != State.OPEN:
        raise refusals.Started
    there = list(present(tournament).select_related("user"))
    players = [entrant.user for entrant in there]
    misfits_before = entries.misfits(players, tournament).keys()
    lost_before = [lost_byes(entrant, tournament) for entrant in there]
    before = Plan.of(tournament)
    plan = changes.changed(before)
    if (plan.title, plan.about) != (before.title, before.about):
        lines.check_author(organiser)
    plans.check(plan, organiser, before)
    columns = {**plan.columns(), "due": plan.starts}
    if plan.club_id != before.club_id:
        # Who stands in for an organiser without a role in the club takes the tournament over with it.
        columns["organiser"] = organiser
    for name, value in columns.items():
        setattr(tournament, name, value)
    note_change(tournament, *columns)
    misfits = entries.misfits(players, tournament).keys() - misfits_before
    for entrant, lost in zip(there, lost_before, strict=True):
        if entrant.user_id in misfits or lost_byes(entrant, tournament) != lost:
            signals.terms_changed(tournament, entrant.user)
    record(organiser, "tournament-change", tournament.pk)
    return tournament


@once("tournament-start", "tournament_id", again=tournaments.find)
def start(organiser: User, tournament_id: str, command: str) -> Tournament:
    """Begin a tournament with those who have entered.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser" or "tournament-over".
        TooFewPlayers, BadRounds: the format cannot begin (`lobby.tournaments.formats.base`).
    """
    tournament = _organised(organiser, tournament_id)
    if tournament.state == State.RUNNING:
        return tournament
    if tournament.state != State.OPEN:
        raise refusals.TournamentOver
    tournaments.begin(tournament, timezone.now())
    record(organiser, "tournament-start", tournament.pk)
    return tournament


@transaction.atomic
def erase(tournament_id: str) -> list[str]:
    """Delete a tournament as if it had never been; returns the ids of its matches, which still exist.

    Raises:
        TournamentError: "unknown-tournament".
    """
    tournament = tournaments.locked(tournament_id)
    match_ids = pairings.erase(tournament)
    erase_log(tournament.pk)
    tournament.delete()
    return match_ids


@once("tournament-pause", "tournament_id", again=tournaments.find)
def pause(organiser: User, tournament_id: str, paused: bool, command: str) -> Tournament:
    """Pair nobody for now, or go on. Matches in play go on, and an arena still ends at its time.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser" or "not-running".
    """
    tournament = _organised(organiser, tournament_id)
    if tournament.state != State.RUNNING:
        raise refusals.NotRunning
    tournament.paused = paused
    look_at(tournament, "paused")
    record(organiser, "tournament-pause", tournament.pk if paused else "resume")
    return tournament


@once("tournament-admit", "tournament_id", again=tournaments.find)
def admit(organiser: User, tournament_id: str, name: str, admitted: bool, command: str) -> Tournament:
    """Choose who plays in a simul, before its start.

    Args:
        name: of an entrant; "" for all, as far as there are boards.
        admitted: whether they play.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser", "no-host", "started", "unknown-entrant" or
            "full".
    """
    tournament = _organised(organiser, tournament_id)
    if not (sheet.form_of(tournament).HOST and tournament.host_admits):
        raise refusals.NoHost
    if tournament.state != State.OPEN:
        raise refusals.Started
    user = naming.named(name) if name else None
    if name and user is None:
        raise refusals.UnknownEntrant(name=name)
    entries.admit(tournament, user, admitted)
    record(organiser, "tournament-admit", tournament.pk, entrant=name, admitted=admitted)
    return tournament


@once("tournament-remove", "tournament_id", again=tournaments.find)
def remove(organiser: User, tournament_id: str, name: str, why: str, command: str) -> Tournament:
    """Remove a player for good. Results stay; an open match is lost by forfeit.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser", "tournament-over", "unknown-entrant" or
            "no-reason".
    """
    tournament = _organised(organiser, tournament_id)
    unfinished(tournament)
    person = naming.named(name)
    entrant = tournament.entrants.filter(user=person, host=False, user__computer="").first()
    if entrant is None:
        raise refusals.UnknownEntrant(name=name)
    why = _why(organiser, why)
    entries.strike(tournament, entrant, timezone.now())
    record(organiser, "tournament-remove", tournament.pk, entrant=entrant.pk, why=why)
    return tournament


@once("tournament-decide", "tournament_id", again=tournaments.find)
def decide(  # noqa: PLR0913 - the fields of the form
    organiser: User,
    tournament_id: str,
    round: int,
    table: int,
    points: Sequence[float] | None,
    why: str,
    command: str,
) -> Tournament:
    """Decide a table, whatever comes of its match, which then ends without a result.

    Args:
        points: by seat; None: the pairing counts as if it had never been.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser", "not-running", "unknown-table",
            "round-over", "bad-points" or "no-reason".
        ChatError: "muted".
    """
    tournament = _organised(organiser, tournament_id)
    if tournament.state != State.RUNNING:
        raise refusals.NotRunning
    at_table = Pairing.objects.filter(tournament=tournament, round=round, table=table)
    pairing = at_table.order_by("-replay").prefetch_related("seats").first()
    if pairing is None or len(pairing.seats.all()) < 2:
        raise refusals.UnknownTable
    if not pairings.undecided(tournament).filter(pk=pairing.pk).exists() and round < last_round(tournament):
        raise refusals.RoundOver
    seats = len(pairing.seats.all())
    if points is not None and not _fair(points, seats):
        raise refusals.BadPoints(most=seats / 2)
    why = _why(organiser, why)
    kind = Kind.VOID if points is None else Kind.FORFEIT
    pairings.decide(pairing, kind, points, why, timezone.now())
    look_at(tournament)
    details = {"round": round, "table": table, "points": points, "why": why}
    record(organiser, "tournament-decide", tournament.pk, **details)
    return tournament


@once("tournament-cancel", "tournament_id", again=tournaments.find)
def cancel(organiser: User, tournament_id: str, why: str, command: str) -> Tournament:
    """Cancel a tournament. Its open matches end without a result.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser", "tournament-over" or "no-reason".
        ChatError: "muted".
    """
    tournament = _organised(organiser, tournament_id)
    why = _why(organiser, why)
    tournaments.call_off(tournament, timezone.now())
    record(organiser, "tournament-cancel", tournament.pk, why=why)
    return tournament


def _hold_club(plan: Plan) -> None:
    """Lock the club of a plan, so that it is not dissolved or left meanwhile. Call it before other locks."""
    if plan.club_id is not None:
        lookup.locked(plan.club_id)


def may_organise(user: User | AnonymousUser, tournament: Tournament) -> bool:
    """Whether a user may act as the organiser of a tournament now.

    The organiser may, in a club as long as they are its owner or an organiser of it. If they are gone,
    the owner and the organisers of the club may, and moderators. Who takes the tournament out of the club
    then becomes its organiser, and so does the owner of a club that is closed. The rounds of a class are
    organised by its teachers.
    """
    if not user.is_authenticated or not user.is_active:
        return False
    if hasattr(tournament, "class_round"):
        return visibility.teaches(tournament, user.pk)
    staff = [] if tournament.club_id is None else lookup.staff_ids(tournament.club_id)
    organiser = tournament.organiser
    if organiser.is_active and (tournament.club_id is None or organiser.pk in staff):
        return user == organiser
    return user.pk in staff or user.has_perm("lobby.moderate")


def _organised(organiser: User, tournament_id: str) -> Tournament:
    tournament = tournaments.locked(tournament_id)
    if not may_organise(organiser, tournament):
        raise refusals.NotOrganiser
    return tournament


def _fair(points: Sequence[float], seats: int) -> bool:
    return len(points) == seats and all(0 <= each <= 1 for each in points) and sum(points) <= seats / 2


def _why(organiser: User, why: str) -> str:
    words = texts.cleaned(why)[:WHY_LENGTH]
    if not words:
        raise refusals.NoReason
    lines.check_author(organiser)
    return words
