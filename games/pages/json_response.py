"""JSON responses of the pages' own requests."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse

from games.domain import codec
from games.domain.refusals import Refused


def json_response(
    content: dict[str, Any], status: int = HTTPStatus.OK, headers: dict[str, str] | None = None
) -> HttpResponse:
    """The content as JSON."""
    return HttpResponse(
        codec.encode(content), content_type="application/json", status=status, headers=headers
    )


def refusal_response(
    error: Refused, status: int | None = None, headers: dict[str, str] | None = None
) -> HttpResponse:
    """The code and the sentence of a refusal as JSON; `status` overrides the status of the refusal."""
    return json_response({"code": error.code, "detail": error.words}, status or error.status, headers)
