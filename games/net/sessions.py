"""Closes sockets when their session ends: by sign-out, a new password or a ban.

Code that ends a session calls `sign_out`, and every process closes its sockets of that session at once. The
message may be lost, and some changes are made by code that does not call it, so each process also checks
the database periodically.
"""

from __future__ import annotations

from typing import Any, Protocol

import orjson
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.tasks import every, spawn
from games.net.threads import in_thread

LOOK_SECONDS = 10.0
"""Seconds between two checks of the database."""
ASK_ABOUT = 500
"""Sessions per query, as databases limit the number of parameters."""


class Owned(Protocol):
    """The interface of a socket: its user and its session."""

    session: str | None
    credentials: str

    @property
    def user_id(self) -> int | None:
        """The id of the user who opened the socket; None for a visitor."""

    def sign_out(self, error: str = "signed-out") -> None:
        """Close with an error of `games.net.sockets.SESSION_ENDED`, and ignore messages that still arrive."""


class Sessions:
    """The sockets of this process, by user."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._sockets: dict[int, set[Owned]] = {}
        hub.listen("sign-out", self._hear_sign_out)
        hub.listen("renewed", self._hear_renewed)

    def begin(self) -> None:
        """Start the periodic check. Call it in the event loop."""
        spawn(every(LOOK_SECONDS, self.look))

    def opened(self, socket: Owned) -> None:
        """Track an open socket. Ignores anonymous ones, which have no session to end."""
        if socket.user_id is not None:
            self._sockets.setdefault(socket.user_id, set()).add(socket)

    def closed(self, socket: Owned) -> None:
        """Stop tracking a socket."""
        if socket.user_id is None:
            return
        owned = self._sockets.get(socket.user_id, set())
        owned.discard(socket)
        if not owned:
            self._sockets.pop(socket.user_id, None)

    def sign_out(
        self, user_id: int, session: str | None = None, keep: str = "", error: str = "signed-out"
    ) -> None:
        """Close a user's sockets in every process. Safe from any thread; call it after the commit.

        Args:
            session: key of the session that ended; None for all of them.
            keep: `get_session_auth_hash()` of the user; sockets of sessions with this hash stay open.
            error: why, a key of `games.net.sockets.SESSION_ENDED`.
        """
        told = {"user": user_id, "session": session, "keep": keep, "error": error}
        self._hub.tell_everyone("sign-out", told)

    def renew(self, user_id: int, credentials: str) -> None:
        """Keep a user's sockets open although their session was replaced.

        Args:
            credentials: the new `get_session_auth_hash()` of the user.
        """
        self._hub.tell_everyone("renewed", {"user": user_id, "credentials": credentials})

    def _hear_sign_out(self, _topic: str, payload: bytes) -> None:
        heard = orjson.loads(payload)
        for socket in list(self._sockets.get(heard["user"], ())):
            kept = heard["keep"] and socket.credentials == heard["keep"]
            # A socket without a session key closes with any session of the user.
            meant = heard["session"] is None or socket.session in (None, heard["session"])
            if meant and not kept:
                socket.sign_out(heard.get("error", "signed-out"))

    def _hear_renewed(self, _topic: str, payload: bytes) -> None:
        heard = orjson.loads(payload)
        for socket in self._sockets.get(heard["user"], ()):
            socket.session, socket.credentials = None, heard["credentials"]

    # Periodic check

    async def look(self) -> None:
        """Close every socket whose user or session is no longer valid in the database."""
        sockets = [socket for owned in self._sockets.values() for socket in owned]
        people = {socket.user_id for socket in sockets if socket.user_id is not None}
        sessions = {socket.session for socket in sockets if socket.session is not None}
        credentials, valid_sessions = await in_thread(_valid)(list(people), list(sessions))
        for socket in sockets:
            known = credentials.get(socket.user_id) == socket.credentials
            if not known or (socket.session is not None and socket.session not in valid_sessions):
                socket.sign_out()


def _valid(people: list[int], sessions: list[str]) -> tuple[dict[int | None, str], set[str]]:
    """The credentials of the active users among `people`, and the valid ones among `sessions`."""
    credentials: dict[int | None, str] = {}
    for chunk in _chunks(people):
        for user in get_user_model().objects.filter(pk__in=chunk, is_active=True):
            credentials[user.pk] = user.get_session_auth_hash()
    valid_sessions: set[str] = set()
    for chunk in _chunks(sessions):
        alive = Session.objects.filter(session_key__in=chunk, expire_date__gt=timezone.now())
        valid_sessions.update(alive.values_list("session_key", flat=True))
    return credentials, valid_sessions


def _chunks(items: list[Any]) -> list[list[Any]]:
    return [items[start : start + ASK_ABOUT] for start in range(0, len(items), ASK_ABOUT)]


sessions = process.part(Sessions, process_hub)
"""The session tracker of this process."""
