"""Spectator counts of all matches of the site, for lists sorted by popularity.

`games.watch.match_presence` has details of the matches this process serves. This has only counts, but of all
matches: each process shares its counts with the others (`games.net.shared_state`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.shared_state import SharedState

SETTLE_SECONDS = 1.0
"""Changes within this time are sent to the other processes together."""


class WatcherCounts:
    """The spectator counts of all matches, as known to this process."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._here: dict[str, int] = {}
        self._changed: set[str] = set()
        self._shared = SharedState(hub, "audience", lambda _topic: self._here)
        self._shared.follow()

    def counts(self) -> Mapping[str, int]:
        """The number of spectators by match; matches without any are missing."""
        total: Counter[str] = Counter(self._here)
        for elsewhere in self._shared.others():
            total.update(elsewhere)
        return total

    def changed(self, match_id: str, here: int) -> None:
        """Set the public number of local spectators of a match."""
        if here == self._here.get(match_id, 0):
            return
        if here:
            self._here[match_id] = here
        else:
            self._here.pop(match_id, None)
        if self._hub.remote:
            if not self._changed:
                asyncio.get_running_loop().call_later(SETTLE_SECONDS, self._settled)
            self._changed.add(match_id)

    def begin(self) -> None:
        """Start to exchange counts with the other processes."""
        self._shared.begin()

    def _settled(self) -> None:
        changed, self._changed = self._changed, set()
        self._shared.tell({match_id: self._here.get(match_id) for match_id in changed})


watcher_counts = process.part(WatcherCounts, process_hub)
"""The spectator counts as this process knows them."""
