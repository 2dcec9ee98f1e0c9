"""The API of games and matches: the functions of the pages and of the match socket as requests and streams.

`config.api` combines it with the routes of the lobby.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, TypeAlias, cast

from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import get_language, gettext
from ninja import Body, Path, Query, Router
from pydantic import Field
from typing_extensions import TypedDict

from games.api import match_stream
from games.api.access import Caller, Token, anybody
from games.api.problems import of_error
from games.api.scopes import PLAY, READ
from games.api.streams import CONTENT_TYPE, Stream, owner_of, response, streams
from games.domain import codec, options
from games.domain.matchfile import MatchFile
from games.domain.messages import (
    MOST_PLIES,
    Accepted,
    Command,
    ConditionalBody,
    MatchNow,
    MoveCommand,
    Odds,
    Plies,
)
from games.domain.record import Record
from games.domain.refusals import Refused, SavingUnavailable, UnknownMatch
from games.finished import analysis_fields, archive, reviews
from games.finished.analysis_fields import AnalysisFields
from games.finished.download_queue import turns
from games.finished.export import match_file
from games.net.limits import limit_keys, network_of
from games.play import permissions
from games.play.matches import matches
from games.registry import GAMES, Game
from games.rules.base import Choice, IllegalMove, choices_of, gettext_noop
from games.watch.viewer import PLIES_OF_PAGE, Viewer, carry_out, look_at

router = Router()

GameSlug = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,50}$", description="The game.")]
MatchId = Annotated[str, Path(pattern=r"^[0-9a-z]{1,32}$", description="The last part of its address.")]
After = Annotated[int, Query(ge=0, le=MOST_PLIES, description="The last ply you know; 0 for none.")]
Limit = Annotated[int, Query(ge=1, le=PLIES_OF_PAGE, description="How many plies at most.")]
Since = Annotated[int | None, Query(ge=0, le=MOST_PLIES, description="The last ply you know.")]
CommandBody: TypeAlias = Annotated[Command, Field(discriminator="type")]

NDJSON = {
    "responses": {
        200: {
            "description": "One JSON object a line, for as long as you read. Empty lines say nothing.",
            "content": {CONTENT_TYPE: {"schema": {"type": "string"}}},
        }
    }
}


class RatedProgram(Refused):
    """A move in a rated match was sent with a token: the opponent would not know that a program plays."""

    code, status = "program", 403
    sentence = gettext_noop("Programs can only play casual matches. Play rated matches on the match page.")


class ValueFields(TypedDict):
    """A value of an option; `words` for people."""

    value: bool | int | str
    words: str


class OptionFields(TypedDict):
    """An option of a game: its name, its default, and the values it can have."""

    name: str
    title: str
    sentence: str
    default: bool | int | str
    values: list[ValueFields]


class PresetFields(TypedDict):
    """A named set of options."""

    slug: str
    options: dict[str, Any]


class RefusalFields(TypedDict):
    """An error of the rules: its code, and its sentence with placeholders such as `%(pit)d`."""

    code: str
    sentence: str


class GameFields(TypedDict):
    """A game: `seats` is the minimum and maximum number of players, `rated` whether rated play is possible.

    `clocks` are the suggested time controls, `refusals` the errors that only this game's rules return.
    """

    slug: str
    title: str
    blurb: str
    seats: tuple[int, int]
    dice: bool
    odds: bool
    draws: bool
    rated: bool
    clocks: list[str]
    presets: list[PresetFields]
    options: list[OptionFields]
    refusals: list[RefusalFields]


class Games(TypedDict):
    """The games of this site."""

    games: list[GameFields]


class UnknownGame(Refused):
    """There is no game of that name."""

    code, status = "unknown-game", 404
    sentence = gettext_noop("This game does not exist here.")


@router.get("/games", auth=anybody, response=Games, tags=["Games"], summary="All games")
def list_games(request: HttpRequest) -> HttpResponse:
    """The games that are played here, with their options, presets and refusals."""
    return answer({"games": _games(get_language())})


@router.get("/games/{slug}", auth=anybody, response=GameFields, tags=["Games"], summary="One game")
def one_game(request: HttpRequest, slug: GameSlug) -> HttpResponse:
    """One game, with its options, presets and refusals."""
    if slug not in GAMES:
        raise UnknownGame
    return answer(_game(GAMES[slug]))


@router.get("/matches/{match_id}", auth=anybody, response=MatchNow, tags=["Matches"], summary="A match")
async def snapshot(request: HttpRequest, match_id: MatchId) -> HttpResponse:
    """The current state of a match, as you may see it, with `legal` if you are to move."""
    viewer = await _viewer(request, match_id)
    return await _told(viewer, viewer.now())


class PageOfPlies(Plies):
    """A page of the plies of a match: `next` is the `after` of the next page, null on the last one."""

    next: int | None


@router.get(
    "/matches/{match_id}/plies",
    auth=anybody,
    response=PageOfPlies,
    tags=["Matches"],
    summary="The plies of a match",
)
async def plies(
    request: HttpRequest, match_id: MatchId, after: After = 0, limit: Limit = PLIES_OF_PAGE
) -> HttpResponse:
    """The plies of a match after ply `after`, in pages: use `next` as `after` of the next request."""
    viewer = await _viewer(request, match_id)
    return await _told(viewer, viewer.page(after, limit))


@router.get(
    "/matches/{match_id}/odds",
    auth=anybody,
    response=Odds,
    tags=["Matches"],
    summary="The odds of a decision",
)
async def odds(request: HttpRequest, match_id: MatchId) -> HttpResponse:
    """The probability that some games show before a decision; null if there is none."""
    viewer = await _viewer(request, match_id)
    return await _told(viewer, _odds(viewer))


@router.get(
    "/matches/{match_id}/file",
    auth=anybody,
    response=MatchFile,
    tags=["Matches"],
    summary="A finished match as a file",
)
def replay(request: HttpRequest, match_id: MatchId) -> HttpResponse:
    """A finished match, every ply of it, in the format that `/replay` reads."""
    with turns.take(network_of(request)):
        return answer(match_file(_record(request, match_id)))


@router.get(
    "/matches/{match_id}/analysis",
    auth=anybody,
    response=AnalysisFields,
    tags=["Matches"],
    summary="The analysis of a finished match",
)
def analysis(request: HttpRequest, match_id: MatchId) -> HttpResponse:
    """The analysis of a finished match by the best computer player, as far as it is complete."""
    with turns.take(network_of(request)):
        return answer(analysis_fields.fields(reviews.review(_record(request, match_id))))


@router.post(
    "/matches/{match_id}/analysis",
    auth=Token(READ),
    response={202: AnalysisFields},
    tags=["Matches"],
    summary="Ask for an analysis",
)
def ask_for_analysis(request: HttpRequest, match_id: MatchId) -> HttpResponse:
    """Request the analysis of a finished match, which is public. Idempotent."""
    with turns.take(network_of(request)):
        record = _record(request, match_id)
        reviews.ask(record, datetime.now(UTC), limit_keys(caller(request).user_id, network_of(request)))
        return answer(analysis_fields.fields(reviews.review(record)), 202)


@router.post(
    "/matches/{match_id}/commands", auth=Token(PLAY), response=Accepted, tags=["Matches"], summary="Play"
)
async def command(request: HttpRequest, match_id: MatchId, command: CommandBody = Body(...)) -> HttpResponse:  # type: ignore[type-arg]  # noqa: B008 - how ninja is told
    """Carry out a command of the match socket: a move, an offer, a claim.

    A command with the same `id` is carried out once, however often you send it. A refusal means that nothing
    has changed.
    """
    me = caller(request)
    try:
        live = await matches.up_to_date(match_id)
        if isinstance(command, MoveCommand) and live.terms.rated:
            raise RatedProgram
        ply = await carry_out(match_id, me.user_id, command)
    except (SavingUnavailable, UnknownMatch):
        raise
    except (Refused, IllegalMove) as error:
        return await _refused(match_id, me, command, error)
    finally:
        matches.forget(match_id)
    return answer({"type": "accepted", "id": command.id, "ply": ply})


class ConditionalFields(TypedDict):
    """The lines that may still come after ply `ply`, each the opponent's moves and yours in turn."""

    ply: int
    lines: list[list[str]]


@router.get(
    "/matches/{match_id}/conditional",
    auth=Token(PLAY),
    response=ConditionalFields,
    tags=["Matches"],
    summary="Your conditional moves",
)
def conditional_moves(request: HttpRequest, match_id: MatchId) -> HttpResponse:
    """Your conditional moves in a correspondence match; nobody else can see them."""
    return _lines(match_id, caller(request))


@router.put(
    "/matches/{match_id}/conditional",
    auth=Token(PLAY),
    response=ConditionalFields,
    tags=["Matches"],
    summary="Enter conditional moves",
)
def keep_conditional_moves(
    request: HttpRequest,
    match_id: MatchId,
    body: ConditionalBody = Body(...),  # type: ignore[type-arg]  # noqa: B008 - how ninja is told
) -> HttpResponse:
    """Replace your conditional moves; an empty list removes them. Idempotent."""
    me = caller(request)
    live = async_to_sync(matches.up_to_date)(match_id)
    if live.terms.rated and body.lines:
        raise RatedProgram
    async_to_sync(matches.keep_conditional)(match_id, me.user_id, body.after, body.lines)
    return _lines(match_id, me)


def _lines(match_id: str, me: Caller) -> HttpResponse:
    known = async_to_sync(matches.known_conditional)(match_id, me.user_id)
    return answer({"ply": known.ply, "lines": known.lines})


@router.get(
    "/matches/{match_id}/stream",
    auth=anybody,
    response={200: None},
    tags=["Matches"],
    summary="A match, live",
    openapi_extra=NDJSON,
)
async def stream(request: HttpRequest, match_id: MatchId, after: Since = None) -> HttpResponseBase:
    """The messages of the match socket, one per line: the snapshot, the plies after `after`, then new ones.

    Every ply is sent once and in order. You count as present at the match only while you read its stream.
    """
    me = caller(request)
    owner = owner_of(me, network_of(request))
    streams.check(owner)
    viewer = await _viewer(request, match_id)
    return response(match_stream.lines(Stream(me, owner, viewer.seat), viewer, after))


def answer(fields: Any, status: int = 200) -> HttpResponse:
    """A response from fields that are already in wire format; only tests validate them."""
    return HttpResponse(codec.encode(fields), status=status, content_type="application/json")


def caller(request: HttpRequest) -> Caller:
    """The authenticated caller."""
    return cast(Caller, cast(Any, request).auth)


def _record(request: HttpRequest, match_id: str) -> Record:
    return archive.record_for(match_id, caller(request).user_id, datetime.now(UTC))


async def _viewer(request: HttpRequest, match_id: str) -> Viewer:
    await matches.up_to_date(match_id)
    return await look_at(match_id, caller(request).user_id)


async def _told(viewer: Viewer, reading: Any) -> HttpResponse:
    try:
        return answer(await reading)
    finally:
        viewer.forget()


async def _odds(viewer: Viewer) -> dict[str, Any]:
    live = await viewer.known()
    return {"type": "odds", "ply": live.ply, "chance": live.odds()}


async def _refused(match_id: str, me: Caller, command: Command, error: Refused | IllegalMove) -> HttpResponse:
    """The error response of a refused command, with the current position as the caller may see it."""
    viewer = await look_at(match_id, me.user_id)
    live = await viewer.known()
    return of_error(error, id=command.id, **permissions.standing(live, viewer.seat))


@cache
def _games(language: str | None) -> list[dict[str, Any]]:
    return [_game(game) for game in GAMES.values()]


def _game(game: Game) -> dict[str, Any]:
    rules = game.rules
    return {
        "slug": game.slug,
        "title": gettext(game.title),
        "blurb": gettext(game.blurb),
        "seats": [rules.SEATS[0], rules.SEATS[-1]],
        "dice": game.dice,
        "odds": game.odds is not None,
        "draws": game.draws,
        "rated": not game.pure_luck,
        "clocks": ["", *game.clocks],
        "presets": [{"slug": slug, "options": asdict(preset)} for slug, preset in rules.PRESETS.items()],
        "options": [_option(choice) for choice in choices_of(rules.Options)],
        "refusals": [
            {"code": code, "sentence": gettext(sentence)} for code, sentence in rules.REFUSALS.items()
        ],
    }


def _option(choice: Choice) -> dict[str, Any]:
    return {
        "name": choice.name,
        "title": gettext(choice.title),
        "sentence": gettext(choice.sentence),
        "default": choice.default,
        "values": [
            {"value": value, "words": options.value_in_words(choice, value)} for value in choice.offered
        ],
    }
