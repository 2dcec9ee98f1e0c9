"""The request of a view behind `login_required`, for the type checker."""

from __future__ import annotations

from django.http import HttpRequest

from lobby.people.models import User


class UserRequest(HttpRequest):
    """A request by a user, who may be a guest."""

    user: User
