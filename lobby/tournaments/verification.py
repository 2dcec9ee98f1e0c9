"""Verifies a tournament: replays every match from its plies, and compares results and standings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.domain import codec
from games.domain.verification import NotReproducible
from games.models import Match, Seating
from games.store import replays
from lobby.ratings.models import Result
from lobby.tournaments import sheet, teams
from lobby.tournaments.models import Pairing, Team, Tournament


def breaches(tournament: Tournament) -> list[str]:
    """Everything about a tournament that does not follow from its plies and pairings, in words."""
    found = [*_pairings(tournament)]
    try:
        replayed = sheet.derive(tournament, _replayed)
    except NotReproducible as error:
        return [*found, str(error)]
    known = sheet.read(tournament)
    if known.pairings != replayed.pairings:
        found.append("the results are not those of the plies")
    if known.standings() != replayed.standings():
        found.append("the standings are not those of the plies")
    found += _teams(tournament, known)
    if tournament.state == Tournament.State.FINISHED and known.open:
        found.append(f"it is over, and {len(known.open)} tables are open")
    return found


def _pairings(tournament: Tournament) -> Iterator[str]:
    """What is wrong with the matches of the pairings, their plies apart."""
    for pairing in Pairing.objects.filter(tournament=tournament, match__isnull=False).select_related("match"):
        where, match = f"round {pairing.round}, table {pairing.table}", pairing.match
        assert match is not None
        seats = list(Seating.objects.filter(match=match).order_by("seat").values_list("user", flat=True))
        if seats != list(pairing.seats.order_by("seat").values_list("entrant__user", flat=True)):
            yield f"{where}: others play the match {match.pk}"
        results = Result.objects.filter(match=match).count()
        if results not in ((0, len(seats)) if match.status == Match.Status.FINISHED else (0,)):
            yield f"{where}: the match {match.pk} has {results} results"


def _teams(tournament: Tournament, known: sheet.Sheet) -> Iterator[str]:
    """What is wrong with the clubs of a tournament of clubs."""
    if not teams.play(tournament):
        return
    accepted = set(teams.of(tournament).filter(state=Team.State.ACCEPTED).values_list("pk", flat=True))
    club_of = {player.id: player.team for player in known.players}
    if not accepted.issuperset(club_of.values()):
        yield "somebody plays for no club that takes part"
    for pairing in known.pairings:
        clubs = [club_of[player] for player in pairing.seats]
        if len(set(clubs)) < len(clubs):
            yield f"round {pairing.round}, table {pairing.table}: players of one club"
    if tournament.state == Tournament.State.FINISHED:
        order = {line.team: (line.rank, line.points) for line in known.team_standings(known.standings())}
        stored = {team.pk: (team.rank, team.points) for team in teams.of(tournament) if team.pk in order}
        if stored != order:
            yield "the places of the clubs are not those of the standings"


def _replayed(ended: Sequence[sheet.Ended]) -> dict[str, sheet.Result]:
    """The results of finished matches, from their plies. Raises `NotReproducible`."""
    return sheet.results_of([each._replace(outcome=_outcome(each.match_id)) for each in ended])


def _outcome(match_id: str) -> str:
    try:
        outcome = replays.replay(Match.objects.get(pk=match_id))
    except NotReproducible as error:
        raise NotReproducible(f"{match_id}: {error}") from None
    return codec.encode(outcome).decode()
