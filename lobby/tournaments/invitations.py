"""What leaders of clubs do in a tournament of clubs before its start: invite, accept, decline. Writes `Team`.

Leaders are the owner and the organisers of a club. Every action is one transaction, and carried out once by
its command id (`lobby.commands`).
"""

from __future__ import annotations

from games.domain.refusals import Refused
from lobby.clubs import lookup
from lobby.commands import once, record
from lobby.people.models import User
from lobby.tournaments import entries, lineups, refusals, signals, teams, tournaments
from lobby.tournaments.formats import MOST_CLUBS
from lobby.tournaments.models import Team, Tournament
from lobby.tournaments.tournaments import State, note_change


@once("tournament-invite", "tournament_id")
def invite(leader: User, tournament_id: str, club_id: str, command: str) -> None:
    """Invite another club, as a leader of the club that organises the tournament. Its leaders are notified.

    Raises:
        TournamentError: "unknown-tournament", "not-of-clubs", "started", "too-many-teams" or
            "already-invited".
        ClubError: "unknown-club", "not-member", "not-organiser" or "club-game".
    """
    club = lookup.locked(club_id)
    tournament = _organised(leader, tournament_id)
    lookup.check_game(club, tournament.game)
    if Team.objects.filter(tournament=tournament, club=club).exists():
        raise refusals.AlreadyInvited(club=club.name)
    _check_room(tournament)
    Team.objects.create(tournament=tournament, club=club, name=club.name)
    note_change(tournament)
    record(leader, "tournament-invite", tournament.pk, club=club.pk)
    signals.club_invited(tournament, club, leader)


@once("tournament-uninvite", "tournament_id")
def uninvite(leader: User, tournament_id: str, club_id: str, command: str) -> None:
    """Take back the invitation of a club, as a leader of the club that organises it. Its players are out.

    Raises:
        TournamentError: "unknown-tournament", "not-of-clubs", "started", "not-invited" or "own-club".
        ClubError: "not-member" or "not-organiser".
    """
    tournament = _organised(leader, tournament_id)
    team = _invited(tournament, club_id)
    entries.leave_team(tournament, team)
    teams.drop(team)
    lineups.begin_anew(tournament)
    note_change(tournament)
    record(leader, "tournament-uninvite", tournament.pk, club=club_id)


@once("tournament-answer", "tournament_id")
def answer(leader: User, tournament_id: str, club_id: str, accepted: bool, command: str) -> None:
    """Accept or decline the invitation of a club as one of its leaders. Until the start each can change it.

    Players who have entered for a club that declines are out.

    Raises:
        TournamentError: "unknown-tournament", "not-of-clubs", "started", "not-invited", "own-club" or
            "too-many-teams".
        ClubError: "unknown-club", "not-member" or "not-organiser".
    """
    club = lookup.locked(club_id)
    lookup.needs(club, leader, lookup.Role.ORGANISER)
    tournament = _open(tournament_id)
    team = _invited(tournament, club_id)
    state = Team.State.ACCEPTED if accepted else Team.State.DECLINED
    if team.state == state:
        return
    if team.state == Team.State.DECLINED:
        _check_room(tournament)
    if not accepted:
        entries.leave_team(tournament, team)
        lineups.begin_anew(tournament)
    team.state = state
    team.save(update_fields=["state"])
    note_change(tournament)
    record(leader, "tournament-answer", tournament.pk, club=club.pk, accepted=accepted)
    signals.club_answered(tournament, club, accepted)


def why_not_invite(user: User, tournament: Tournament) -> Refused | None:
    """The reason a user cannot invite clubs to a tournament; None if they can."""
    try:
        _check_open(tournament)
        _may_invite(user, tournament)
    except Refused as error:
        return error
    return None


def have_room(tournament: Tournament) -> bool:
    """Whether one more club can take part in a tournament of clubs."""
    there = Team.objects.filter(tournament=tournament).exclude(state=Team.State.DECLINED)
    return there.count() < MOST_CLUBS[tournament.format]


def _organised(leader: User, tournament_id: str) -> Tournament:
    tournament = _open(tournament_id)
    _may_invite(leader, tournament)
    return tournament


def _may_invite(leader: User, tournament: Tournament) -> None:
    assert tournament.club is not None
    lookup.needs(tournament.club, leader, lookup.Role.ORGANISER)


def _open(tournament_id: str) -> Tournament:
    tournament = tournaments.locked(tournament_id)
    _check_open(tournament)
    return tournament


def _check_open(tournament: Tournament) -> None:
    if not teams.play(tournament):
        raise refusals.NotOfClubs
    if tournament.state != State.OPEN:
        raise refusals.Started


def _invited(tournament: Tournament, club_id: str) -> Team:
    team = Team.objects.filter(tournament=tournament, club=club_id).first()
    if team is None:
        raise refusals.NotInvited
    if club_id == tournament.club_id:
        raise refusals.OwnClub
    return team


def _check_room(tournament: Tournament) -> None:
    if not have_room(tournament):
        raise refusals.TooManyTeams(MOST_CLUBS[tournament.format])
