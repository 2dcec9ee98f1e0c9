"""The account behind a request of the API."""

from __future__ import annotations

from django.http import HttpRequest

from games.api.routes import caller
from lobby.people.models import User


def my_id(request: HttpRequest) -> int:
    """The id of the caller's account, where a token is required."""
    user_id = caller(request).user_id
    assert user_id is not None
    return user_id


def my_account(request: HttpRequest) -> User:
    """The caller's account, where a token is required."""
    return User.objects.get(pk=my_id(request))
