"""Entering tournaments, and leaving them. Writes `Entrant`.

Every action is one transaction, and carried out once by its command id (`lobby.commands`).
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from games.domain import codec, texts
from games.domain.options import preset_of
from games.domain.refusals import Refused
from games.net.limits import limiter
from games.registry import GAMES
from lobby.clubs import lookup
from lobby.clubs.models import Club
from lobby.commands import once, record
from lobby.people import circles, relationships
from lobby.people.models import User
from lobby.ratings.glicko2 import AVERAGE
from lobby.ratings.rated import NotRated, casual_only
from lobby.tables import admission
from lobby.tables.refusals import OutOfRange
from lobby.tournaments import lineups, pairings, refusals, sheet, teams, tournaments
from lobby.tournaments.formats import byes, simul
from lobby.tournaments.formats.base import Format
from lobby.tournaments.models import Entrant, Team, Tournament
from lobby.tournaments.pairings import Attendance
from lobby.tournaments.tournaments import (
    UNFINISHED,
    State,
    last_round,
    locked,
    look_at,
    present,
    unfinished,
)

MOST_MISSED = 2
"""After so many missed matches in a row a player is withdrawn."""
_by_user = limiter(settings.ENTRY_CODE_LIMIT)
_by_network = limiter(settings.ENTRY_CODE_ADDRESS_LIMIT)
"""Rate limits of entry codes that are tried: a code is a few letters, and could be guessed otherwise."""


def _entrant(number: int) -> Entrant:
    entrant = Entrant.objects.filter(pk=number).first()
    if entrant is None:
        raise refusals.UnknownTournament
    return entrant


@once("tournament-enter", "tournament_id", ignored=("network",), again=_entrant)
def enter(  # noqa: PLR0913 - an evening enters its people with two more
    user: User,
    tournament_id: str,
    code: str,
    command: str,
    network: str = "",
    keeper: User | None = None,
    name: str = "",
    club: str = "",
) -> Entrant:
    """Enter a tournament, or come back to it. Rounds missed meanwhile give no points.

    Whoever has missed a match says by this that they are back (`note_absence`).

    Args:
        code: the entry code that the user knows; only its tries are limited, per user and network.
        network: where the user comes from (`games.net.limits.network_of`); "" for the site itself.
        keeper: at whose device the player plays; None: their own.
        name: what the player is called at an evening; "": as on the site.
        club: the id of the club that the player plays for, where clubs play; "": their only one there.

    Raises:
        TournamentError: "unknown-tournament", "tournament-over", "no-late-entry", "removed",
            "members-only", "clubs-only", "choose-club", "too-many-codes", "wrong-code", "guest", "bot",
            "blocked", "out-of-range", "host" or "full".
        NotRated: "guest", "bot" or "conduct", if the matches are rated.
    """
    lookup.hold(user, tournaments=tournament_id)
    lookup.hold(user, teams__tournament=tournament_id)
    tournament = locked(tournament_id)
    entrant = tournament.entrants.filter(user=user).first()
    if entrant is not None and _come_back(tournament, entrant):
        record(user, "tournament-enter", tournament.pk)
        return entrant
    if entrant is not None and entrant.withdrawn is None:
        return entrant
    if tournament.code and code:
        _count_try(user, network)
    _may_enter(user, tournament, entrant, code)
    team = _team_for(user, tournament, entrant, club)
    if entrant is None:
        rating = _ratings([user.pk], tournament).get(user.pk, AVERAGE)
        entrant = Entrant(tournament=tournament, user=user, keeper=keeper, name=name, rating=rating)
    entrant.withdrawn, entrant.missed, entrant.team = None, 0, team
    # The board of whoever left before the start may be another's by now.
    entrant.admitted = not tournament.host_admits
    if tournament.state == State.RUNNING and entrant.seed is None:
        last = tournament.entrants.aggregate(last=Max("seed"))["last"] or 0
        entrant.seed, entrant.joined = last + 1, last_round(tournament) + 1
    entrant.save()
    look_at(tournament)
    record(user, "tournament-enter", tournament.pk)
    return entrant


@transaction.atomic
def come_back(user: User, tournament_id: str) -> None:
    """Be paired again after a match that was missed. Coming back again changes nothing.

    Raises:
        TournamentError: "unknown-tournament".
    """
    tournament = locked(tournament_id)
    entrant = tournament.entrants.filter(user=user).first()
    if entrant is not None:
        _come_back(tournament, entrant)


def _come_back(tournament: Tournament, entrant: Entrant) -> bool:
    """Have a player paired again who was away; returns whether they were."""
    if entrant.away is None or entrant.removed or tournament.state != State.RUNNING:
        return False
    entrant.away = entrant.withdrawn = None
    entrant.save(update_fields=["away", "withdrawn"])
    look_at(tournament)
    return True


def note_absence(tournament: Tournament, attended: Sequence[Attendance], now: datetime) -> bool:
    """Note who missed matches of a locked tournament: they are not paired until they say that they are back.

    Whoever misses `MOST_MISSED` in a row is withdrawn, and can come back as well.

    Args:
        attended: who came to matches that have ended, in this order.

    Returns:
        Whether anybody missed one.
    """
    concerned = {pk for each in attended for pk in (*each.came, *each.missed)}
    rows = tournament.entrants.filter(pk__in=concerned, withdrawn=None, user__computer="")
    entrants = {entrant.pk: entrant for entrant in rows}
    for each in attended:
        for pk in entrants.keys() & set(each.came):
            entrants[pk].missed = 0
        for pk in entrants.keys() & set(each.missed):
            entrant = entrants[pk]
            entrant.missed, entrant.away = entrant.missed + 1, now
            entrant.withdrawn = now if entrant.missed >= MOST_MISSED else None
    Entrant.objects.bulk_update(entrants.values(), ["missed", "away", "withdrawn"])
    return any(entrant.away for entrant in entrants.values())


class Player(NamedTuple):
    """Who enters a tournament at an evening.

    Attributes:
        keeper: the user at whose device the player plays; None: their own.
        name: what the player is called there; "": as on the site.
    """

    user: User
    keeper: User | None = None
    name: str = ""


def enter_all(tournament: Tournament, players: Sequence[Player]) -> None:
    """Enter everybody into a tournament that is about to begin, equally strong: their order decides."""
    Entrant.objects.bulk_create(
        Entrant(tournament=tournament, **player._asdict(), rating=AVERAGE) for player in players
    )


def renamed(user: User, _before: str) -> None:
    """Rename a user in the tournaments in which they are called otherwise than on the site."""
    Entrant.objects.filter(user=user).exclude(name="").update(name=user.first_name)


@once("tournament-withdraw", "tournament_id")
def withdraw(user: User, tournament_id: str, command: str) -> None:
    """Leave a tournament: no more pairings. A match in play goes on; one that has not begun is lost.

    Raises:
        TournamentError: "unknown-tournament", "tournament-over" or "not-entered".
    """
    tournament = locked(tournament_id)
    unfinished(tournament)
    _withdraw(tournament, _entered(user, tournament))
    record(user, "tournament-withdraw", tournament.pk)


@once("tournament-bye", "tournament_id")
def ask_bye(user: User, tournament_id: str, round: int, command: str) -> None:
    """Ask to sit out a round that is not paired yet, for half a point.

    Raises:
        TournamentError: "unknown-tournament", "tournament-over", "not-entered", "bye-too-late" or "no-byes".
    """
    tournament = locked(tournament_id)
    unfinished(tournament)
    entrant = _entered(user, tournament)
    form, options = sheet.form_of(tournament), sheet.options_of(tournament)
    if form.ARENA or not form.LATE:
        raise refusals.ByeTooLate
    asked = {*byes.granted(entrant.byes, options), round}
    if len(asked) > tournament.half_byes:
        raise refusals.NoByes(tournament.half_byes)
    if not byes.may_be_asked(round, last_round(tournament), options):
        raise refusals.ByeTooLate
    Entrant.objects.filter(pk=entrant.pk).update(byes=sorted(asked))
    look_at(tournament)
    record(user, "tournament-bye", tournament.pk, round=round)


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
        entrant = _still_in(tournament).filter(user=user_id).first()
        if entrant is not None:
            _withdraw(tournament, entrant)
        if tournament.organiser_id == user_id and tournament.state == State.OPEN:
            tournaments.call_off(tournament, timezone.now())


def member_gone(club: Club, user: User) -> None:
    """Withdraw a user who is no member of a club any more from its tournaments that are not over.

    From a tournament of clubs only if they play for this one.
    """
    for tournament_id in _unfinished_of(club):
        tournament = locked(tournament_id)
        entrant = _still_in(tournament).filter(user=user).select_related("team").first()
        if entrant is not None and (entrant.team is None or entrant.team.club_id == club.pk):
            _withdraw(tournament, entrant)


def club_closing(club: Club, owner: User) -> None:
    """Cancel the tournaments of a club that have not begun. Into those that run, nobody else can come.

    If their organiser has no role in the club any more, the owner organises them from now on. Out of
    tournaments of clubs that others organise and that have not begun, the club is taken.
    """
    staff = lookup.staff_ids(club.pk)
    teams.club_closing(club)
    for tournament_id in _unfinished_of(club):
        tournament = locked(tournament_id)
        if tournament.club_id != club.pk:
            _take_out(tournament, club)
            continue
        if tournament.state == State.OPEN:
            tournaments.call_off(tournament, timezone.now())
            continue
        tournament.late = False
        if tournament.organiser_id not in staff:
            tournament.organiser = owner
        tournaments.note_change(tournament, "late", "organiser")


def _still_in(tournament: Tournament) -> QuerySet[Entrant]:
    """Those who have not left, and those who were withdrawn for missing matches and can come back."""
    return tournament.entrants.filter(Q(withdrawn=None) | Q(away__isnull=False))


def leave_team(tournament: Tournament, team: Team) -> None:
    """Withdraw the players of a club from a locked tournament that has not begun."""
    tournament.entrants.filter(team=team, withdrawn=None).update(withdrawn=timezone.now())


def _take_out(tournament: Tournament, club: Club) -> None:
    team = Team.objects.filter(tournament=tournament, club=club).first()
    if team is not None and tournament.state == State.OPEN:
        leave_team(tournament, team)
        teams.drop(team)
        lineups.begin_anew(tournament)
        tournaments.note_change(tournament)


def _unfinished_of(club: Club) -> list[str]:
    """The tournaments that are not over of a club, or in which it takes part."""
    rows = Tournament.objects.filter(Q(club=club) | Q(teams__club=club), state__in=UNFINISHED)
    return sorted(set(rows.values_list("pk", flat=True)))


def admit(tournament: Tournament, user: User | None, admitted: bool) -> None:
    """Let an entrant of a locked simul play, or not; None: as many as there are boards for, or nobody.

    Raises:
        TournamentError: "unknown-entrant" or "full".
    """
    there = present(tournament)
    free = simul.MOST - there.filter(admitted=True).count()
    if user is None:
        concerned = list(there.exclude(admitted=admitted).order_by("pk").values_list("pk", flat=True))
        chosen = concerned[:free] if admitted else concerned
    else:
        entrant = there.filter(user=user).first()
        if entrant is None:
            raise refusals.UnknownEntrant(name=user.get_username())
        if admitted and not entrant.admitted and free < 1:
            raise refusals.TournamentFull
        chosen = [entrant.pk]
    Entrant.objects.filter(pk__in=chosen).update(admitted=admitted)
    look_at(tournament)


def strike(tournament: Tournament, entrant: Entrant, now: datetime) -> None:
    """Take a player out of a locked tournament for good. Results stay; an open match is lost by forfeit."""
    Entrant.objects.filter(pk=entrant.pk).update(removed=True, withdrawn=entrant.withdrawn or now)
    pairings.forfeit_gone(tournament, now)
    look_at(tournament)


def _count_try(user: User, network: str) -> None:
    now = time.monotonic()
    if not _by_user.take(str(user.pk), now) or (network and not _by_network.take(network, now)):
        raise refusals.TooManyCodes


def why_not(user: User, tournament: Tournament) -> Refused | None:
    """The reason a user cannot enter, the entry code apart; None if they can."""
    entrant = tournament.entrants.filter(user=user).first()
    try:
        _may_enter(user, tournament, entrant, tournament.code)
    except Refused as error:
        return error
    return None


def unfit(user: User, tournament: Tournament) -> Refused | None:
    """Why the terms of a tournament do not let a user in; None if they do."""
    return misfits([user], tournament).get(user.pk)


def misfits(users: Collection[User], tournament: Tournament) -> dict[int, Refused]:
    """Why the terms of a tournament do not let users in, by user; those whom they let in are left out.

    Two queries for all of them.
    """
    ratings: Mapping[int, float] = {}
    casual: Mapping[int, NotRated] = {}
    if tournament.rated or _limited(tournament):
        ratings = _ratings([user.pk for user in users], tournament)
    if tournament.rated:
        # Bots may enter rated tournaments; their matches are casual.
        casual = casual_only([user for user in users if not user.is_bot])
    found = {user.pk: _misfit(user, tournament, ratings, casual.get(user.pk)) for user in users}
    return {user_id: why for user_id, why in found.items() if why is not None}


def _misfit(
    user: User, tournament: Tournament, ratings: Mapping[int, float], casual: NotRated | None
) -> Refused | None:
    if user.is_guest and not tournament.guests:
        return refusals.EntrantGuest()
    if user.is_bot and not tournament.bots:
        return refusals.EntrantBot()
    if not (tournament.rated or _limited(tournament)):
        return None
    rating = ratings.get(user.pk, AVERAGE)
    why = admission.unfit(casual, rating, tournament.lowest_rating, tournament.highest_rating)
    return refusals.OutOfRange(rating=round(rating)) if isinstance(why, OutOfRange) else why


def _limited(tournament: Tournament) -> bool:
    """Whether only players with some ratings may enter."""
    return (tournament.lowest_rating, tournament.highest_rating) != (None, None)


def _may_enter(user: User, tournament: Tournament, entrant: Entrant | None, code: str) -> None:
    form = sheet.form_of(tournament)
    circles.check_stranger(user)
    if tournament.state not in UNFINISHED:
        raise refusals.TournamentOver
    if tournaments.hosts(user, tournament):
        raise refusals.HostEnters
    if tournament.state == State.RUNNING and not _lets_in_late(tournament, form, entrant):
        raise refusals.NoLateEntry
    if entrant is not None and entrant.removed:
        raise refusals.Removed
    if teams.play(tournament):
        _teams_for(user, tournament, entrant)
    elif tournament.club_id is not None and not lookup.is_member(tournament.club_id, user.pk):
        raise refusals.MembersOnly
    if tournament.code and not _same(code, tournament.code):
        raise refusals.WrongCode
    if relationships.apart(user.pk, tournament.organiser_id):
        raise refusals.Blocked
    misfit = unfit(user, tournament)
    if misfit is not None:
        raise misfit
    most = simul.MOST if form.HOST and not tournament.host_admits else settings.TOURNAMENT_PLAYERS
    has_place = entrant is not None and (entrant.withdrawn is None or entrant.seed is not None)
    if not has_place and present(tournament).count() >= most:
        raise refusals.TournamentFull


def _teams_for(user: User, tournament: Tournament, entrant: Entrant | None) -> list[Team]:
    """The clubs that a user can play for: after the start only the one that they entered for."""
    found = teams.open_to(user.pk, tournament)
    if entrant is not None and entrant.seed is not None:
        found = [team for team in found if team.pk == entrant.team_id]
    if not found:
        raise refusals.ClubsOnly
    return found


def _team_for(user: User, tournament: Tournament, entrant: Entrant | None, club_id: str) -> Team | None:
    """The club that a user plays for; None where everybody plays for themselves."""
    if not teams.play(tournament):
        return None
    found = _teams_for(user, tournament, entrant)
    chosen = [team for team in found if club_id in ("", team.club_id)]
    if not chosen:
        raise refusals.ClubsOnly
    if len(chosen) > 1:
        raise refusals.ChooseClub
    return chosen[0]


def lets_in(tournament: Tournament) -> bool:
    """Whether somebody new can enter now, their own fitness apart."""
    if tournament.state == State.RUNNING:
        return _lets_in_late(tournament, sheet.form_of(tournament), None)
    return tournament.state == State.OPEN


def _lets_in_late(tournament: Tournament, form: Format, entrant: Entrant | None) -> bool:
    # Who was there at the start may come back.
    return form.LATE and (tournament.late or (entrant is not None and entrant.seed is not None))


def _ratings(user_ids: Collection[int], tournament: Tournament) -> dict[int, float]:
    """The ratings in the pool of a tournament, by user; those who have none there are left out."""
    game = GAMES[tournament.game]
    preset = preset_of(game, codec.decode(game.rules.Options, tournament.options))
    return admission.ratings_in(user_ids, tournament.game, preset, tournament.seats)


def _same(given: str, code: str) -> bool:
    """Whether an entry code is the right one, regardless of case."""
    told, known = (texts.cleaned(each).casefold().encode(errors="replace") for each in (given, code))
    return hmac.compare_digest(told, known)


def _entered(user: User, tournament: Tournament) -> Entrant:
    entrant = tournament.entrants.filter(user=user, removed=False, host=False).first()
    if entrant is None:
        raise refusals.NotEntered
    return entrant


def _withdraw(tournament: Tournament, entrant: Entrant) -> None:
    now = timezone.now()
    Entrant.objects.filter(pk=entrant.pk).update(withdrawn=entrant.withdrawn or now, away=None)
    pairings.forfeit_gone(tournament, now)
    look_at(tournament)
