"""What programs are told when something is wrong: problem details (RFC 9457) with a code of our own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson
from django.http import HttpResponse

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal: its status, its code for programs, a sentence for people, and more members if it has any."""

    status: int
    code: str
    detail: str
    more: Mapping[str, Any]

    @classmethod
    def of(cls, status: int, code: str, detail: str, **more: Any) -> Problem:
        return cls(status, code, detail, more)

    def json(self) -> str:
        """The body of an answer. The type is left out: nothing but the code says more than the status."""
        members = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
        }
        return orjson.dumps({**members, **self.more}).decode()

    def response(self, **headers: str) -> HttpResponse:
        return HttpResponse(
            self.json(),
            status=self.status,
            content_type=MEDIA_TYPE,
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )
