"""Error responses of the API (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NotRequired

from django.http import HttpResponse
from typing_extensions import TypedDict

from games.domain import codec
from games.domain.refusals import Refused, words_of
from games.rules.base import BadPosition, IllegalMove

CONTENT_TYPE = "application/problem+json"


class Problem(TypedDict):
    """An error: `code` for programs, `detail` for people. Nothing was changed.

    A refused command comes with its `id` and with the position as it is now, as on the match socket.
    `option` names the option of a game that is wrong, `field` the field of a position, where one is.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    id: NotRequired[str]
    ply: NotRequired[int]
    state: NotRequired[dict[str, Any]]
    legal: NotRequired[list[str]]
    option: NotRequired[str]
    field: NotRequired[str]


def problem(
    status: int, code: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> HttpResponse:
    """An error response.

    Args:
        status: HTTP status.
        code: the error code for programs.
        detail: a sentence for people, in the active language.
        headers: additional response headers.
        more: additional members of the document.
    """
    fields = codec.encode(members(status, code, detail, **more))
    return HttpResponse(fields, status=status, content_type=CONTENT_TYPE, headers=headers)


def members(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """The members of a problem document. `type` is always about:blank; `code` identifies the error."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        **more,
    }


def of_error(error: Refused | IllegalMove | BadPosition, **more: Any) -> HttpResponse:
    """The error response of a refusal, in the active language."""
    headers = error.headers if isinstance(error, Refused) else {}
    return problem(error.status, error.code, words_of(error), headers, **more)
