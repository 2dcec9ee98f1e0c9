"""Sending messages to a user's open pages, and noting when a user was last seen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, Protocol

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation

from games.net.hub import hub
from lobby.people.models import User

SEEN_EVERY = timedelta(minutes=10)
"""Resolution of "last seen"; a finer one would only cost writes."""


class Page(Protocol):
    """The interface of a user's open socket."""

    @property
    def user_id(self) -> int | None:
        """The id of the user who opened the page."""

    @property
    def language(self) -> str:
        """The language of the page."""

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to the page."""


def topic(user_id: int) -> str:
    """The hub topic of a user, for all pages."""
    return f"person.{user_id}"


def topic_in(user_id: int, language: str) -> str:
    """The hub topic of a user, for pages in a language."""
    return f"person.{user_id}.{language}"


def tell(user_id: int, message: dict[str, Any]) -> None:
    """Send a message (`messages.Personal`) to all open pages of a user; from any thread."""
    hub.announce(topic(user_id), message)


def tell_in_words(user_id: int, build: Callable[[], dict[str, Any]]) -> None:
    """Send a user, after the commit, a message that contains text, in the language of each page."""
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            message = build()
        transaction.on_commit(partial(hub.announce, topic_in(user_id, language), message), robust=True)


def saw(user_id: int) -> None:
    """Note that a user is online."""
    now = timezone.now()
    User.objects.filter(pk=user_id, seen__lt=now - SEEN_EVERY).update(seen=now)
