"""The lineups of the two clubs of a team match. Writes `Entrant.board` and `Team.handed_in`.

Leaders hand them in before the start. Until both are in, only leaders of the club see its lineup; then both
are shown, and stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils import timezone

from lobby.clubs import lookup
from lobby.commands import once, record
from lobby.people import naming
from lobby.people.models import User
from lobby.tournaments import refusals, tournaments
from lobby.tournaments.models import Entrant, Team, Tournament
from lobby.tournaments.tournaments import State, note_change, present


@once("tournament-lineup", "tournament_id")
def hand_in(leader: User, tournament_id: str, club_id: str, names: Sequence[str], command: str) -> None:
    """Hand in the lineup of a club as one of its leaders.

    Args:
        names: the players by board. Those beyond the last board are reserves, in this order, as all others
            are after them.

    Raises:
        TournamentError: "unknown-tournament", "not-match", "started", "not-invited", "lineups-in" or
            "bad-lineup".
        ClubError: "unknown-club", "not-member" or "not-organiser".
    """
    club = lookup.find(club_id)
    lookup.needs(club, leader, lookup.Role.ORGANISER)
    tournament = tournaments.locked(tournament_id)
    if not are_in(tournament):
        raise refusals.NotMatch
    if tournament.state != State.OPEN:
        raise refusals.Started
    team = Team.objects.filter(tournament=tournament, club=club, state=Team.State.ACCEPTED).first()
    if team is None:
        raise refusals.NotInvited
    if are_shown(tournament):
        raise refusals.LineupsIn
    chosen = _chosen(tournament, team, names)
    Entrant.objects.filter(team=team, tournament=tournament).update(board=None)
    for board, entrant in enumerate(chosen, 1):
        entrant.board = board
    Entrant.objects.bulk_update(chosen, ["board"])
    team.handed_in = timezone.now()
    team.save(update_fields=["handed_in"])
    note_change(tournament)
    record(leader, "tournament-lineup", tournament.pk, club=club.pk, entrants=[each.pk for each in chosen])


def begin_anew(tournament: Tournament) -> None:
    """Forget the lineups of a locked tournament, because a club is out that may have seen the other one."""
    tournament.entrants.filter(board__isnull=False).update(board=None)
    Team.objects.filter(tournament=tournament).update(handed_in=None)


def _chosen(tournament: Tournament, team: Team, names: Sequence[str]) -> list[Entrant]:
    there = {entrant.user_id: entrant for entrant in present(tournament).filter(team=team)}
    if len(names) > len(there):
        # Each name is a query.
        raise refusals.BadLineup
    found = [there.get(user.pk) if user else None for user in map(naming.named, names)]
    chosen = [entrant for entrant in found if entrant is not None]
    if not chosen or len({entrant.pk for entrant in chosen}) < len(names):
        raise refusals.BadLineup
    return chosen


def are_in(tournament: Tournament) -> bool:
    """Whether there are lineups in a tournament."""
    return tournament.format == "team_match"


def are_shown(tournament: Tournament) -> bool:
    """Whether both clubs have handed in their lineups, so that everybody sees them."""
    return Team.objects.filter(tournament=tournament, handed_in__isnull=False).count() == 2


def of(tournament: Tournament, team: Team) -> QuerySet[Entrant]:
    """The lineup of a club as it stands, whoever may see it; reserves that it does not name are left out."""
    rows = present(tournament).filter(team=team, board__isnull=False)
    return rows.select_related("user", "team__club").order_by("board")


def players(tournament: Tournament, team: Team) -> QuerySet[Entrant]:
    """The players of a club in the order in which they would play now."""
    rows = present(tournament).filter(team=team).select_related("user", "team__club")
    return rows.order_by(tournaments.IN_ORDER, "-rating", "pk")
