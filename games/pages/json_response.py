"""JSON of pages: the responses to their own requests, and plies for their boards."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse

from games.domain import codec
from games.domain.refusals import Refused, words_of
from games.rules.base import BadPosition, IllegalMove, Outcome, Step


def json_response(
    content: dict[str, Any], status: int = HTTPStatus.OK, headers: dict[str, str] | None = None
) -> HttpResponse:
    """The content as JSON."""
    return HttpResponse(
        codec.encode(content), content_type="application/json", status=status, headers=headers
    )


def refusal_response(
    error: Refused | IllegalMove | BadPosition,
    status: int | None = None,
    headers: dict[str, str] | None = None,
) -> HttpResponse:
    """The code and the sentence of a refusal as JSON; `status` overrides the status of the refusal."""
    return json_response({"code": error.code, "detail": words_of(error)}, status or error.status, headers)


def board_ply(number: int, step: Step, outcome: Outcome | None) -> dict[str, Any]:
    """A ply for the board: its number, its events, the state after it, and the outcome at the end."""
    return {
        "number": number,
        "events": [codec.encode_event(event) for event in step.events],
        "state": step.state,
        "outcome": outcome,
    }
