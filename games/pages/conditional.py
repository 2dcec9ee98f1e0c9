"""A player's own conditional moves, as the page of their match reads and keeps them: JSON."""

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

LONGEST = 1_000
"""Characters of the moves in an address."""
PRIVATE = {"Cache-Control": "no-store"}
"""Nothing on the way keeps what is for one person."""


class NoLines(Refused):
    code, status = "no-lines", 422
    sentence = gettext_noop("This is not a list of conditional moves.")


@require_http_methods(["GET", "HEAD", "POST"])
def kept(request: HttpRequest, match_id: str) -> HttpResponse:
    """What of one's lines may still come; a JSON body of `ConditionalBody` takes their place."""
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
    """Where `?moves=3.5` leads from the last ply on: the state after each of them, and what is legal then."""
    moves = [move for move in request.GET.get("moves", "")[:LONGEST].split(".") if move]
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
    """What was sent. Raises `NoLines`."""
    # The body of a form has been read by then, and is gone.
    if request.content_type != "application/json":
        raise NoLines
    try:
        return strict_json.model(ConditionalBody, request.body)
    except ValidationError as error:
        raise NoLines from error
