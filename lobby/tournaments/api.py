"""Tournaments for programs. Services decide."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router
from ninja.responses import Status

from games.api.access import Token, anybody
from games.api.routes import answer, caller
from games.api.scopes import TOURNAMENTS
from games.net.limits import network_of
from lobby.api.callers import my_account
from lobby.people.models import User
from lobby.tournaments import (
    entries,
    invitations,
    lineups,
    organising,
    pairings,
    teams,
    tournaments,
    trf,
    visibility,
)
from lobby.tournaments.api_fields import (
    AdmitBody,
    ByeBody,
    ClubStandings,
    DecideBody,
    EntryBody,
    LineupBody,
    OpenTables,
    Pairings,
    PauseBody,
    RemoveBody,
    Standings,
    TeamAnswerBody,
    TeamBody,
    TournamentBody,
    TournamentChanges,
    TournamentCommand,
    TournamentFields,
    Tournaments,
    WhyBody,
    club_fields,
    open_table_fields,
    pairing_fields,
    standing_fields,
    team_fields,
    tournament_fields,
)
from lobby.tournaments.models import Tournament
from lobby.tournaments.sheet import score_of, scores_of, sheets

router = Router(tags=["Tournaments"])

TournamentId = Annotated[str, Path(pattern=r"^[0-9a-z]{1,32}$", description="The last part of its address.")]
State = Annotated[
    Literal["open", "running", "finished", "cancelled"] | None,
    Query(description="Only these; without it, those that are open or running."),
]
Round = Annotated[int | None, Query(ge=1, le=10_000, description="Only this round.")]
MAX_LISTED = 200
"""Maximum tournaments in a list, newest first."""
TEXT = {"responses": {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}}


@router.get("/tournaments", auth=anybody, response=Tournaments, summary="Tournaments")
def list_tournaments(request: HttpRequest, state: State = None) -> HttpResponse:
    """The tournaments of the site, the newest first."""
    states = (Tournament.State(state),) if state else tournaments.UNFINISHED
    found = tournaments.listed(*states)[:MAX_LISTED]
    scores = scores_of(found)
    told = [tournament_fields(each, each.players, each.paired, scores.get(each.pk)) for each in found]
    return answer({"tournaments": told})


@router.post(
    "/tournaments", auth=Token(TOURNAMENTS), response={201: TournamentFields}, summary="Create a tournament"
)
def create_tournament(request: HttpRequest, body: TournamentBody) -> HttpResponse:
    """Create a tournament that others can enter. You organise it, and may enter it too."""
    return _answer(organising.create(my_account(request), body.plan(), body.id), 201)


@router.get("/tournaments/{tournament_id}", auth=anybody, response=TournamentFields, summary="A tournament")
def one_tournament(request: HttpRequest, tournament_id: TournamentId) -> HttpResponse:
    """How a tournament is, and how far. Ask again from time to time: `version` says if anything is new."""
    return _answer(_found(request, tournament_id))


# Programs of earlier releases send PUT.
@router.put(
    "/tournaments/{tournament_id}",
    auth=Token(TOURNAMENTS),
    response=TournamentFields,
    summary="Change your tournament",
    include_in_schema=False,
)
@router.patch(
    "/tournaments/{tournament_id}",
    auth=Token(TOURNAMENTS),
    response=TournamentFields,
    summary="Change your tournament",
)
def change_tournament(
    request: HttpRequest, tournament_id: TournamentId, body: TournamentChanges
) -> HttpResponse:
    """Change what you send, before the start. Players whom the new terms do not let in stay, and are told."""
    return _answer(organising.change(_me_in(request, tournament_id), tournament_id, body, body.id))


@router.get(
    "/tournaments/{tournament_id}/standings", auth=anybody, response=Standings, summary="The standings"
)
def tournament_standings(request: HttpRequest, tournament_id: TournamentId) -> HttpResponse:
    """The order of the players now, from the matches that have ended."""
    shown = sheets.cached(_found(request, tournament_id))
    lines = [standing_fields(shown.sheet, line) for line in shown.standings]
    return answer({"version": shown.version, "standings": lines})


@router.get(
    "/tournaments/{tournament_id}/clubs",
    auth=anybody,
    response=ClubStandings,
    summary="The clubs of a team battle or match",
)
def tournament_clubs(request: HttpRequest, tournament_id: TournamentId) -> HttpResponse:
    """The clubs that are invited or take part, and their order now. Empty where clubs do not play."""
    found = _found(request, tournament_id)
    shown, shows = sheets.cached(found), lineups.are_shown(found)
    return answer(
        {
            "version": shown.version,
            "clubs": [
                team_fields(team, team.entered, list(lineups.of(found, team)) if shows else None)
                for team in teams.of(found)
            ],
            "standings": [
                club_fields(shown.sheet, line) for line in shown.sheet.team_standings(shown.standings)
            ],
        }
    )


@router.get(
    "/tournaments/{tournament_id}/pairings", auth=anybody, response=Pairings, summary="Who plays whom"
)
def tournament_pairings(
    request: HttpRequest, tournament_id: TournamentId, round: Round = None
) -> HttpResponse:
    """The pairings by round and table, why they were made, their matches and points."""
    shown = sheets.cached(_found(request, tournament_id))
    wanted = [each for each in shown.sheet.pairings if round in (None, each.round)]
    told = [pairing_fields(shown.sheet, each) for each in wanted]
    return answer({"version": shown.version, "pairings": told})


@router.get(
    "/tournaments/{tournament_id}/report",
    auth=anybody,
    response={200: None},
    summary="The report file",
    openapi_extra=TEXT,
)
def tournament_report(request: HttpRequest, tournament_id: TournamentId) -> HttpResponse:
    """A Swiss or a round robin in TRF16, which other tournament programs read: the rounds that are over."""
    found = _found(request, tournament_id)
    text = trf.written(found, sheets.cached(found).sheet)
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@router.get(
    "/tournaments/{tournament_id}/open-tables",
    auth=anybody,
    response=OpenTables,
    summary="What the round waits for",
)
def open_tables(request: HttpRequest, tournament_id: TournamentId) -> HttpResponse:
    """The tables that hold the round up: who is to move there, and since when."""
    waiting = pairings.holding_up(_found(request, tournament_id))
    return answer({"tables": [open_table_fields(table) for table in waiting]})


@router.post(
    "/tournaments/{tournament_id}/enter",
    auth=Token(TOURNAMENTS),
    response=TournamentFields,
    summary="Enter a tournament",
)
def enter_tournament(request: HttpRequest, tournament_id: TournamentId, body: EntryBody) -> HttpResponse:
    """Enter a tournament, or come back to it. Computer players enter where the organiser lets them.

    A player who has missed a match is paired again after this.
    """
    me, network = _me_in(request, tournament_id), network_of(request)
    entries.enter(me, tournament_id, body.code, body.id, network, club=body.club)
    return _answer(tournaments.find(tournament_id))


@router.post(
    "/tournaments/{tournament_id}/withdraw",
    auth=Token(TOURNAMENTS),
    response={204: None},
    summary="Leave a tournament",
)
def withdraw(request: HttpRequest, tournament_id: TournamentId, body: TournamentCommand) -> Status[None]:
    """Be paired no more. A match in play goes on, and you may come back where late entry is allowed."""
    entries.withdraw(_me_in(request, tournament_id), tournament_id, body.id)
    return Status(204, None)


@router.post(
    "/tournaments/{tournament_id}/bye",
    auth=Token(TOURNAMENTS),
    response={204: None},
    summary="Sit out a round",
)
def ask_bye(request: HttpRequest, tournament_id: TournamentId, body: ByeBody) -> Status[None]:
    """Sit out a round that is not paired yet, for half a point."""
    entries.ask_bye(_me_in(request, tournament_id), tournament_id, body.round, body.id)
    return Status(204, None)


@router.post(
    "/tournaments/{tournament_id}/start",
    auth=Token(TOURNAMENTS),
    response=TournamentFields,
    summary="Start your tournament",
)
def start_tournament(
    request: HttpRequest, tournament_id: TournamentId, body: TournamentCommand
) -> HttpResponse:
    """Begin with those who have entered. The first round is paired within a few seconds."""
    return _answer(organising.start(_me_in(request, tournament_id), tournament_id, body.id))


@router.post(
    "/tournaments/{tournament_id}/pause",
    auth=Token(TOURNAMENTS),
    response=TournamentFields,
    summary="Pause your tournament",
)
def pause_tournament(request: HttpRequest, tournament_id: TournamentId, body: PauseBody) -> HttpResponse:
    """Pair nobody for now, or go on. Matches in play go on."""
    return _answer(organising.pause(_me_in(request, tournament_id), tournament_id, body.paused, body.id))


@router.post(
    "/tournaments/{tournament_id}/admit",
    auth=Token(TOURNAMENTS),
    response=TournamentFields,
    summary="Choose who plays in your simul",
)
def admit_player(request: HttpRequest, tournament_id: TournamentId, body: AdmitBody) -> HttpResponse:
    """Choose who plays in your simul, before its start, if `host_admits`."""
    return _answer(
        organising.admit(_me_in(request, tournament_id), tournament_id, body.name, body.admitted, body.id)
    )


@router.post(
    "/tournaments/{tournament_id}/remove",
    auth=Token(TOURNAMENTS),
    response=TournamentFields,
    summary="Remove a player",
)
def remove_player(request: HttpRequest, tournament_id: TournamentId, body: RemoveBody) -> HttpResponse:
    """Remove a player of your tournament for good. Past results stay."""
    return _answer(
        organising.remove(_me_in(request, tournament_id), tournament_id, body.name, body.why, body.id)
    )


@router.post(
    "/tournaments/{tournament_id}/decide",
    auth=Token(TOURNAMENTS),
    response=TournamentFields,
    summary="Decide a table",
)
def decide_table(request: HttpRequest, tournament_id: TournamentId, body: DecideBody) -> HttpResponse:
    """Set the points of a table of the current round. Its match, if it goes on, ends without a result."""
    where = (_me_in(request, tournament_id), tournament_id, body.round, body.table)
    return _answer(organising.decide(*where, body.points, body.why, body.id))


@router.post(
    "/tournaments/{tournament_id}/invite",
    auth=Token(TOURNAMENTS),
    response={204: None},
    summary="Invite a club",
)
def invite_club(request: HttpRequest, tournament_id: TournamentId, body: TeamBody) -> Status[None]:
    """Invite a club to a team battle of a club that you lead. Its leaders are notified."""
    invitations.invite(_me_in(request, tournament_id), tournament_id, body.club, body.id)
    return Status(204, None)


@router.post(
    "/tournaments/{tournament_id}/uninvite",
    auth=Token(TOURNAMENTS),
    response={204: None},
    summary="Take an invitation back",
)
def uninvite_club(request: HttpRequest, tournament_id: TournamentId, body: TeamBody) -> Status[None]:
    """Take back the invitation of a club, before the start. Its players are out."""
    invitations.uninvite(_me_in(request, tournament_id), tournament_id, body.club, body.id)
    return Status(204, None)


@router.post(
    "/tournaments/{tournament_id}/answer",
    auth=Token(TOURNAMENTS),
    response={204: None},
    summary="Answer an invitation",
)
def answer_invitation(
    request: HttpRequest, tournament_id: TournamentId, body: TeamAnswerBody
) -> Status[None]:
    """Accept or decline the invitation of a club that you lead, before the start."""
    me = _me_in(request, tournament_id)
    invitations.answer(me, tournament_id, body.club, body.accepted, body.id)
    return Status(204, None)


@router.post(
    "/tournaments/{tournament_id}/lineup",
    auth=Token(TOURNAMENTS),
    response={204: None},
    summary="Hand in a lineup",
)
def hand_in_lineup(request: HttpRequest, tournament_id: TournamentId, body: LineupBody) -> Status[None]:
    """Hand in the lineup of a club that you lead for a team match, or another one until both are in."""
    me = _me_in(request, tournament_id)
    lineups.hand_in(me, tournament_id, body.club, body.players, body.id)
    return Status(204, None)


@router.post(
    "/tournaments/{tournament_id}/cancel",
    auth=Token(TOURNAMENTS),
    response=TournamentFields,
    summary="Cancel your tournament",
)
def cancel_tournament(request: HttpRequest, tournament_id: TournamentId, body: WhyBody) -> HttpResponse:
    """Cancel a tournament that is not over. Its open matches end without a result."""
    return _answer(organising.cancel(_me_in(request, tournament_id), tournament_id, body.why, body.id))


def _answer(tournament: Tournament, status: int = 200) -> HttpResponse:
    players, paired = tournaments.present(tournament).count(), tournaments.last_round(tournament)
    return answer(tournament_fields(tournament, players, paired, score_of(tournament)), status)


def _found(request: HttpRequest, tournament_id: str) -> Tournament:
    return visibility.find(tournament_id, caller(request).user_id)


def _me_in(request: HttpRequest, tournament_id: str) -> User:
    """The user of a token, who may see the tournament."""
    _found(request, tournament_id)
    return my_account(request)
