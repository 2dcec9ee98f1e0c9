"""Authentication of the API.

This module does not know how tokens are stored: it sends a signal, and the lobby answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpRequest

from games.api.scopes import READ
from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from games.signals import Signal


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request, as authenticated by a token; `ANONYMOUS` without one.

    Attributes:
        user_id: id of the owner of the token.
        name: user name of the owner.
        token: id of the token.
        scopes: scopes of the token, a subset of `games.api.scopes.SCOPES`.
    """

    user_id: int | None = None
    name: str = ""
    token: int | None = None
    scopes: frozenset[str] = frozenset()


ANONYMOUS = Caller()


token_received = Signal[[str], Caller | None]()
"""Resolves a token to its `Caller`; None if it is invalid. Runs in a thread."""
token_in_use = Signal[[int], bool]()
"""Asks during a long response whether the token with this id is still valid. Runs in a thread."""


class BadToken(Refused):
    """The token is invalid or was revoked, or a required token is missing."""

    code, status = "bad-token", 401
    sentence = gettext_noop("You need a valid token: “Authorization: Bearer prl_…”.")
    headers = {"WWW-Authenticate": "Bearer"}


class WrongScope(Refused):
    """The token lacks the scope that the request needs."""

    code, status = "scope", 403
    sentence = gettext_noop("Your token needs the scope “%(scope)s”.")

    def __init__(self, scope: str) -> None:
        super().__init__(scope=scope)
        self.headers = {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'}


class Token:
    """Requires a token with a scope. Raises `BadToken` or `WrongScope`."""

    # The security scheme in the OpenAPI document.
    openapi_security_schema = {"type": "http", "scheme": "bearer"}

    def __init__(self, scope: str) -> None:
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Caller:
        """The caller of a request. Raises `BadToken` or `WrongScope`."""
        caller = caller_of(request)
        if caller.token is None:
            raise BadToken
        if self.scope not in caller.scopes:
            raise WrongScope(self.scope)
        return caller


def anybody(request: HttpRequest) -> Caller:
    """Requires no token. The caller is `ANONYMOUS` without a token of the scope `READ`."""
    caller = caller_of(request)
    return caller if READ in caller.scopes else ANONYMOUS


def identify(request: HttpRequest) -> Caller:
    """The caller of a request by its Authorization header; `ANONYMOUS` without one. Raises `BadToken`."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if not scheme:
        return ANONYMOUS
    caller = next(filter(None, token_received(token.strip())), None)
    if scheme.lower() != "bearer" or caller is None:
        raise BadToken
    cast(Any, request).caller = caller
    return caller


def caller_of(request: HttpRequest) -> Caller:
    """The caller of a request that `identify` has authenticated."""
    caller: Caller = getattr(request, "caller", ANONYMOUS)
    return caller


def is_good(caller: Caller) -> bool:
    """Whether the caller's token is still valid, for streams that have no end."""
    return caller.token is None or any(token_in_use(caller.token))
