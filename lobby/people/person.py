"""One person among many: where they are spoken to, and when they were here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, Protocol

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation

from games.net.hub import hub
from lobby.models import User

SEEN_EVERY = timedelta(minutes=10)
"""How exactly it is known when somebody was here: finer costs writes and tells nobody anything."""


class Page(Protocol):
    """What is needed of a socket that somebody has open."""

    @property
    def user_id(self) -> int | None: ...

    @property
    def language(self) -> str: ...

    def tell(self, message: dict[str, Any]) -> None: ...


def topic(user_id: int) -> str:
    """The hub's topic of a person, on whatever pages they are."""
    return f"person.{user_id}"


def topic_in(user_id: int, language: str) -> str:
    """The hub's topic of a person on pages in a language."""
    return f"person.{user_id}.{language}"


def tell(user_id: int, message: dict[str, Any]) -> None:
    """Tell a person something on every page they have open (`messages.Personal`); from any thread."""
    hub.announce(topic(user_id), message)


def tell_in_words(user_id: int, build: Callable[[], dict[str, Any]]) -> None:
    """Tell a person, after the commit, something that has words in it, in the language of each page."""
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            message = build()
        transaction.on_commit(partial(hub.announce, topic_in(user_id, language), message), robust=True)


def saw(user_id: int) -> None:
    """Note that somebody is here."""
    now = timezone.now()
    User.objects.filter(pk=user_id, seen__lt=now - SEEN_EVERY).update(seen=now)
