"""Idempotent forms: sending a form again leads to the result of the first time.

Each form that must not take effect twice has a key. A user who stops loading and clicks again, or goes back
and clicks again, gets the result of the first click as long as it exists (`STANDING`). Results are kept in
Django's cache.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import QuerySet
from django.http import HttpRequest

from games.domain.messages import COMMAND_ID
from games.domain.refusals import TryAgain
from games.models import Match
from lobby.models import Hook, Invite, Table, Token, User
from lobby.templatetags.parts import new_form_key

FIELD = "key"
KEPT_SECONDS = 600
"""For how long a key leads to its result."""
WORK_SECONDS = 10
"""Maximum duration of the first request; a second one waits for it half as long."""
PAUSE_SECONDS = 0.05
WORKING: dict[str, Any] = {}

STANDING: dict[str, Callable[[], QuerySet[Any]]] = {
    "table": lambda: Table.objects.filter(match=None),
    "match": lambda: Match.objects.filter(status=Match.Status.PLAYING),
    "invite": lambda: Invite.objects.filter(used=None),
    "token": Token.objects.all,
    "hook": Hook.objects.all,
}
"""Results that a repeated form still leads to, by model; otherwise it takes effect again."""


def command_of(request: HttpRequest) -> str:
    """The id of the form's command, for services that know commands; a form without one acts each time."""
    key = request.POST.get(FIELD, "")
    return key if re.fullmatch(COMMAND_ID, key) else new_form_key()


class Once:
    """One request with a form: finds the result of an earlier one, or stores its own."""

    def __init__(self, request: HttpRequest) -> None:
        self._form = f"{request.path} {key}" if (key := request.POST.get(FIELD, "")) else ""
        self._user = request.user if isinstance(request.user, User) else None
        # The key is bound to the sender: another user who sends it gets their own result.
        browser = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
        sender = f"browser {browser}" if self._user is None else f"person {self._user.pk}"
        self._name = self._named(sender) if self._form else ""

    def _named(self, sender: str) -> str:
        """The cache key. Hashed, because the form's key is user input and caches limit keys."""
        return "sent-form:" + hashlib.sha256(f"{self._form} {sender}".encode()).hexdigest()

    def begun(self) -> tuple[User, Any] | None:
        """The user and the existing result of an earlier request with this form; None for the first.

        A visitor counts as the guest that the same form created. Raises `TryAgain` while the first request is
        still running.
        """
        deadline = time.monotonic() + WORK_SECONDS / 2
        while self._name and not cache.add(self._name, WORKING, WORK_SECONDS):
            known = cache.get(self._name)
            if known:
                return self._found(known)
            if time.monotonic() > deadline:
                raise TryAgain
            time.sleep(PAUSE_SECONDS)
        return None

    def begin(self, begin: Callable[[], tuple[User, Any]]) -> tuple[User, Any]:
        """Run the form's action, and store its user and result."""
        if not self._name:
            return begin()
        try:
            person, begun = begin()
        except Exception:
            # It had no effect, so allow another try.
            cache.delete(self._name)
            raise
        known = {"person": person.pk, "kind": begun._meta.model_name, "pk": begun.pk}
        # A visitor who goes back and sends the form again is a guest by then.
        for name in (self._name, self._named(f"person {person.pk}")):
            cache.set(name, known, KEPT_SECONDS)
        return person, begun

    def _found(self, known: dict[str, Any]) -> tuple[User, Any] | None:
        if self._user is not None and self._user.pk != known["person"]:
            return None
        person = User.objects.filter(pk=known["person"], is_active=True).first()
        if person is None or (self._user is None and not person.is_guest):
            return None
        standing = STANDING[known["kind"]]().filter(pk=known["pk"]).first()
        return None if standing is None else (person, standing)
