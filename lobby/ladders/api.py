"""The ladders of clubs for programs. `lobby.ladders.ladders` decides."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Router
from ninja.responses import Status

from games.api.access import Token, anybody
from games.api.routes import answer
from games.api.scopes import CLUBS, LOBBY
from lobby.api.callers import my_account
from lobby.clubs.api import ClubId
from lobby.ladders import ladders
from lobby.ladders.api_fields import (
    LadderAnswerBody,
    LadderBody,
    LadderChallengeBody,
    LadderCommand,
    LadderFields,
    LadderTable,
    ladder_fields,
)

router = Router(tags=["Clubs"])


@router.get("/clubs/{club_id}/ladder", auth=anybody, response=LadderFields, summary="The ladder of a club")
def club_ladder(request: HttpRequest, club_id: ClubId) -> HttpResponse:
    """Its places from the first, and its challenges: the open ones, then those that are over."""
    return answer(ladder_fields(ladders.find(club_id)))


@router.put("/clubs/{club_id}/ladder", auth=Token(CLUBS), response=LadderFields, summary="Set up the ladder")
def set_up_ladder(request: HttpRequest, club_id: ClubId, body: LadderBody) -> HttpResponse:
    """Make the ladder of your club, or change it, as an organiser."""
    me = my_account(request)
    return answer(ladder_fields(ladders.set_up(me, club_id, body.plan(), body.id)))


@router.post(
    "/clubs/{club_id}/ladder/close", auth=Token(CLUBS), response={204: None}, summary="Delete the ladder"
)
def close_ladder(request: HttpRequest, club_id: ClubId, body: LadderCommand) -> Status[None]:
    """Delete the ladder of your club with its challenges, as an organiser."""
    ladders.close(my_account(request), club_id, body.id)
    return Status(204, None)


@router.post(
    "/clubs/{club_id}/ladder/join", auth=Token(CLUBS), response=LadderFields, summary="Join the ladder"
)
def join_ladder(request: HttpRequest, club_id: ClubId, body: LadderCommand) -> HttpResponse:
    """Get the last place, as a member."""
    ladders.join(my_account(request), club_id, body.id)
    return answer(ladder_fields(ladders.find(club_id)))


@router.post(
    "/clubs/{club_id}/ladder/leave", auth=Token(CLUBS), response={204: None}, summary="Leave the ladder"
)
def leave_ladder(request: HttpRequest, club_id: ClubId, body: LadderCommand) -> Status[None]:
    """Give up your place, and the challenge that you are in."""
    ladders.leave(my_account(request), club_id, body.id)
    return Status(204, None)


@router.post(
    "/clubs/{club_id}/ladder/challenge",
    auth=Token(LOBBY),
    response=LadderFields,
    summary="Challenge on the ladder",
)
def challenge_on_ladder(request: HttpRequest, club_id: ClubId, body: LadderChallengeBody) -> HttpResponse:
    """Challenge somebody up to three places above you."""
    ladders.challenge(my_account(request), club_id, body.name, body.id)
    return answer(ladder_fields(ladders.find(club_id)))


@router.post(
    "/clubs/{club_id}/ladder/withdraw",
    auth=Token(LOBBY),
    response={204: None},
    summary="Withdraw your challenge",
)
def withdraw_on_ladder(request: HttpRequest, club_id: ClubId, body: LadderCommand) -> Status[None]:
    """Withdraw your challenge, as long as it is not answered."""
    ladders.withdraw(my_account(request), club_id, body.id)
    return Status(204, None)


@router.post(
    "/clubs/{club_id}/ladder/answer",
    auth=Token(LOBBY),
    response=LadderFields,
    summary="Answer on the ladder",
)
def answer_on_ladder(request: HttpRequest, club_id: ClubId, body: LadderAnswerBody) -> HttpResponse:
    """Accept the challenge to you, or decline it and lose the place. With days per move, the match begins."""
    ladders.answer(my_account(request), club_id, body.accepted, body.id)
    return answer(ladder_fields(ladders.find(club_id)))


@router.post(
    "/clubs/{club_id}/ladder/play", auth=Token(LOBBY), response=LadderTable, summary="Play on the ladder"
)
def play_on_ladder(request: HttpRequest, club_id: ClubId, body: LadderCommand) -> HttpResponse:
    """Invite the other of your accepted challenge to play now, or come to their invitation."""
    table = ladders.play(my_account(request), club_id, body.id)
    return answer({"table": table and table.pk, "match": table and table.match_id})
