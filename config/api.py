"""The interface for programs, /api/v1: what games and the lobby offer, and how refusals are told."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation
from ninja.parser import Parser

from config.api_middleware import Malformed, NotFound
from config.openapi import Document
from games.api import positions
from games.api import routes as games_api
from games.api.problems import of_error, problem
from games.domain import strict_json
from games.domain.refusals import Refused
from games.rules.base import BadPosition, IllegalMove
from games.store.disk import unstored
from lobby.api import routes as lobby_api
from lobby.clubs import api as clubs
from lobby.inbox import api as inbox
from lobby.ladders import api as ladders
from lobby.people import api as people
from lobby.studies import api as studies
from lobby.tables.refusals import BadOption
from lobby.tournaments import api as tournaments
from lobby.vacations import api as vacations

VERSION = "1.0"


class UniqueNames(Parser):
    """Refuses bodies with a name twice in an object."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Parse the body as strict JSON, which refuses repeated names."""
        return strict_json.loads(request.body)


class Interface(NinjaAPI):
    """ninja, with a document of our own."""

    def get_openapi_schema(self, *, path_prefix: str | None = None, path_params: Any = None) -> Document:
        """The schema as ninja builds it, completed by `Document`."""
        return _document(self, self.get_root_path(path_params or {}) if path_prefix is None else path_prefix)

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Operations are named after their view functions."""
        return str(operation.view_func.__name__)


@cache
def _document(interface: Interface, prefix: str) -> Document:
    # Building it takes a quarter of a second.
    return Document(interface, prefix)


api = Interface(
    title="Parlour",
    version=VERSION,
    description="Games, tables, matches and people, for programs. docs/reference/api.md explains it.",
    docs_url=None,
    urls_namespace="api",
    parser=UniqueNames(),
)
api.add_router("", games_api.router)
api.add_router("", positions.router)
api.add_router("", lobby_api.router)
api.add_router("", people.router)
api.add_router("", tournaments.router)
api.add_router("", inbox.router)
api.add_router("", clubs.router)
api.add_router("", ladders.router)
api.add_router("", studies.router)
api.add_router("", vacations.router)


@api.exception_handler(Refused)
@api.exception_handler(IllegalMove)
def _refused(request: HttpRequest, error: Refused | IllegalMove) -> HttpResponse:
    return of_error(error)


@api.exception_handler(BadPosition)
def _bad_position(request: HttpRequest, error: BadPosition) -> HttpResponse:
    return of_error(error, field=error.field)


@api.exception_handler(BadOption)
def _bad_option(request: HttpRequest, error: BadOption) -> HttpResponse:
    return of_error(error, **({} if error.option is None else {"option": error.option}))


@api.exception_handler(OperationalError)
@api.exception_handler(InterfaceError)
def _store_away(request: HttpRequest, error: Exception) -> HttpResponse:
    return of_error(unstored(error))


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return of_error(NotFound())


@api.exception_handler(ValidationError)
def _malformed(request: HttpRequest, error: ValidationError) -> HttpResponse:
    first = error.errors[0]
    # ninja's location: "body", the name of the argument, then the part that the client knows.
    where = ".".join(str(part) for part in first["loc"][2 if first["loc"][0] == "body" else 1 :]) or "body"
    return problem(422, Malformed.code, f"{where}: {first['msg']}.")


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    return problem(error.status_code, Malformed.code, str(error))
