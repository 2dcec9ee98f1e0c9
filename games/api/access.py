"""Who asks through the interface for programs, and what they may do there.

Nothing here knows where the tokens of people are kept: it asks, and the lobby answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpRequest

from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from games.signals import Signal

READ, PLAY, LOBBY, CHAT, BOT = "read", "play", "lobby", "chat", "bot"
CLUBS, TOURNAMENTS = "clubs", "tournaments"

SCOPES = {
    READ: gettext_noop("See your private data: your matches, their chats, your messages and your events."),
    PLAY: gettext_noop("Play in your matches: move (casual only), offer, claim, resign."),
    LOBBY: gettext_noop("Create and join tables, use quick pairing, send and answer challenges."),
    CLUBS: gettext_noop("Found, join and leave clubs, and organise those that you own or organise."),
    TOURNAMENTS: gettext_noop("Create tournaments and run yours, enter and leave others."),
    CHAT: gettext_noop("Write in match chats and messages as you."),
    BOT: gettext_noop("Turn this account into a computer player, permanently."),
}
"""What a token may be good for, each in one sentence. People have agreed to it: give a scope no new power."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request, by their token; nobody in particular without one.

    Attributes:
        user_id: the person, and `name` theirs.
        token: the number of the token.
        scopes: what it is good for, some of `SCOPES`.
    """

    user_id: int | None = None
    name: str = ""
    token: int | None = None
    scopes: frozenset[str] = frozenset()


ANYBODY = Caller()


token_shown = Signal[[str], Caller | None]()
"""A request shows a token: for whom does it speak? None if it is not good. Asked in a thread."""
token_in_use = Signal[[int], bool]()
"""A request with the token of that number goes on for long: is the token still good? Asked in a thread."""


class BadToken(Refused):
    """What was shown is nobody's token, or not any more; or nothing was shown where a token is needed."""

    code, status = "bad-token", 401
    sentence = gettext_noop("You need a valid token: “Authorization: Bearer prl_…”.")
    headers = {"WWW-Authenticate": "Bearer"}


class WrongScope(Refused):
    """The token is not good for this."""

    code, status = "scope", 403
    sentence = gettext_noop("Your token needs the scope “%(scope)s”.")

    def __init__(self, scope: str) -> None:
        super().__init__(scope=scope)
        self.headers = {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'}


class Token:
    """Lets in those who show a token with a scope. Raises `BadToken` or `WrongScope`."""

    # How ninja describes it in the OpenAPI document.
    openapi_security_schema = {"type": "http", "scheme": "bearer"}

    def __init__(self, scope: str) -> None:
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Caller:
        caller = caller_of(request)
        if caller.token is None:
            raise BadToken
        if self.scope not in caller.scopes:
            raise WrongScope(self.scope)
        return caller


def anybody(request: HttpRequest) -> Caller:
    """Lets everybody in; somebody whose token may not read sees what anybody does."""
    caller = caller_of(request)
    return caller if READ in caller.scopes else ANYBODY


def identify(request: HttpRequest) -> Caller:
    """Who sent a request; `ANYBODY` if it shows no token. Raises `BadToken`."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if not scheme:
        return ANYBODY
    caller = next(filter(None, token_shown(token.strip())), None)
    if scheme.lower() != "bearer" or caller is None:
        raise BadToken
    cast(Any, request).caller = caller
    return caller


def caller_of(request: HttpRequest) -> Caller:
    """Who sent a request, as `identify` has found out."""
    caller: Caller = getattr(request, "caller", ANYBODY)
    return caller


def is_good(caller: Caller) -> bool:
    """Whether who sent a request some time ago still could, for what has no end of its own."""
    return caller.token is None or any(token_in_use(caller.token))
