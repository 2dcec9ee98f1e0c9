"""The clubs of a tournament of clubs. Writes `Team`.

What leaders of clubs do is in `invitations`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet

from lobby.clubs import lookup
from lobby.clubs.models import Club
from lobby.tournaments.formats import MOST_CLUBS
from lobby.tournaments.formats.base import TooFewClubs
from lobby.tournaments.formats.team_standings import TeamStanding
from lobby.tournaments.models import Entrant, Team, Tournament


def play(tournament: Tournament) -> bool:
    """Whether clubs play in a tournament."""
    return tournament.format in MOST_CLUBS


def of(tournament: Tournament) -> Any:
    """The clubs of a tournament with `entered`, the number of their players, in the order of invitation."""
    there = Q(entrants__withdrawn=None, entrants__removed=False)
    counted = Team.objects.filter(tournament=tournament).annotate(entered=Count("entrants", filter=there))
    return counted.select_related("club").order_by("pk")


def open_to(user_id: int, tournament: Tournament) -> list[Team]:
    """The clubs that take part and have a user as a member: those that the user can play for."""
    rows = Team.objects.filter(tournament=tournament, state=Team.State.ACCEPTED)
    return list(rows.filter(club__memberships__user=user_id).select_related("club").order_by("pk"))


def led_by(user_id: int, tournament: Tournament) -> list[Team]:
    """The clubs in or invited to a tournament in which a user is owner or organiser."""
    staff = lookup.of(user_id).exclude(role=lookup.Role.MEMBER).values("club")
    return list(of(tournament).filter(club__in=staff))


def invitations_of(club: Club) -> QuerySet[Team]:
    """The invitations that a club can still answer, the oldest first."""
    return _unanswered().filter(club=club).select_related("tournament__club").order_by("pk")


def invitations_for(user_id: int) -> dict[str, int]:
    """How many invitations the clubs can still answer of which a user is owner or organiser, by their ids."""
    staff = lookup.of(user_id).exclude(role=lookup.Role.MEMBER).values("club")
    counted = _unanswered().filter(club__in=staff).order_by().values("club").annotate(Count("pk"))
    return dict(counted.values_list("club", "pk__count"))


def _unanswered() -> QuerySet[Team]:
    return Team.objects.filter(state=Team.State.INVITED, tournament__state=Tournament.State.OPEN)


def check_players(there: Sequence[Entrant]) -> None:
    """Check that players of two clubs are there. Raises TooFewClubs."""
    if len({entrant.team_id for entrant in there}) < 2:
        raise TooFewClubs


def organise(tournament: Tournament) -> None:
    """Have the club that organises a new tournament take part in it."""
    assert tournament.club is not None
    Team.objects.create(
        tournament=tournament, club=tournament.club, name=tournament.club.name, state=Team.State.ACCEPTED
    )


def drop(team: Team) -> None:
    """Take a club out of a tournament that has not begun; its players have left."""
    team.delete()


def keep(final: Sequence[TeamStanding]) -> None:
    """Store the final places and points of the clubs of a tournament that is over."""
    rows = [Team(pk=line.team, rank=line.rank, points=line.points) for line in final]
    Team.objects.bulk_update(rows, ["rank", "points"])


def club_closing(club: Club) -> None:
    """Keep the last name of a club that is about to be deleted."""
    Team.objects.filter(club=club).update(name=club.name)
