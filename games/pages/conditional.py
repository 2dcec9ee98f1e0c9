"""A player's own conditional moves, as the page of their match reads and keeps them: JSON."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods
from pydantic import ValidationError

from games.domain.conditional import BadLine
from games.domain.messages import ConditionalBody
from games.domain.refusals import Refused
from games.pages.json_response import json_response, refusal_response
from games.play.matches import matches
from games.rules.base import IllegalMove, gettext_noop

LONGEST = 1_000
"""Characters of the moves in an address."""
PRIVATE = {"Cache-Control": "no-store"}
"""Nothing on the way keeps what is for one person."""


class NoLines(Refused):
    code, status = "no-lines", 422
    sentence = gettext_noop("This is not a list of conditional moves.")


@require_http_methods(["GET", "HEAD", "POST"])
async def kept(request: HttpRequest, match_id: str) -> HttpResponse:
    """What of one's lines may still come; a JSON body of `ConditionalBody` takes their place."""
    user = await request.auser()
    try:
        known = await matches.known_conditional(match_id, user.pk)
        if request.method == "POST":
            body = _body(request)
            await matches.keep_conditional(match_id, user.pk, body.after, body.lines)
            known = await matches.known_conditional(match_id, user.pk)
    except Refused as error:
        return refusal_response(error, headers=PRIVATE)
    finally:
        matches.forget(match_id)
    lines = [{"moves": line, "mine": own} for line, own in zip(known.lines, known.own, strict=True)]
    return json_response({"ply": known.ply, "lines": lines}, headers=PRIVATE)


@require_http_methods(["GET", "HEAD"])
async def position(request: HttpRequest, match_id: str, ply: int) -> HttpResponse:
    """Where `?moves=3.5` leads from the last ply on: the state after each of them, and what is legal then."""
    user = await request.auser()
    moves = [move for move in request.GET.get("moves", "")[:LONGEST].split(".") if move]
    try:
        live, found = await matches.position(match_id, user.pk, ply, moves)
        rules = live.game.rules
        state = found[-1][1] if found else live.state
        legal = [str(move) for move in rules.legal_moves(state)]
        states = [{"move": move, "state": after} for move, after in found]
        return json_response({"ply": live.ply, "states": states, "legal": legal}, headers=PRIVATE)
    except IllegalMove as error:
        return refusal_response(BadLine(line=1), error.status, PRIVATE)
    except Refused as error:
        return refusal_response(error, headers=PRIVATE)
    finally:
        matches.forget(match_id)


def _body(request: HttpRequest) -> ConditionalBody:
    """What was sent. Raises `NoLines`."""
    # The body of a form has been read by then, and is gone.
    if request.content_type != "application/json":
        raise NoLines
    try:
        return ConditionalBody.model_validate_json(request.body)
    except ValidationError as error:
        raise NoLines from error
