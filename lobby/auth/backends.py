"""Authentication backends: Django's and allauth's, also for users whose ban has expired."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from games.store.prepared import PreparedQuery
from lobby.moderation import moderation
from lobby.people.models import User

_users = PreparedQuery(lambda pk: User.objects.filter(pk=pk), User)


class _Sessions:
    """Loads the user of a session by a query that is built once: every page of a user needs it."""

    def get_user(self, user_id: int) -> User | None:
        user = _users.first(user_id)
        return user if user is not None and self.user_can_authenticate(user) else None  # type: ignore[attr-defined]


class PasswordBackend(_Sessions, ModelBackend):
    """Names and passwords, and the sessions of guests."""

    def user_can_authenticate(self, user: Any) -> bool:
        """Whether the user may log in; a ban that is over is lifted first."""
        return _may_sign_in(user) and (super().user_can_authenticate(user) or moderation.lift_if_over(user))


class AccountBackend(_Sessions, AuthenticationBackend):  # type: ignore[misc]
    """allauth's logins; an e-mail address counts only for the user who confirmed it.

    Known or unknown, an address costs the same number of hashes: one here, and one for it as a name.
    """

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> Any:
        login, password = credentials.get("username") or "", credentials.get("password") or ""
        if email := credentials.get("email"):
            owner = User.objects.filter(emailaddress__email=email.lower(), emailaddress__verified=True)
            return self._check_password(owner.first(), password)
        return self._authenticate_by_username(login, password)

    def user_can_authenticate(self, user: Any) -> bool:
        """Whether the user may log in; a ban that is over is lifted first."""
        return _may_sign_in(user) and (super().user_can_authenticate(user) or moderation.lift_if_over(user))


def _may_sign_in(user: Any) -> bool:
    """False for the site's computer players, even if one was given a password."""
    return not getattr(user, "computer", "")
