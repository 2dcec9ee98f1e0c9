"""`POST /mancala/game` and `PUT /mancala/game/move` (docs/reference/kalaha-note.md).

Sessions have no rights here, so no CSRF token is required. The views are asynchronous, so that a waiting
request holds no database connection that the service may need.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import orjson
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from pydantic import BaseModel, ValidationError

from games.api.problems import CONTENT_TYPE
from games.domain import strict_json
from games.domain.refusals import Refused, SavingUnavailable, words_of
from games.net.limits import limiter, network_of
from games.net.threads import in_thread
from games.rules.base import IllegalMove
from games.store.disk import unstored
from lobby.accounts import guests
from lobby.kalaha import games
from lobby.kalaha.answers import Answer, KeyReused, Request, once
from lobby.kalaha.bodies import NewGame, Sowing, gameboard, player, pointer
from lobby.kalaha.problems import Problem

B = TypeVar("B", bound=BaseModel)

MOST_BYTES = 4096
"""Maximum bytes of a body, far above the longest valid one."""
LONGEST_KEY = 255

_moves = limiter(settings.KALAHA_LIMIT)


class Unusable(Exception):
    """A malformed request, which is refused before a game is read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


@never_cache
@csrf_exempt
async def game(request: HttpRequest) -> HttpResponse:
    """Begin a game between the two players in the body."""

    async def begin(wanted: NewGame, command: str) -> Answer:
        if not all(guests.guests.take(network_of(request), time.monotonic()) for _ in range(2)):
            raise Unusable(_too_many(gettext("Too many new games. Please wait.")))
        return _created(await in_thread(games.begin)(wanted, command))

    return await _answer(request, "POST", NewGame, begin)


@never_cache
@csrf_exempt
async def move(request: HttpRequest) -> HttpResponse:
    """Carry out a move of the player in the body."""

    async def sow(asked: Sowing, command: str) -> Answer:
        return _moved(await games.sow(asked, command))

    if not _moves.take(network_of(request), time.monotonic()):
        return _too_many(gettext("Too many moves. Please wait a moment.")).response(Retry_After="1")
    return await _answer(request, "PUT", Sowing, sow)


async def _answer(
    request: HttpRequest, method: str, shape: type[B], act: Callable[[B, str], Awaitable[Answer]]
) -> HttpResponse:
    """Validate a request, carry it out once per idempotency key, and return the response.

    Args:
        request: the request.
        method: the only method that is allowed.
        shape: the model of the body.
        act: carries out the body under a command id.
    """
    try:
        body = _body(request, method)
        asked = _parsed(shape, body)
        parts = (method.encode(), request.path.encode(), body)
        key = Request.of(_key(request), network_of(request), *parts)
        answer = await once(key, lambda command: _refused_or(act, asked, command))
    except Unusable as error:
        headers = {"Allow": method} if error.problem.status == 405 else {}
        return error.problem.response(**headers)
    except KeyReused as error:
        return Problem.of(error.status, error.code, error.words).response()
    except (SavingUnavailable, DatabaseError, guests.OutOfNames) as error:
        away = unstored(error)
        return Problem.of(away.status, away.code, away.words).response(Retry_After="1")
    content_type = CONTENT_TYPE if answer.status >= 400 else "application/json"
    headers = {"Location": answer.location} if answer.location else {}
    return HttpResponse(answer.body, status=answer.status, content_type=content_type, headers=headers)


async def _refused_or(act: Callable[[B, str], Awaitable[Answer]], asked: B, command: str) -> Answer:
    """The response of `act`, or the error response if it was refused."""
    try:
        return await act(asked, command)
    except SavingUnavailable:
        raise
    except games.StaleBoard as error:
        return _refusal(error, **_position(error.position))
    except (Refused, IllegalMove) as error:
        return _refusal(error)


def _refusal(error: Refused | IllegalMove, **more: Any) -> Answer:
    detail = words_of(error)
    return Answer(error.status, Problem.of(error.status, error.code, detail, **more).json())


def _body(request: HttpRequest, method: str) -> bytes:
    if request.method != method:
        detail = gettext("This address allows only %(method)s.") % {"method": method}
        raise Unusable(Problem.of(405, "method-not-allowed", detail))
    if request.content_type != "application/json":
        detail = gettext("Send the body as application/json.")
        raise Unusable(Problem.of(415, "not-json", detail))
    body = request.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        detail = gettext("The body is longer than %(most)d bytes.") % {"most": MOST_BYTES}
        raise Unusable(Problem.of(413, "too-large", detail))
    return bytes(body)


def _parsed(shape: type[B], body: bytes) -> B:
    try:
        return strict_json.model(shape, body)
    except ValidationError as error:
        if error.errors()[0]["type"] == "json_invalid":
            raise Unusable(Problem.of(400, "malformed", gettext("The body is not JSON."))) from None
        sent = json.loads(body)
        errors = [
            {"pointer": pointer(each["loc"], sent), "detail": each["msg"]}
            for each in error.errors(include_url=False, include_context=False, include_input=False)
        ]
        detail = gettext("The body does not have the required fields.")
        raise Unusable(Problem.of(422, "invalid", detail, errors=errors)) from None


def _key(request: HttpRequest) -> str:
    key = request.headers.get("Idempotency-Key", "")
    if len(key) > LONGEST_KEY:
        detail = gettext("An Idempotency-Key can have at most %(most)d characters.") % {"most": LONGEST_KEY}
        raise Unusable(Problem.of(400, "bad-key", detail))
    return key


def _too_many(detail: str) -> Problem:
    return Problem.of(429, "too-many", detail)


def _created(begun: games.Begun) -> Answer:
    first, second = begun.players
    body = {**_position(begun.position), "player1": player(first), "player2": player(second)}
    return Answer(201, _json(body), reverse("match", args=[begun.match_id]))


def _moved(sown: games.Sown) -> Answer:
    before = gameboard(sown.position.game, sown.before)
    said = {"originalGameboard": before, **_position(sown.position), "consequence": _consequence(sown)}
    return Answer(200, _json(said))


def _consequence(sown: games.Sown) -> dict[str, bool | int]:
    """The effects of a move, in the note's words; a draw, which the note lacks, has a word of ours."""
    going_on = sown.position.turn is not None
    return {
        "nextTurn": going_on and not sown.extra_turn,
        "extraTurn": sown.extra_turn,
        "pebblesCaptured": sown.captured,
        **{status: sown.position.status == status for status in (*games.WON.values(), games.DRAW)},
    }


def _position(position: games.Position) -> dict[str, Any]:
    return {
        "gameboard": gameboard(position.game, position.board),
        "gameStatus": position.status,
        "playsNextTurn": player(position.turn),
    }


def _json(members: Mapping[str, Any]) -> str:
    return orjson.dumps(members).decode()
