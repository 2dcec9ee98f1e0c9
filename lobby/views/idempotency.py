"""A form that is sent again leads to what it began the first time.

Each form that would make something twice if pressed twice has a key of its own. Whoever stops the page and
presses again, or goes back and presses again, comes to what the first press made as long as it stands
(`STANDING`). What a key led to is kept in Django's cache.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import QuerySet
from django.http import HttpRequest

from games.domain.refusals import TryAgain
from games.models import Match
from lobby.models import Hook, Invite, Table, Token, User

FIELD = "key"
KEPT_SECONDS = 600
"""For how long a key leads to what it began."""
WORK_SECONDS = 10
"""How long the first sending of a form may take; another one waits for it half as long."""
PAUSE_SECONDS = 0.05
WORKING: dict[str, Any] = {}

STANDING: dict[str, Callable[[], QuerySet[Any]]] = {
    "table": lambda: Table.objects.filter(match=None),
    "match": lambda: Match.objects.filter(status=Match.Status.PLAYING),
    "invite": lambda: Invite.objects.filter(used=None),
    "token": Token.objects.all,
    "hook": Hook.objects.all,
}
"""What a form sent again still leads to, by the kind of what it made; otherwise it makes something new."""


class Once:
    """One sending of a form: what an earlier one began, or the place to note what this one does."""

    def __init__(self, request: HttpRequest) -> None:
        self._form = f"{request.path} {key}" if (key := request.POST.get(FIELD, "")) else ""
        self._user = request.user if isinstance(request.user, User) else None
        # A key alone leads nowhere: another person who sends it begins something of their own.
        browser = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
        sender = f"browser {browser}" if self._user is None else f"person {self._user.pk}"
        self._name = self._named(sender) if self._form else ""

    def _named(self, sender: str) -> str:
        """The name in the cache. Hashed: a form comes from outside, and a cache has limits of its own."""
        return "sent-form:" + hashlib.sha256(f"{self._form} {sender}".encode()).hexdigest()

    def begun(self) -> tuple[User, Any] | None:
        """Who sent the form before, and what that began and still stands; None if this is the first time.

        Somebody without a name here is taken for the guest that the same form made of them. Raises `TryAgain`
        while the first sending is still at work.
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
        """Do what the form is for, and remember for whom and what that began."""
        if not self._name:
            return begin()
        try:
            person, begun = begin()
        except Exception:
            # It began nothing: the next sending may.
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
