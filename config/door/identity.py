"""Who opens a socket, by the cookie of their session, as pages know it.

Channels’ own way asks for all of them in one thread, where a slow query holds everybody up, and asks also
for visitors, who have no session.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.http.cookie import parse_cookie

from config.door.admission import Application
from games.net.threads import in_thread

NOBODY = None, AnonymousUser()


class Identified:
    """Puts `cookies`, `session` (None without one) and `user` into the scope."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        scope["cookies"] = _cookies(scope)
        key = scope["cookies"].get(settings.SESSION_COOKIE_NAME)
        scope["session"], scope["user"] = NOBODY if key is None else await in_thread(_who)(key)
        await self._application(scope, receive, send)


def _cookies(scope: dict[str, Any]) -> dict[str, str]:
    said: bytes = next((value for name, value in scope["headers"] if name == b"cookie"), b"")
    return parse_cookie(said.decode("latin-1"))


def _who(key: str) -> tuple[SessionStore, Any]:
    """The session of that key, and whose it is."""
    request = HttpRequest()
    request.session = SessionStore(key)
    return request.session, get_user(request)
