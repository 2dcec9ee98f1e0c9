"""A cache of the lobby's list, shared by clients that load it at the same time."""

from __future__ import annotations

import asyncio
import time

from django.utils.translation import get_language

from games.net.connection import Frame
from games.net.hub import TopicListener, hub
from games.net.process import process
from lobby.feed import lobby_feed
from lobby.feed.lobby_feed import Listed

KEPT_SECONDS = 1.0
"""Cache lifetime in seconds. Open lobbies may be this stale too, for what is not announced at once."""


class SharedList(TopicListener):
    """The list in one language, valid until the next change. Join the topic before reading it."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._listed: Listed | None = None
        self._changes = 0

    def write(self, frame: Frame) -> None:
        """A change was announced, so drop the cached list."""
        self._changes += 1
        self._listed = None

    def read(self) -> Listed:
        """The list; call in a thread, with its language active."""
        listed, changes = self._listed, self._changes
        # Another process may have made a change whose message has not arrived yet.
        if listed is None or listed.number != lobby_feed.number():
            listed = lobby_feed.listed(self._most)
            if changes == self._changes:
                self._listed = listed
        return listed


class SharedLists:
    """The cached lists of this process, by language."""

    def __init__(self) -> None:
        self._lists: dict[str, SharedList] = {}

    def of(self, language: str) -> SharedList:
        """The list in a language, for a client that has joined its topic; in the event loop."""
        if language not in self._lists:
            shared = self._lists[language] = SharedList()
            hub.join(lobby_feed.topic(language), shared)
            asyncio.get_running_loop().call_later(KEPT_SECONDS, self._forget, language)
        return self._lists[language]

    def _forget(self, language: str) -> None:
        hub.leave(lobby_feed.topic(language), self._lists.pop(language))


shared_lists = process.part(SharedLists)
"""The lists of this process, for sockets."""


class PageLists:
    """Cached lists for rendered pages, which do not follow changes; by language and length."""

    def __init__(self) -> None:
        self._lists: dict[tuple[str | None, int], tuple[float, SharedList]] = {}

    def read(self, most: int) -> Listed:
        """The list in the active language, at most `most` long. Call in a thread; do not modify the list."""
        kind, now = (get_language(), most), time.monotonic()
        kept = self._lists.get(kind)
        if kept is None or now - kept[0] > KEPT_SECONDS:
            kept = self._lists[kind] = now, SharedList(most)
        return kept[1].read()


page_lists = process.part(PageLists)
"""The lists of this process, for pages."""
