"""People for programs: who they are, how they play, and all that they played."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from ninja import Path, Query, Router

from games.api.access import Token, anybody
from games.api.routes import GameSlug, UnknownGame, answer, caller
from games.api.scopes import BOT, READ
from games.domain.instants import timestamp
from games.domain.refusals import Refused
from games.net.limits import network_of
from games.registry import GAMES
from games.rules.base import gettext_noop
from lobby.api.callers import my_account, my_id
from lobby.api.messages import Leaderboard, Me, Online, Person
from lobby.people import circles, following
from lobby.people.models import NAME_LENGTH, User
from lobby.people.online import seen_by
from lobby.people.words import pools_of
from lobby.profiles import matches_file, profiles
from lobby.profiles.summaries import known_results, summed_up
from lobby.ratings import leaderboards
from lobby.ratings.models import Pool, Rating
from lobby.ratings.unsettled import unsettled_results
from lobby.tokens import bots

router = Router()

Name = Annotated[str, Path(min_length=1, max_length=NAME_LENGTH, description="Somebody’s name.")]
PAGE_SIZE = 100
"""People of a page."""
OnlinePage = Annotated[int, Query(ge=1, le=1000, description="Which page, the first being 1.")]
Players = Annotated[Literal["two", "many"], Query(description="Whether two play, or more.")]
DOCUMENT = {
    "responses": {200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
}


class UnknownPerson(Refused):
    """No player has this name."""

    code, status = "unknown-person", 404
    sentence = gettext_noop("No player has this name.")


class Deleted(Refused):
    """The user existed and was deleted."""

    code, status = "deleted", 410
    sentence = gettext_noop("This account was deleted.")


class TooManyDownloads(Refused):
    """The network is above DOWNLOAD_LIMIT."""

    code, status = "too-many", 429
    sentence = gettext_noop("Too many downloads. Please wait a few minutes.")
    headers = settings.DOWNLOAD_LIMIT.retry_after


@router.get("/me", auth=Token(READ), response=Me, tags=["People"], summary="Whom this token speaks for")
def me(request: HttpRequest) -> HttpResponse:
    """Whom this token speaks for, and what it is good for."""
    return answer(_me(request))


@router.post(
    "/bot/upgrade", auth=Token(BOT), response=Me, tags=["People"], summary="Become a computer player"
)
def upgrade(request: HttpRequest) -> HttpResponse:
    """Make a computer player of your account. It must never have played, and there is no way back.

    Computer players are shown as what they are, play casual matches, and have no place in a leaderboard.
    """
    bots.upgrade(my_id(request))
    return answer(_me(request))


@router.get("/online", auth=anybody, response=Online, tags=["People"], summary="The people online")
def online(request: HttpRequest, page: OnlinePage = 1) -> HttpResponse:
    """Who is here now and lets others see it, by name, and the match that each plays, if you may watch it."""
    found = Paginator(seen_by(caller(request).user_id), PAGE_SIZE).get_page(page)
    standings = following.standings(found.object_list)
    return answer(
        {
            "people": [
                {"name": person.username, "guest": person.is_guest, "match": standing.match}
                for person, standing in zip(found.object_list, standings, strict=True)
            ],
            "next": found.next_page_number() if found.has_next() else None,
        }
    )


@router.get("/users/{name}", auth=anybody, response=Person, tags=["People"], summary="Somebody")
def person(request: HttpRequest, name: Name) -> HttpResponse:
    """Who somebody is, their ratings, and the results of those matches that you may look at."""
    return answer(_person(find(request, name), caller(request).user_id))


@router.get(
    "/users/{name}/matches",
    auth=anybody,
    response={200: None},
    tags=["People"],
    summary="All matches of somebody",
    openapi_extra=DOCUMENT,
)
def export(request: HttpRequest, name: Name) -> HttpResponseBase:
    """Every finished match of somebody that you may look at, as docs/reference/match-file.md describes it.

    It is written while it is sent, so it may be long.
    """
    found = find(request, name)
    if not matches_file.downloads.take(network_of(request), time.monotonic()):
        raise TooManyDownloads
    document = matches_file.document(found, caller(request).user_id, datetime.now(UTC))
    return StreamingHttpResponse(document, content_type="application/json")


@router.get(
    "/leaderboards/{slug}/{preset}", auth=anybody, response=Leaderboard, tags=["People"], summary="The best"
)
def leaderboard(
    request: HttpRequest,
    slug: GameSlug,
    preset: Annotated[str, Path(pattern=r"^[a-z0-9-]{1,50}$", description="A preset of the game.")],
    players: Players = "two",
) -> HttpResponse:
    """The best people at a game under a preset."""
    game, pool = GAMES.get(slug), Pool(players)
    if game is None or preset not in game.rules.PRESETS or pool not in pools_of(game):
        raise UnknownGame
    board = leaderboards.Leaderboard(game, preset, pool, AnonymousUser())
    top = [
        {
            "place": row.place,
            "name": row.rating.user.get_username(),
            "rating": row.rating.rating,
            "deviation": row.rating.deviation,
        }
        for row in board.top
    ]
    fields = {"game": slug, "preset": preset, "players": players, "ranked": board.players, "top": top}
    return answer(fields)


def find(request: HttpRequest, name: str) -> User:
    """The person who has this name. Raises `UnknownPerson` or `Deleted`."""
    found = circles.named(name, caller(request).user_id)
    if found is None:
        raise UnknownPerson
    if found.is_deleted:
        raise Deleted
    return found


def _me(request: HttpRequest) -> dict[str, Any]:
    user = my_account(request)
    return {"name": user.get_username(), "bot": user.is_bot, "scopes": sorted(caller(request).scopes)}


def _person(user: User, asker: int | None) -> dict[str, Any]:
    ratings = Rating.objects.filter(user=user, game__in=GAMES).order_by("game", "family", "pool")
    now = datetime.now(UTC)
    unsettled = unsettled_results(user.pk, asker, now)
    known = known_results(user.pk, asker, now)
    return {
        "name": user.get_username(),
        "guest": user.is_guest,
        "bot": user.is_bot,
        "joined": timestamp(user.date_joined),
        "ratings": [_rating(rating) for rating in ratings],
        "results": [
            {"game": record.game.slug, "won": record.won, "drawn": record.drawn, "lost": record.lost}
            for record in profiles.records(summed_up(known).counts, unsettled)
        ],
    }


def _rating(rating: Rating) -> dict[str, Any]:
    return {
        "game": rating.game,
        "preset": rating.family,
        "players": rating.pool,
        "rating": rating.rating,
        "deviation": rating.deviation,
        "provisional": rating.provisional,
        "matches": rating.matches,
    }
