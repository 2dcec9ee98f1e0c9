"""What organisers and players do in a tournament. Writes `Entrant`, `TournamentAction`, and `Tournament`.

Every action is one transaction, and idempotent by its command id: a repeated command changes nothing. The
row of the tournament is its lock. Lock order: seeks, tournaments, users.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.domain import codec
from games.domain.options import preset_of
from games.domain.refusals import Refused
from games.registry import GAMES
from lobby import signals
from lobby.chat import lines
from lobby.formats.base import BadRounds, Format, Kind
from lobby.formats.registry import FORMATS
from lobby.models import Entrant, Pairing, Tournament, TournamentAction, User
from lobby.models.tournaments import CODE_LENGTH, TITLE_LENGTH, WHY_LENGTH
from lobby.people import naming, relationships
from lobby.ratings.glicko2 import AVERAGE
from lobby.ratings.rated import may_play_rated
from lobby.tables import admission, computers, tables
from lobby.tables import terms as conditions
from lobby.tables.refusals import BadLevel, ComputersCasual, OutOfRange
from lobby.tables.terms import TableTerms
from lobby.tournaments import pairings, refusals, sheet

LEAST_MINUTES, MOST_MINUTES = 5, 24 * 60
"""Length of an arena."""
MOST_PAUSE = 7 * 24 * 60
"""Longest pause between two rounds, in minutes."""
AHEAD = timedelta(days=365)
"""How far ahead a start can be."""
State = Tournament.State
UNFINISHED = (State.OPEN, State.RUNNING)


@dataclass(frozen=True, slots=True)
class Plan:
    """What an organiser chooses, named like the columns of `Tournament`.

    Attributes:
        options: an `Options` of the game.
        format: a key of `lobby.formats.registry.FORMATS`.
        seats: most players of a match; 2 but for rounds of tables.
        minutes: length of an arena.
        computer: level of the computer player that takes the odd chair; 0 for a bye.
        pause: minutes between two rounds.
        code: the entry code; "" lets everyone in.
        starts: when it begins; None: when the organiser starts it.
    """

    title: str
    game: str
    options: Any
    format: str
    clock: str = ""
    rated: bool = False
    rounds: int = 0
    seats: int = 2
    minutes: int = 0
    third_place: bool = True
    half_byes: int = 1
    computer: int = 0
    pause: int = 0
    code: str = ""
    lowest_rating: int | None = None
    highest_rating: int | None = None
    late: bool = True
    bots: bool = False
    guests: bool = False
    starts: datetime | None = None

    def columns(self) -> dict[str, Any]:
        """The values of the columns."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        cleaned = {"title": lines.cleaned(self.title), "code": lines.cleaned(self.code)[:CODE_LENGTH]}
        return {**named, "options": asdict(self.options), **cleaned}


# The organiser


@transaction.atomic
def create(organiser: User, plan: Plan, command: str) -> Tournament:
    """Create a tournament, open for entries.

    Raises:
        TournamentError: "guest", "too-many-tournaments" or what `check` raises.
        TableError, NotRated: what `check` raises.
    """
    # Lock the organiser's row, so that two concurrent requests cannot both pass the limit.
    User.objects.select_for_update().get(pk=organiser.pk)
    known = TournamentAction.objects.filter(user=organiser, command=command).first()
    if known is not None:
        return known.tournament
    if organiser.is_guest:
        raise refusals.GuestsOrganise
    check(plan, organiser)
    most = settings.TOURNAMENTS_PER_PERSON
    if Tournament.objects.filter(organiser=organiser, state__in=UNFINISHED).count() >= most:
        raise refusals.TooManyTournaments(most)
    tournament = Tournament.objects.create(organiser=organiser, due=plan.starts, **plan.columns())
    _log(tournament, organiser, command, "create")
    signals.tournament_changed(tournament)
    return tournament


@transaction.atomic
def change(organiser: User, tournament_id: str, plan: Plan, command: str) -> Tournament:
    """Change everything about a tournament that has not begun. Entries stay, also outside of new limits.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser", "started" or what `check` raises.
        TableError, NotRated: what `check` raises.
    """
    tournament = _organised(organiser, tournament_id)
    if _done(organiser, command):
        return tournament
    if tournament.state != State.OPEN:
        raise refusals.Started
    check(plan, organiser)
    columns = {**plan.columns(), "due": plan.starts}
    for name, value in columns.items():
        setattr(tournament, name, value)
    note_change(tournament, *columns)
    _log(tournament, organiser, command, "change")
    return tournament


def check(plan: Plan, organiser: User) -> None:
    """Check that a plan is valid.

    Raises:
        TournamentError: "bad-title", "unknown-format", "format-seats", "bad-minutes", "bad-pause" or
            "bad-start".
        TableError: what `lobby.tables.tables.check_game` and `lobby.tables.terms.check` raise, "bad-level"
            or "computers-casual".
        NotRated: the matches cannot be rated.
    """
    if not 0 < len(lines.cleaned(plan.title)) <= TITLE_LENGTH:
        raise refusals.NoTitle(most=TITLE_LENGTH)
    form = FORMATS.get(plan.format)
    if form is None:
        raise refusals.UnknownFormat
    tables.check_game(plan.game, plan.options, plan.seats, "lot")
    if (plan.seats > 2) != form.TABLES:
        raise refusals.NotForTwo
    terms = TableTerms(
        clock=plan.clock,
        rated=plan.rated,
        lowest_rating=plan.lowest_rating,
        highest_rating=plan.highest_rating,
    )
    conditions.check(terms, organiser, GAMES[plan.game], plan.options)
    if plan.computer and plan.rated:
        raise ComputersCasual
    if not 0 <= plan.computer <= len(GAMES[plan.game].levels):
        raise BadLevel
    if form.ARENA and not LEAST_MINUTES <= plan.minutes <= MOST_MINUTES:
        raise refusals.BadMinutes(least=LEAST_MINUTES, most=MOST_MINUTES)
    if not 0 <= plan.pause <= MOST_PAUSE:
        raise refusals.BadPause(most=MOST_PAUSE)
    now = timezone.now()
    if plan.starts is not None and not now < plan.starts <= now + AHEAD:
        raise refusals.BadStart


@transaction.atomic
def start(organiser: User, tournament_id: str, command: str) -> Tournament:
    """Begin a tournament with those who have entered.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser" or "tournament-over".
        TooFewPlayers, BadRounds: the format cannot begin (`lobby.formats.base`).
    """
    tournament = _organised(organiser, tournament_id)
    if _done(organiser, command) or tournament.state == State.RUNNING:
        return tournament
    if tournament.state != State.OPEN:
        raise refusals.Over
    begin(tournament, timezone.now())
    _log(tournament, organiser, command, "start")
    return tournament


def begin(tournament: Tournament, now: datetime) -> None:
    """Begin a locked tournament: seed the players by rating, the earlier entry first where they are equal.

    If there are too few players for the planned rounds, there are fewer rounds.

    Raises:
        TooFewPlayers, BadRounds: the format cannot begin (`lobby.formats.base`).
    """
    there = list(present(tournament).order_by("-rating", "pk"))
    tournament.rounds = _rounds(tournament, len(there))
    for seed, entrant in enumerate(there, 1):
        entrant.seed = seed
    Entrant.objects.bulk_update(there, ["seed"], batch_size=200)
    if tournament.computer:
        besides = [entrant.user_id for entrant in there]
        computer = computers.seat(GAMES[tournament.game], tournament.computer, besides)
        seed = len(there) + 1
        Entrant.objects.create(tournament=tournament, user=computer, rating=AVERAGE, seed=seed)
    tournament.state, tournament.began, tournament.due = State.RUNNING, now, now
    note_change(tournament, "state", "began", "due", "rounds")
    signals.tournament_started(tournament)


def _rounds(tournament: Tournament, count: int) -> int:
    """The number of rounds for so many players: as planned, or as many as they can play.

    Raises:
        TooFewPlayers, BadRounds: the format cannot begin (`lobby.formats.base`).
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
    return planned.rounds


@transaction.atomic
def pause(organiser: User, tournament_id: str, paused: bool, command: str) -> Tournament:
    """Pair nobody for now, or go on. Matches in play go on, and an arena still ends at its time.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser" or "not-running".
    """
    tournament = _organised(organiser, tournament_id)
    if _done(organiser, command):
        return tournament
    if tournament.state != State.RUNNING:
        raise refusals.NotRunning
    tournament.paused = paused
    _look_at(tournament, "paused")
    _log(tournament, organiser, command, "pause" if paused else "resume")
    return tournament


@transaction.atomic
def remove(organiser: User, tournament_id: str, name: str, why: str, command: str) -> Tournament:
    """Remove a player for good. Results stay; an open match is lost by forfeit.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser", "tournament-over", "unknown-entrant" or
            "no-reason".
    """
    tournament = _organised(organiser, tournament_id)
    if _done(organiser, command):
        return tournament
    _unfinished(tournament)
    person = naming.named(name)
    entrant = tournament.entrants.filter(user=person, user__computer="").first()
    if entrant is None:
        raise refusals.NoSuchEntrant(name=name)
    why = _why(why)
    now = timezone.now()
    Entrant.objects.filter(pk=entrant.pk).update(removed=True, withdrawn=entrant.withdrawn or now)
    pairings.forfeit_gone(tournament, now)
    _look_at(tournament)
    _log(tournament, organiser, command, "remove", name=name, why=why)
    return tournament


@transaction.atomic
def decide(
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
    """
    tournament = _organised(organiser, tournament_id)
    if _done(organiser, command):
        return tournament
    if tournament.state != State.RUNNING:
        raise refusals.NotRunning
    at_table = Pairing.objects.filter(tournament=tournament, round=round, table=table)
    pairing = at_table.order_by("-replay").prefetch_related("seats").first()
    if pairing is None or len(pairing.seats.all()) < 2:
        raise refusals.NoSuchPairing
    if not pairings.undecided(tournament).filter(pk=pairing.pk).exists() and round < last_round(tournament):
        raise refusals.RoundOver
    seats = len(pairing.seats.all())
    if points is not None and not _fair(points, seats):
        raise refusals.BadPoints(most=seats / 2)
    why = _why(why)
    kind = Kind.VOID if points is None else Kind.FORFEIT
    pairings.decide(pairing, kind, points, why, timezone.now())
    _look_at(tournament)
    details = {"round": round, "table": table, "points": points, "why": why}
    _log(tournament, organiser, command, "decide", **details)
    return tournament


@transaction.atomic
def cancel(organiser: User, tournament_id: str, why: str, command: str) -> Tournament:
    """Cancel a tournament. Its open matches end without a result.

    Raises:
        TournamentError: "unknown-tournament", "not-organiser", "tournament-over" or "no-reason".
    """
    tournament = _organised(organiser, tournament_id)
    if _done(organiser, command):
        return tournament
    why = _why(why)
    call_off(tournament, timezone.now())
    _log(tournament, organiser, command, "cancel", why=why)
    return tournament


def call_off(tournament: Tournament, now: datetime) -> None:
    """Cancel a locked tournament.

    Raises:
        TournamentError: "tournament-over".
    """
    _unfinished(tournament)
    for pairing in pairings.undecided(tournament):
        pairings.decide(pairing, Kind.VOID, None, "", now)
    tournament.state, tournament.ended, tournament.due = State.CANCELLED, now, now
    note_change(tournament, "state", "ended", "due")
    signals.tournament_finished(tournament)


# Players


@transaction.atomic
def enter(user: User, tournament_id: str, code: str, command: str) -> Entrant:
    """Enter a tournament, or come back to it. Rounds missed meanwhile give no points.

    Raises:
        TournamentError: "unknown-tournament", "tournament-over", "no-late-entry", "removed", "wrong-code",
            "guest", "bot", "blocked", "out-of-range" or "full".
        NotRated: "guest", "bot" or "conduct", if the matches are rated.
    """
    tournament = locked(tournament_id)
    entrant = tournament.entrants.filter(user=user).first()
    if entrant is not None and (entrant.withdrawn is None or _done(user, command)):
        return entrant
    _may_enter(user, tournament, entrant, code)
    if entrant is None:
        entrant = Entrant(tournament=tournament, user=user, rating=_rating(user, tournament))
    entrant.withdrawn = None
    if tournament.state == State.RUNNING and entrant.seed is None:
        last = tournament.entrants.aggregate(last=Max("seed"))["last"] or 0
        entrant.seed, entrant.joined = last + 1, last_round(tournament) + 1
    entrant.save()
    _look_at(tournament)
    _log(tournament, user, command, "enter")
    return entrant


@transaction.atomic
def withdraw(user: User, tournament_id: str, command: str) -> None:
    """Leave a tournament: no more pairings. A match in play goes on; one that has not begun is lost.

    Raises:
        TournamentError: "unknown-tournament", "tournament-over" or "not-entered".
    """
    tournament = locked(tournament_id)
    if _done(user, command):
        return
    _unfinished(tournament)
    _withdraw(tournament, _entered(user, tournament))
    _log(tournament, user, command, "withdraw")


@transaction.atomic
def ask_bye(user: User, tournament_id: str, round: int, command: str) -> None:
    """Ask to sit out a round that is not paired yet, for half a point.

    Raises:
        TournamentError: "unknown-tournament", "tournament-over", "not-entered", "bye-too-late" or "no-byes".
    """
    tournament = locked(tournament_id)
    if _done(user, command):
        return
    _unfinished(tournament)
    entrant = _entered(user, tournament)
    form = sheet.form_of(tournament)
    if form.ARENA or not form.LATE or not last_round(tournament) < round <= tournament.rounds:
        raise refusals.ByeTooLate
    asked = {*entrant.byes, round}
    if len(asked) > tournament.half_byes:
        raise refusals.NoByes(tournament.half_byes)
    Entrant.objects.filter(pk=entrant.pk).update(byes=sorted(asked))
    _look_at(tournament)
    _log(tournament, user, command, "bye", round=round)


@transaction.atomic
def leave_all(user_id: int) -> None:
    """Withdraw a user from all tournaments, because the account is banned or about to be deleted.

    Tournaments of theirs that have not begun are cancelled; those that run go on.
    """
    concerned = Tournament.objects.filter(state__in=UNFINISHED).filter(
        Q(entrants__user=user_id) | Q(organiser=user_id)
    )
    for tournament_id in sorted(set(concerned.values_list("pk", flat=True))):
        tournament = locked(tournament_id)
        entrant = tournament.entrants.filter(user=user_id, withdrawn=None).first()
        if entrant is not None:
            _withdraw(tournament, entrant)
        if tournament.organiser_id == user_id and tournament.state == State.OPEN:
            call_off(tournament, timezone.now())


# Reading and locking


def listed(*states: Tournament.State) -> Any:
    """The tournaments in these states, newest first.

    Each has the number of its players in `players`, and the last round that was paired in `paired`.
    """
    there = Q(entrants__withdrawn=None, entrants__removed=False, entrants__user__computer="")
    known = Tournament.objects.filter(state__in=states, game__in=GAMES, format__in=FORMATS)
    paired = Pairing.objects.filter(tournament=OuterRef("pk")).order_by("-round").values("round")[:1]
    counted = known.annotate(
        players=Count("entrants", filter=there), paired=Coalesce(Subquery(paired), Value(0))
    )
    return counted.select_related("organiser").order_by("-created")


def find(tournament_id: str) -> Tournament:
    """A tournament.

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
    tournament = known.select_related("organiser").first()
    if tournament is None:
        raise refusals.UnknownTournament
    return tournament


def last_round(tournament: Tournament) -> int:
    """The last round that was paired; 0 before the first."""
    return Pairing.objects.filter(tournament=tournament).aggregate(last=Max("round"))["last"] or 0


def why_not(user: User, tournament: Tournament) -> Refused | None:
    """The reason a user cannot enter, the entry code apart; None if they can."""
    entrant = tournament.entrants.filter(user=user).first()
    try:
        _may_enter(user, tournament, entrant, tournament.code)
    except Refused as error:
        return error
    return None


def _may_enter(user: User, tournament: Tournament, entrant: Entrant | None, code: str) -> None:
    form = sheet.form_of(tournament)
    if tournament.state not in UNFINISHED:
        raise refusals.Over
    if tournament.state == State.RUNNING and not _lets_in_late(tournament, form, entrant):
        raise refusals.NoLateEntry
    if entrant is not None and entrant.removed:
        raise refusals.Removed
    if tournament.code and not _same(code, tournament.code):
        raise refusals.WrongCode
    if user.is_guest and not tournament.guests:
        raise refusals.NoGuests
    if user.is_bot and not tournament.bots:
        raise refusals.NoBots
    if relationships.blocked_between(user.pk, tournament.organiser_id):
        raise refusals.KeptOut
    if tournament.rated:
        _in_range(user, tournament)
    if entrant is None and present(tournament).count() >= settings.TOURNAMENT_PLAYERS:
        raise refusals.TournamentFull


def _lets_in_late(tournament: Tournament, form: Format, entrant: Entrant | None) -> bool:
    # Who was there at the start may come back.
    return form.LATE and (tournament.late or (entrant is not None and entrant.seed is not None))


def _in_range(user: User, tournament: Tournament) -> None:
    # Bots may enter rated tournaments; their matches are casual.
    casual = None if user.is_bot else may_play_rated(user)
    rating = _rating(user, tournament)
    why = admission.unfit(casual, rating, tournament.lowest_rating, tournament.highest_rating)
    if isinstance(why, OutOfRange):
        raise refusals.OutsideRange(rating=round(rating))
    if why is not None:
        raise why


def _rating(user: User, tournament: Tournament) -> float:
    game = GAMES[tournament.game]
    preset = preset_of(game, codec.decode(game.rules.Options, tournament.options))
    pool = admission.pool_key(tournament.game, preset, tournament.seats)
    return admission.ratings_of(user).get(pool, AVERAGE)


def _same(given: str, code: str) -> bool:
    """Whether an entry code is the right one, regardless of case."""
    told, known = (lines.cleaned(each).casefold().encode(errors="replace") for each in (given, code))
    return hmac.compare_digest(told, known)


def present(tournament: Tournament) -> QuerySet[Entrant]:
    """Those who have entered and not left, the computer player in the odd chair apart."""
    there = tournament.entrants.filter(withdrawn=None, removed=False, user__is_active=True)
    return there.filter(user__computer="")


def _entered(user: User, tournament: Tournament) -> Entrant:
    entrant = tournament.entrants.filter(user=user, removed=False).first()
    if entrant is None:
        raise refusals.NotEntered
    return entrant


def _withdraw(tournament: Tournament, entrant: Entrant) -> None:
    now = timezone.now()
    Entrant.objects.filter(pk=entrant.pk, withdrawn=None).update(withdrawn=now)
    pairings.forfeit_gone(tournament, now)
    _look_at(tournament)


def _organised(organiser: User, tournament_id: str) -> Tournament:
    tournament = locked(tournament_id)
    if organiser.pk != tournament.organiser_id:
        raise refusals.NotOrganiser
    return tournament


def _unfinished(tournament: Tournament) -> None:
    if tournament.state not in UNFINISHED:
        raise refusals.Over


def note_change(tournament: Tournament, *columns: str) -> None:
    """Save columns of a locked tournament, number the change, and tell of it."""
    tournament.version += 1
    tournament.save(update_fields=["version", *columns])
    signals.tournament_changed(tournament)


def _look_at(tournament: Tournament, *columns: str) -> None:
    """Note a change, and have a director look at the tournament soon if it runs."""
    if tournament.state == State.RUNNING:
        tournament.due = timezone.now()
    note_change(tournament, "due", *columns)


def _fair(points: Sequence[float], seats: int) -> bool:
    return len(points) == seats and all(0 <= each <= 1 for each in points) and sum(points) <= seats / 2


def _why(why: str) -> str:
    words = lines.cleaned(why)[:WHY_LENGTH]
    if not words:
        raise refusals.NoWhy
    return words


def _done(user: User, command: str) -> bool:
    """Whether a command was carried out before; the tournament is locked."""
    return TournamentAction.objects.filter(user=user, command=command).exists()


def _log(tournament: Tournament, user: User, command: str, action: str, **details: Any) -> None:
    TournamentAction.objects.create(
        tournament=tournament,
        user=user,
        command=command,
        action=action,
        details=details,
        at=timezone.now(),
    )
