"""Refusals of the note API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse

from games.api.problems import CONTENT_TYPE, members
from games.domain import codec


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal: HTTP status, code for programs, sentence for people, and further members."""

    status: int
    code: str
    detail: str
    more: Mapping[str, Any]

    @classmethod
    def of(cls, status: int, code: str, detail: str, **more: Any) -> Problem:
        """A problem with more members, as RFC 9457 allows."""
        return cls(status, code, detail, more)

    def json(self) -> str:
        """The body of the response."""
        return codec.encode(members(self.status, self.code, self.detail, **self.more)).decode()

    def response(self, **headers: str) -> HttpResponse:
        """The problem as a response; `headers` have underscores for hyphens."""
        return HttpResponse(
            self.json(),
            status=self.status,
            content_type=CONTENT_TYPE,
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )
