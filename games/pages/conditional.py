"""A player's own conditional moves, as the page of their match reads and keeps them: JSON."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods
from pydantic import ValidationError

from games.domain import codec
from games.domain.conditional import BadLine
from games.domain.messages import ConditionalBody
from games.domain.refusals import Refused
from games.play.matches import matches
from games.rules.base import IllegalMove, gettext_noop

LONGEST = 1_000
"""Characters of the moves in an address."""


class NoLines(Refused):
    code, status = "no-lines", 422
    sentence = gettext_noop("This is no list of conditional moves.")


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
        return _refused(error)
    finally:
        matches.forget(match_id)
    lines = [{"moves": line, "mine": own} for line, own in zip(known.lines, known.own, strict=True)]
    return _json({"ply": known.ply, "lines": lines})


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
        return _json({"ply": live.ply, "states": states, "legal": legal})
    except IllegalMove as error:
        return _refused(BadLine(line=1), error.status)
    except Refused as error:
        return _refused(error)
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


def _refused(error: Refused, status: int | None = None) -> HttpResponse:
    return _json({"code": error.code, "detail": error.words}, status or error.status)


def _json(content: dict[str, Any], status: int = 200) -> HttpResponse:
    # Private to one person: nothing on the way keeps it.
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(
        codec.encode(content), content_type="application/json", status=status, headers=headers
    )
