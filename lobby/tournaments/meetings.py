"""What a club has played against others: team battles and team matches that are over."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from lobby.clubs.models import Club
from lobby.tournaments import sheet
from lobby.tournaments.models import Entrant, Team, Tournament


def of(club: Club) -> QuerySet[Team]:
    """The parts of a club in tournaments that are over and for which it had players, the newest first."""
    players = Entrant.objects.filter(
        tournament=OuterRef("tournament"), team=OuterRef("pk"), seed__isnull=False
    )
    rows = Team.objects.filter(Exists(players), club=club, tournament__state=Tournament.State.FINISHED)
    rows = rows.select_related("tournament").order_by("-tournament__ended")
    return rows.prefetch_related(Prefetch("tournament__teams", _clubs()))


def clubs_in(part: Team) -> list[Team]:
    """The clubs of the tournament of one of these parts that had players, the best first."""
    rows = list(part.tournament.teams.all())
    if part.points is None:
        # The process that ended the tournament died before it stored them.
        sheet.read(part.tournament)
        rows = list(_clubs().filter(tournament=part.tournament))
    return [team for team in rows if team.points is not None]


def _clubs() -> QuerySet[Team]:
    return Team.objects.select_related("club").order_by("rank", "pk")
