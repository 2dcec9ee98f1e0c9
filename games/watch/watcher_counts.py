"""How many watch each match of the whole site, for lists that put the most watched first.

`games.watch.match_presence` knows who is at the matches that a process serves. This knows only numbers, but
of all matches: each process tells the others how many watch there (`games.net.gossip`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

from games.net.gossip import Gossip
from games.net.hub import Hub
from games.net.hub import hub as process_hub

SETTLE_SECONDS = 1.0
"""Changes within this time are told to the other processes as one."""


class WatcherCounts:
    """The watchers of all matches, as far as this process has heard."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._here: dict[str, int] = {}
        self._changed: set[str] = set()
        self._gossip = Gossip(hub, "audience", lambda _topic: self._here)
        self._gossip.follow()

    def counts(self) -> Mapping[str, int]:
        """How many watch, by match; nobody watches those that are not in it."""
        total: Counter[str] = Counter(self._here)
        for elsewhere in self._gossip.others():
            total.update(elsewhere)
        return total

    def changed(self, match_id: str, here: int) -> None:
        """So many watch a match here, as far as others may know."""
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
        """Take part in what processes tell each other, from now on."""
        self._gossip.begin()

    def _settled(self) -> None:
        changed, self._changed = self._changed, set()
        self._gossip.tell({match_id: self._here.get(match_id) for match_id in changed})


watcher_counts = WatcherCounts(process_hub)
"""The numbers as this process knows them."""
