"""What programs are told that ask for something that cannot be: RFC 9457, with our codes."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NotRequired

from django.http import HttpResponse
from django.utils.translation import gettext
from typing_extensions import TypedDict

from games.domain import codec
from games.domain.refusals import Refused
from games.rules.base import IllegalMove

CONTENT_TYPE = "application/problem+json"


class Problem(TypedDict):
    """Why nothing has happened: `code` for programs, `detail` for people.

    A refused command comes with its `id` and with the position as it is now, as on the match socket.
    `option` names the option of a game that is wrong, where one is.
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


def problem(
    status: int, code: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> HttpResponse:
    """An answer that says why nothing has happened."""
    fields = codec.encode(members(status, code, detail, **more))
    return HttpResponse(fields, status=status, content_type=CONTENT_TYPE, headers=headers)


def members(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """The members of a problem document. Its type says nothing: the code says more than any address."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        **more,
    }


def of_error(error: Refused | IllegalMove, **more: Any) -> HttpResponse:
    """The problem that a refusal is, in the language of whoever asked."""
    if isinstance(error, IllegalMove):
        return problem(error.status, error.code, gettext(error.sentence) % error.params, **more)
    return problem(error.status, error.code, error.words, error.headers, **more)
