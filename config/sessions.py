"""Sessions in the database that survive a move of the log-in backends.

A session stores the import path of the backend that logged its user in, and Django logs out users whose
path is not in `AUTHENTICATION_BACKENDS`.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.store.prepared import PreparedQuery

MOVED = {
    "lobby.backends.PasswordBackend": "lobby.auth.backends.PasswordBackend",
    "lobby.backends.AccountBackend": "lobby.auth.backends.AccountBackend",
    "lobby.entrance.backends.PasswordBackend": "lobby.auth.backends.PasswordBackend",
    "lobby.entrance.backends.AccountBackend": "lobby.auth.backends.AccountBackend",
}
"""Present paths of log-in backends by former ones."""


class SessionStore(db.SessionStore):
    """Django's store, which translates old names of log-in backends."""

    # Django signs sessions with the name of this class.

    def load(self) -> dict[str, Any]:
        """The session as Django loads it, by a query that is built once: every page of a user needs it."""
        found = _sessions.first(self.session_key or "")
        if found is None or found.expire_date <= timezone.now():
            self._session_key = None
            return {}
        return self.decode(found.session_data)

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """The stored session, with today's name of its backend."""
        session: dict[str, Any] = super().decode(session_data)
        path = session.get(BACKEND_SESSION_KEY)
        if path in MOVED:
            session[BACKEND_SESSION_KEY] = MOVED[path]
        return session


_sessions = PreparedQuery(lambda key: Session.objects.filter(session_key=key), Session)
