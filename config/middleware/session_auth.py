"""The user of a WebSocket, by the session cookie.

Channels' own middleware loads all users in one thread, where one slow query delays everybody. It also runs a
query for visitors without a session.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.http.cookie import parse_cookie

from config.middleware.connection_throttle import Application
from config.sessions import SessionStore
from games.net.costs import Account
from games.net.limits import address_key
from games.net.threads import in_thread

ANONYMOUS = None, AnonymousUser()


class SessionAuthMiddleware:
    """ASGI middleware that puts `cookies`, `session` (None without one) and `user` into the scope."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Put cookies, session and user into the scope."""
        scope["cookies"] = _cookies(scope)
        key = scope["cookies"].get(settings.SESSION_COOKIE_NAME)
        scope["session"], scope["user"] = ANONYMOUS
        if key is not None:
            # Before the user is known, the address pays.
            client = scope.get("client")
            account = Account(None, address_key(client[0] if client else ""))
            await account.run(partial(_put_user, scope, key))
        await self._application(scope, receive, send)


async def _put_user(scope: dict[str, Any], key: str) -> None:
    scope["session"], scope["user"] = await in_thread(_load)(key)


def _cookies(scope: dict[str, Any]) -> dict[str, str]:
    header: bytes = next((value for name, value in scope["headers"] if name == b"cookie"), b"")
    return parse_cookie(header.decode("latin-1"))


def _load(key: str) -> tuple[SessionStore, Any]:
    """The session with that key, and its user."""
    request = HttpRequest()
    request.session = SessionStore(key)
    return request.session, get_user(request)
