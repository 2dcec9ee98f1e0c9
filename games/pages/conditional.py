"""The conditional moves of a player as JSON, for the match page."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods
from pydantic import ValidationError

from games.domain import strict_json
from games.domain.conditional import BadLine
from games.domain.messages import ConditionalBody
from games.domain.refusals import Refused
from games.pages.json_response import json_response, refusal_response
from games.play.matches import matches
from games.rules.base import IllegalMove, gettext_noop

MAX_CHARACTERS = 1_000
"""Maximum characters of the moves in a URL."""
PRIVATE = {"Cache-Control": "no-store"}
"""No cache may store a private response."""


class NoLines(Refused):
    """The body is not a list of lines."""

    code, status = "no-lines", 422
    sentence = gettext_noop("This is not a list of conditional moves.")


@require_http_methods(["GET", "HEAD", "POST"])
def kept(request: HttpRequest, match_id: str) -> HttpResponse:
    """The player's lines that may still occur. A POST with a `ConditionalBody` replaces them."""
    try:
        known = async_to_sync(matches.known_conditional)(match_id, request.user.pk)
        if request.method == "POST":
            body = _body(request)
            async_to_sync(matches.keep_conditional)(match_id, request.user.pk, body.after, body.lines)
            known = async_to_sync(matches.known_conditional)(match_id, request.user.pk)
    except Refused as error:
        return refusal_response(error, headers=PRIVATE)
    lines = [{"moves": line, "mine": own} for line, own in zip(known.lines, known.own, strict=True)]
    return json_response({"ply": known.ply, "lines": lines}, headers=PRIVATE)


@require_http_methods(["GET", "HEAD"])
def position(request: HttpRequest, match_id: str, ply: int) -> HttpResponse:
    """The states and legal moves after each of the moves in `?moves=3.5`, played from the last ply."""
    moves = [move for move in request.GET.get("moves", "")[:MAX_CHARACTERS].split(".") if move]
    try:
        rules, found = async_to_sync(matches.position)(match_id, request.user.pk, ply, moves)
        legal = [str(move) for move in rules.legal_moves(found[-1][1])]
        states = [{"move": move, "state": after} for move, after in found[1:]]
        return json_response({"ply": ply, "states": states, "legal": legal}, headers=PRIVATE)
    except IllegalMove as error:
        return refusal_response(BadLine(line=1), error.status, PRIVATE)
    except Refused as error:
        return refusal_response(error, headers=PRIVATE)


def _body(request: HttpRequest) -> ConditionalBody:
    """The body of a request. Raises `NoLines`."""
    # The body of a form was consumed when it was parsed.
    if request.content_type != "application/json":
        raise NoLines
    try:
        return strict_json.model(ConditionalBody, request.body)
    except ValidationError as error:
        raise NoLines from error
