"""Flag falls, and clocks that stand during vacations and after downtime of the site."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from games.domain import match_actions
from games.domain.match_actions import Act
from games.domain.refusals import SavingUnavailable
from games.net.hub import Hub
from games.net.tasks import spawn
from games.net.threads import in_thread
from games.play import vacations
from games.play.live import LiveMatch, topic
from games.play.match_cache import MatchCache
from games.play.writer import Writer
from games.rules.base import Leave
from games.store.journal import WriteConflict


class ClockService:
    """Ends matches on time, and reloads clocks after downtime of the site."""

    def __init__(self, hub: Hub, now: Callable[[], int], memory: MatchCache, writer: Writer) -> None:
        self._hub, self._now, self._memory, self._writer = hub, now, memory, writer

    async def flag(self, match_id: str) -> None:
        """End a match if the time of the seat on turn is up. Raises `UnknownMatch` or `SavingUnavailable`.

        Any process may try: ply numbers are unique, so one process writes the flag fall, and only if no move
        has taken the number before.
        """

        async def act(live: LiveMatch) -> None:
            now = self._now()
            if await self.is_flagged(live, now):
                await self.flag_fall(live, now)
            else:
                # The store may have a deadline that the cache does not know yet.
                live.behind = True

        await self._memory.act_on(match_id, act)
        self._memory.forget(match_id)

    async def is_flagged(self, live: LiveMatch, now: int) -> bool:
        """Whether the time of the seat on turn is up.

        Raises `WriteConflict` if a vacation was not known yet.
        """
        if not live.flagged(now):
            return False
        if live.control.per_move and await in_thread(vacations.refresh)(live.id):
            raise WriteConflict
        return True

    def turn_came(self, live: LiveMatch) -> None:
        """A ply was stored: the clock stands if the next player is on vacation."""
        if live.control.per_move and live.mover is not None:
            spawn(self._refresh(live.id, live.mover))

    async def _refresh(self, match_id: str, mover: int) -> None:
        if await in_thread(vacations.refresh)(match_id):
            self._memory.renamed(mover)

    async def flag_fall(self, live: LiveMatch, now: int) -> None:
        """Write the loss on time of the seat on turn, or abort the match if that seat never moved."""
        assert live.clocks is not None
        assert live.clocks.running is not None
        seat = live.clocks.running
        action = Act(match_actions.ABORTED, seat) if seat in live.clocks.fresh else Leave(seat, "time")
        await self._writer.write(live, seat, action, None, now)

    def clocks_were_paused(self) -> None:
        """Reload every live match after downtime, and send the clocks to its viewers."""
        for live in self._memory.all():
            if live.control.live and live.outcome is None:
                live.behind = True
                if self._hub.sockets(topic(live.id)):
                    spawn(self._tell_clocks(live.id))

    async def _tell_clocks(self, match_id: str) -> None:
        with contextlib.suppress(SavingUnavailable):
            live = await self._memory.get(match_id)
            message = {"type": "clocks", "ply": live.ply, **live.clock_fields(self._now())}
            self._hub.tell_here(topic(match_id), message)
