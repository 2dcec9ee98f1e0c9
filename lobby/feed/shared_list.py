"""The list of the lobby, read once for many who come at the same time."""

from __future__ import annotations

import asyncio
import time

from django.utils.translation import get_language

from games.net.connection import Frame
from games.net.hub import TopicListener, hub
from lobby.feed import lobby_feed
from lobby.feed.lobby_feed import Listed

KEPT_SECONDS = 1.0
"""For how long a list is kept: as old as what nobody tells lobbies at once may be for those inside."""


class SharedList(TopicListener):
    """The list in one language, good until a change is told: whoever joins the topic first misses none."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._listed: Listed | None = None
        self._changes = 0

    def write(self, frame: Frame) -> None:
        """A change is told, which the list may not have."""
        self._changes += 1
        self._listed = None

    def read(self) -> Listed:
        """The list, in a thread, in its language."""
        listed, changes = self._listed, self._changes
        # Another process may have made a change that is still on its way here.
        if listed is None or listed.number != lobby_feed.number():
            listed = lobby_feed.listed(self._most)
            if changes == self._changes:
                self._listed = listed
        return listed


class SharedLists:
    """Those of this process, by language."""

    def __init__(self) -> None:
        self._lists: dict[str, SharedList] = {}

    def of(self, language: str) -> SharedList:
        """The list in a language, for somebody who is on its topic; in the event loop."""
        if language not in self._lists:
            shared = self._lists[language] = SharedList()
            hub.join(lobby_feed.topic(language), shared)
            asyncio.get_running_loop().call_later(KEPT_SECONDS, self._forget, language)
        return self._lists[language]

    def _forget(self, language: str) -> None:
        hub.leave(lobby_feed.topic(language), self._lists.pop(language))


shared_lists = SharedLists()
"""Those of this process."""


class PageLists:
    """Those of pages, which hear of no change before they are sent; by language and length."""

    def __init__(self) -> None:
        self._lists: dict[tuple[str | None, int], tuple[float, SharedList]] = {}

    def read(self, most: int) -> Listed:
        """The list of at most so many in the active language, in a thread; nobody changes what is in it."""
        kind, now = (get_language(), most), time.monotonic()
        kept = self._lists.get(kind)
        if kept is None or now - kept[0] > KEPT_SECONDS:
            kept = self._lists[kind] = now, SharedList(most)
        return kept[1].read()

    def clear(self) -> None:
        """Forget all of them."""
        self._lists.clear()


page_lists = PageLists()
"""Those of this process."""
