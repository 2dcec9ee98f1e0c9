"""Registered people at a running server, who need no page to sign up and none to sign in."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from playwright.sync_api import Page

from tools.harness import subprocess_call
from tools.harness.people import Person
from tools.harness.servers import ParlourServer


class Account(NamedTuple):
    """Somebody with an account, and the key of a session in which they are signed in."""

    user_id: int
    name: str
    session: str


def registered(server: ParlourServer, *names: str) -> list[Account]:
    """New accounts of these names."""
    made = subprocess_call.call(server.database_url, make_accounts, list(names))
    return [Account(*each) for each in made]


def person(server: ParlourServer, account: Account) -> Person:
    """Somebody at the server who is signed in to an account."""
    somebody = Person(server)
    somebody.remember("sessionid", account.session)
    return somebody


def sign_in(page: Page, server: ParlourServer, account: Account) -> None:
    """Sign a browser in to an account."""
    page.context.add_cookies([{"name": "sessionid", "value": account.session, "url": server.url}])


def make_accounts(names: list[str]) -> list[tuple[int, str, str]]:
    """What `registered` has done in a process of the site."""
    from lobby.people.models import User

    return [(user.pk, user.username, _session(user)) for user in map(User.objects.create_user, names)]


def _session(user: object) -> str:
    from django.conf import settings
    from django.contrib.auth import login
    from django.http import HttpRequest

    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore()
    login(request, user, backend="lobby.auth.backends.PasswordBackend")  # type: ignore[arg-type]
    request.session.save()
    return str(request.session.session_key)


def begin_match(user_ids: list[int], game: str, rated: bool) -> str:
    """A match of these people under the first rules of a game; call it with `subprocess_call.call`."""
    from lobby.people.models import User
    from tests.helpers import finished

    people = User.objects.in_bulk(user_ids)
    return finished.begun([people[pk] for pk in user_ids], game, rated=rated).pk
