"""The API of the lobby: tables, quick pairing, challenges, chats, events."""

from __future__ import annotations

from typing import Annotated

import orjson
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from ninja import Path, Query, Router
from ninja.responses import Status

from games.api.access import Token, anybody
from games.api.routes import NDJSON, MatchId, answer, caller
from games.api.scopes import CHAT, LOBBY, READ
from games.api.streams import Stream, owner_of, response, streams
from games.net.limits import network_of
from games.registry import GAMES
from games.store import history
from games.watch.watcher_counts import watcher_counts
from lobby.api import event_stream
from lobby.api.callers import my_account, my_id
from lobby.api.messages import (
    ChallengeBody,
    Challenges,
    LineBody,
    Matches,
    MyMatches,
    OpenTable,
    Said,
    SeekBody,
    TableBody,
    Tables,
)
from lobby.chat import match_rooms
from lobby.chat.lines import Empty
from lobby.feed import lobby_feed, program_events
from lobby.feed.watched_matches import matches_to_watch
from lobby.pairing import queue
from lobby.pairing.loop import matchmaker
from lobby.pairing.pairing_options import Tile
from lobby.people.api import Name, find
from lobby.sockets.messages import Rooms, Situation
from lobby.tables import api_fields as table_bodies
from lobby.tables import challenges, tables
from lobby.tables.models import Table
from lobby.tables.refusals import Gone

router = Router()

TableId = Annotated[str, Path(pattern=r"^[0-9a-z]{1,32}$", description="The last part of its address.")]
AfterEvent = Annotated[int | None, Query(ge=0, le=2**53, description="The last event you know.")]


# Tables


@router.get("/tables", auth=anybody, response=Tables, tags=["Tables"], summary="Open tables")
def list_tables(request: HttpRequest) -> HttpResponse:
    """The open tables of the lobby, and those that you have joined, newest first."""
    user_id = caller(request).user_id
    found = {pk: orjson.Fragment(table) for pk, table in program_events.recently_open().items()}
    mine = () if user_id is None else lobby_feed.tables_of(user_id)
    unlisted = [program_events.table_fields(table) for table in mine if table.pk not in found]
    return answer({"tables": [*found.values(), *unlisted]})


@router.post(
    "/tables", auth=Token(LOBBY), response={201: OpenTable}, tags=["Tables"], summary="Create a table"
)
def set_table(request: HttpRequest, body: TableBody) -> HttpResponse:
    """Create a table that everyone in the lobby, or every member of a club, can join, and join it.

    It is closed when you are offline for a while: keep your event stream open.
    """
    host, terms, position = my_account(request), table_bodies.terms_of(body), table_bodies.position_of(body)
    if position is None:
        options = table_bodies.options_of(body)
        seats = GAMES[body.game].rules.SEATS[0] if body.seats is None else body.seats
    else:
        options, seats = position.state.options, body.seats or position.seats
    with transaction.atomic():
        table = tables.set_table(
            host, body.game, options, seats, body.first, terms, club_id=body.club, position=position
        )
        for level in body.computers:
            table = tables.add_computer(host, table.pk, level)
    return answer(program_events.table_fields(table), 201)


@router.get("/tables/{table_id}", auth=anybody, response=OpenTable, tags=["Tables"], summary="A table")
def one_table(request: HttpRequest, table_id: TableId) -> HttpResponse:
    """One table; when its match has begun, with the id of the match."""
    return answer(program_events.table_fields(_table(table_id, caller(request).user_id)))


@router.post(
    "/tables/{table_id}/sit", auth=Token(LOBBY), response=OpenTable, tags=["Tables"], summary="Join a table"
)
def sit_down(request: HttpRequest, table_id: TableId) -> HttpResponse:
    """Take the first free seat of a table. The match begins when all seats are taken."""
    return answer(program_events.table_fields(tables.sit_down(my_account(request), table_id)))


@router.post(
    "/tables/{table_id}/stand",
    auth=Token(LOBBY),
    response={204: None},
    tags=["Tables"],
    summary="Leave a table",
)
def stand_up(request: HttpRequest, table_id: TableId) -> Status[None]:
    """Leave a table. If you are its host, it is closed."""
    tables.stand_up(my_account(request), table_id)
    return Status(204, None)


@router.post(
    "/tables/{table_id}/start", auth=Token(LOBBY), response=OpenTable, tags=["Tables"], summary="Begin"
)
def start(request: HttpRequest, table_id: TableId) -> HttpResponse:
    """Begin the match of your table with the players who have joined."""
    return answer(program_events.table_fields(tables.start(my_account(request), table_id)))


# Challenges


@router.get(
    "/challenges", auth=Token(READ), response=Challenges, tags=["Challenges"], summary="Your challenges"
)
def list_challenges(request: HttpRequest) -> HttpResponse:
    """The open challenges to you and by you."""
    user_id = caller(request).user_id
    received = lobby_feed.open_tables().filter(invited=user_id)
    made = lobby_feed.open_tables().filter(host=user_id).exclude(invited=None)
    return answer(
        {
            "received": [program_events.table_fields(table) for table in received],
            "made": [program_events.table_fields(table) for table in made],
        }
    )


@router.post(
    "/users/{name}/challenge",
    auth=Token(LOBBY),
    response={201: OpenTable},
    tags=["Challenges"],
    summary="Challenge somebody",
)
def challenge(request: HttpRequest, name: Name, body: ChallengeBody) -> HttpResponse:
    """Create a table for two that only this user can join. Leave it to withdraw the challenge."""
    host, other = my_account(request), find(request, name)
    terms, position = table_bodies.terms_of(body), table_bodies.position_of(body)
    options = table_bodies.options_of(body) if position is None else position.state.options
    table = challenges.challenge(host, other, body.game, options, body.first, terms, position)
    return answer(program_events.table_fields(table), 201)


@router.post(
    "/challenges/{table_id}/accept",
    auth=Token(LOBBY),
    response=OpenTable,
    tags=["Challenges"],
    summary="Accept a challenge",
)
def accept(request: HttpRequest, table_id: TableId) -> HttpResponse:
    """Accept a challenge: join its table, and the match begins."""
    return answer(program_events.table_fields(challenges.accept(my_account(request), table_id)))


@router.post(
    "/challenges/{table_id}/decline",
    auth=Token(LOBBY),
    response={204: None},
    tags=["Challenges"],
    summary="Decline a challenge",
)
def decline(request: HttpRequest, table_id: TableId) -> Status[None]:
    """Decline a challenge."""
    challenges.decline(my_account(request), table_id)
    return Status(204, None)


# Quick pairing


@router.get(
    "/seek", auth=Token(READ), response=Situation, tags=["Quick pairing"], summary="What you wait for"
)
def situation(request: HttpRequest) -> HttpResponse:
    """What you seek, or the match that you were paired for.

    Only users who are online are paired: keep your event stream open, or request this every five seconds.
    """
    user_id = my_id(request)
    queue.seen(user_id)
    return answer(queue.situation(user_id))


@router.put(
    "/seek", auth=Token(LOBBY), response=Situation, tags=["Quick pairing"], summary="Wait for an opponent"
)
def seek(request: HttpRequest, body: SeekBody) -> HttpResponse:
    """Seek an opponent. This replaces what you were seeking before."""
    user = my_account(request)
    queue.enter(user, Tile(body.game, body.preset, body.clock, body.rated, body.seats))
    matchmaker.wake()
    return answer(queue.situation(user.pk))


@router.delete(
    "/seek", auth=Token(LOBBY), response={204: None}, tags=["Quick pairing"], summary="Wait no longer"
)
def cancel(request: HttpRequest) -> Status[None]:
    """Stop seeking. Idempotent."""
    queue.cancel([my_id(request)])
    return Status(204, None)


# Matches and their chats


@router.get("/matches", auth=anybody, response=Matches, tags=["Matches"], summary="Matches in play")
def list_matches(request: HttpRequest) -> HttpResponse:
    """The matches in play that can be watched, newest first."""
    watchers = watcher_counts.counts()
    found = matches_to_watch()[: lobby_feed.MAX_LISTED]
    return answer({"matches": [lobby_feed.match_fields(match, watchers.get(match.pk, 0)) for match in found]})


@router.get(
    "/me/matches", auth=Token(READ), response=MyMatches, tags=["Matches"], summary="Your matches in play"
)
def my_matches(request: HttpRequest) -> HttpResponse:
    """Your matches in play, and in which of them you are to move."""
    user_id = my_id(request)
    found = [lobby_feed.match_fields(match) for match in lobby_feed.matches_of(user_id)]
    return answer({"matches": found, "waiting": history.waiting_for(user_id)})


@router.get(
    "/matches/{match_id}/chat",
    auth=anybody,
    response=Rooms,
    tags=["Chat"],
    summary="What was said at a match",
)
def read_chat(request: HttpRequest, match_id: MatchId) -> HttpResponse:
    """The rooms of a match that you may read, and their last lines."""
    user_id = caller(request).user_id
    where = match_rooms.standing(match_id, user_id, timezone.now())
    return answer(match_rooms.rooms(match_id, user_id, where))


@router.post(
    "/matches/{match_id}/chat",
    auth=Token(CHAT),
    response=Said,
    tags=["Chat"],
    summary="Say something at a match",
)
def speak(request: HttpRequest, match_id: MatchId, body: LineBody) -> HttpResponse:
    """Send a line to a chat room of a match. Idempotent by `id`."""
    where = (match_id, my_id(request), body.id, body.room)
    if body.preset is not None:
        match_rooms.say_preset(*where, body.preset, address=network_of(request))
    elif body.text is not None:
        match_rooms.say(*where, body.text, address=network_of(request))
    else:
        raise Empty
    return answer({"type": "accepted", "id": body.id})


# Events


@router.get(
    "/events",
    auth=Token(READ),
    response={200: None},
    tags=["Events"],
    summary="Your events, live",
    openapi_extra=NDJSON,
)
async def events(request: HttpRequest, after: AfterEvent = None) -> HttpResponseBase:
    """Your events, one per line: the current state, the events after `after`, then new ones.

    While you read them, you are online: your tables stay open, and you can be paired.
    """
    me = caller(request)
    assert me.user_id is not None
    owner = owner_of(me, "")
    streams.check(owner)
    return response(event_stream.lines(Stream(me, owner), me.user_id, after))


def _table(table_id: str, asker: int | None) -> Table:
    tables_of_all = Table.objects.filter(pk=table_id, game__in=GAMES)
    found = tables_of_all.select_related("host", "invited", "match").prefetch_related("chairs__user").first()
    if found is None or not lobby_feed.may_know(found, asker):
        raise Gone
    return found
