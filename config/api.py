"""The interface for programs, /api/v1: what games and the lobby offer, and how refusals are told."""

from __future__ import annotations

from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation

from config.openapi import Document
from games.api import routes as games_api
from games.api.access import BadToken, WrongScope
from games.api.problems import of_error, problem
from games.api.routes import UnknownGame, status_of
from games.api.streams import Restarting, TooManyStreams
from games.finished.archive import NoScoreYet
from games.finished.reviews import TooManyAnalyses
from games.law.refusals import Refused, TryAgain
from games.rules.base import IllegalMove
from games.store.history import UnknownMatch
from lobby.api import people
from lobby.api import routes as lobby_api
from lobby.api.people import NoSuchPerson
from lobby.chat.lines import ChatError
from lobby.pairing.queue import PairingError
from lobby.tables.terms import TableError

VERSION = "1.0"


class Interface(NinjaAPI):
    """ninja, with a document of our own."""

    def get_openapi_schema(self, *, path_prefix: str | None = None, path_params: Any = None) -> Document:
        return Document(self, self.get_root_path(path_params or {}) if path_prefix is None else path_prefix)

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return str(operation.view_func.__name__)


api = Interface(
    title="Parlour",
    version=VERSION,
    description="Games, tables, matches and people, for programs. docs/api.md explains it.",
    docs_url=None,
    urls_namespace="api",
)
api.add_router("", games_api.router)
api.add_router("", lobby_api.router)
api.add_router("", people.router)

FORBIDDEN = {
    *("invited-only", "blocked", "guest", "conduct", "out-of-range", "not-host", "not-challenged", "bot"),
    "computer",
    *("yourself", "no-challenges", "signed-out", "banned", "not-your-room"),
}
"""Codes of refusals that are about who asks."""
UNFIT = {
    *("unknown-game", "bad-option", "bad-seats", "bad-first", "bad-clock", "bad-delay", "delay-unwatched"),
    *("bad-range", "range-casual", "challenge-range", "no-such-tile", "pure-luck", "own-rules"),
    *("empty", "too-long", "unknown-preset", "computers-casual", "bad-level"),
}
"""Codes of refusals that are about what was asked for; with any other, things stand differently now."""
STATUS = {
    **dict.fromkeys(FORBIDDEN, 403),
    **dict.fromkeys(UNFIT, 422),
    "gone": 404,
    "too-fast": 429,
}


@api.exception_handler(BadToken)
def _bad_token(request: HttpRequest, error: BadToken) -> HttpResponse:
    return of_error(401, error, {"WWW-Authenticate": "Bearer"})


@api.exception_handler(WrongScope)
def _wrong_scope(request: HttpRequest, error: WrongScope) -> HttpResponse:
    return of_error(
        403,
        error,
        {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{error.params["scope"]}"'},
    )


@api.exception_handler(Refused)
@api.exception_handler(IllegalMove)
def _refused(request: HttpRequest, error: Refused | IllegalMove) -> HttpResponse:
    return of_error(status_of(error), error, {"Retry-After": "1"} if isinstance(error, TryAgain) else None)


@api.exception_handler(OperationalError)
@api.exception_handler(InterfaceError)
def _store_away(request: HttpRequest, error: Exception) -> HttpResponse:
    return of_error(503, TryAgain(), {"Retry-After": "1"})


@api.exception_handler(Restarting)
def _restarting(request: HttpRequest, error: Restarting) -> HttpResponse:
    return of_error(503, error, {"Retry-After": "2"})


@api.exception_handler(TooManyStreams)
def _too_many_streams(request: HttpRequest, error: TooManyStreams) -> HttpResponse:
    return of_error(429, error, {"Retry-After": "10"})


@api.exception_handler(TooManyAnalyses)
def _too_many_analyses(request: HttpRequest, error: TooManyAnalyses) -> HttpResponse:
    return of_error(429, error, {"Retry-After": "60"})


@api.exception_handler(NoScoreYet)
def _no_score_yet(request: HttpRequest, error: NoScoreYet) -> HttpResponse:
    return of_error(error.status, error)


@api.exception_handler(TableError)
@api.exception_handler(PairingError)
@api.exception_handler(ChatError)
def _by_code(request: HttpRequest, error: TableError | PairingError | ChatError) -> HttpResponse:
    """The sentence is in the language of the asker already."""
    status = STATUS.get(error.code, 409)
    option = getattr(error, "option", None)
    headers = {"Retry-After": "3"} if status == 429 else None
    return problem(
        status, error.code, error.sentence, headers, **({} if option is None else {"option": option})
    )


@api.exception_handler(UnknownMatch)
def _unknown_match(request: HttpRequest, error: UnknownMatch) -> HttpResponse:
    return problem(404, "unknown-match", gettext("There is no such match."))


@api.exception_handler(UnknownGame)
def _unknown_game(request: HttpRequest, error: UnknownGame) -> HttpResponse:
    return problem(404, "unknown-game", gettext("There is no such game here."))


@api.exception_handler(NoSuchPerson)
def _nobody(request: HttpRequest, error: NoSuchPerson) -> HttpResponse:
    return problem(error.status, error.code, gettext(error.sentence))


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem(404, "not-found", gettext("There is nothing at this address."))


@api.exception_handler(ValidationError)
def _malformed(request: HttpRequest, error: ValidationError) -> HttpResponse:
    first = error.errors[0]
    # Where ninja says it was: "body", the name of the argument, and then what the sender knows.
    where = ".".join(str(part) for part in first["loc"][2 if first["loc"][0] == "body" else 1 :]) or "body"
    return problem(422, "malformed", f"{where}: {first['msg']}.")


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    return problem(error.status_code, "malformed", str(error))
