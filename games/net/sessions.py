"""Sockets end with the session they were opened with: signed out, another password, shut out.

Whatever ends a session calls `sign_out`; every process then closes the sockets it serves at once. That
word may be lost, and some changes are made where nobody calls, so each process also looks into the
database now and then.
"""

from __future__ import annotations

from typing import Any, Protocol

import orjson
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.periodic import every
from games.net.threads import in_thread

LOOK_SECONDS = 10.0
"""How long a session may have ended before that is noticed without a message."""
ASK_ABOUT = 500
"""Sessions in one question to the database, which takes only so many parameters."""


class Owned(Protocol):
    """What is needed of a socket: whose it is, and by which session it is theirs."""

    session: str | None
    credentials: str

    @property
    def user_id(self) -> int | None: ...

    def sign_out(self) -> None:
        """Close; nothing that still arrives is acted upon."""


class Sessions:
    """The sockets of this process by the person who opened them."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._sockets: dict[int, set[Owned]] = {}
        hub.listen("sign-out", self._hear_sign_out)
        hub.listen("renewed", self._hear_renewed)

    def begin(self) -> None:
        """Find sessions that ended unheard, from now on, in the event loop."""
        self._hub.spawn(every(LOOK_SECONDS, self.look))

    def opened(self, socket: Owned) -> None:
        """A socket is open; those of nobody in particular end by themselves."""
        if socket.user_id is not None:
            self._sockets.setdefault(socket.user_id, set()).add(socket)

    def closed(self, socket: Owned) -> None:
        """A socket is gone."""
        if socket.user_id is None:
            return
        owned = self._sockets.get(socket.user_id, set())
        owned.discard(socket)
        if not owned:
            self._sockets.pop(socket.user_id, None)

    def sign_out(self, user_id: int, session: str | None = None, keep: str = "") -> None:
        """Close a person's sockets, in every process; from any thread, after the commit.

        Args:
            session: the key of the one session that ended; None for all of them.
            keep: `get_session_auth_hash()` of the person, whose later sessions stay.
        """
        self._hub.tell_everyone("sign-out", {"user": user_id, "session": session, "keep": keep})

    def renew(self, user_id: int, credentials: str) -> None:
        """Let a person's sockets live on: they have a new session by no will of others.

        Args:
            credentials: `get_session_auth_hash()` of the person as it is from now on.
        """
        self._hub.tell_everyone("renewed", {"user": user_id, "credentials": credentials})

    def _hear_sign_out(self, _topic: str, payload: bytes) -> None:
        heard = orjson.loads(payload)
        for socket in list(self._sockets.get(heard["user"], ())):
            kept = heard["keep"] and socket.credentials == heard["keep"]
            # Without a session of its own a socket ends with any.
            meant = heard["session"] is None or socket.session in (None, heard["session"])
            if meant and not kept:
                socket.sign_out()

    def _hear_renewed(self, _topic: str, payload: bytes) -> None:
        heard = orjson.loads(payload)
        for socket in self._sockets.get(heard["user"], ()):
            socket.session, socket.credentials = None, heard["credentials"]

    # What no message told

    async def look(self) -> None:
        """Sign out every socket whose person or session the database no longer vouches for."""
        sockets = [socket for owned in self._sockets.values() for socket in owned]
        people = {socket.user_id for socket in sockets if socket.user_id is not None}
        sessions = {socket.session for socket in sockets if socket.session is not None}
        credentials, living = await in_thread(_vouched_for)(list(people), list(sessions))
        for socket in sockets:
            known = credentials.get(socket.user_id) == socket.credentials
            if not known or (socket.session is not None and socket.session not in living):
                socket.sign_out()


def _vouched_for(people: list[int], sessions: list[str]) -> tuple[dict[int | None, str], set[str]]:
    """The credentials of those people who may be here, and which of the sessions still are."""
    credentials: dict[int | None, str] = {}
    for some in _parts(people):
        for user in get_user_model().objects.filter(pk__in=some, is_active=True):
            credentials[user.pk] = user.get_session_auth_hash()
    living: set[str] = set()
    for some in _parts(sessions):
        alive = Session.objects.filter(session_key__in=some, expire_date__gt=timezone.now())
        living.update(alive.values_list("session_key", flat=True))
    return credentials, living


def _parts(items: list[Any]) -> list[list[Any]]:
    return [items[start : start + ASK_ABOUT] for start in range(0, len(items), ASK_ABOUT)]


sessions = Sessions(process_hub)
"""The sockets of this process as their sessions know them."""
