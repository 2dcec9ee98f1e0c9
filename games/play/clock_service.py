"""Flag falls, their timers, and clock pauses after downtime of the site."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial

from games.domain import clock, match_actions
from games.domain.match_actions import Act
from games.domain.refusals import TryAgain, UnknownMatch
from games.net.hub import Hub
from games.play.live import LiveMatch, topic
from games.play.match_cache import MatchCache
from games.play.writer import Writer
from games.rules.base import Leave

ALARM_WITHIN = 3600.0
"""Timers are set at most this many seconds ahead. The heartbeat finds later deadlines."""


class Alarms:
    """The flag-fall timers of this process. Only an optimisation: the heartbeat finds every deadline.

    Args:
        now: the time in milliseconds.
        in_memory: returns a cached match by its id.
        flag: ends a match if its time is up.
    """

    def __init__(
        self,
        hub: Hub,
        now: Callable[[], int],
        in_memory: Callable[[str], LiveMatch | None],
        flag: Callable[[str], Awaitable[None]],
    ) -> None:
        self._hub, self._now, self._in_memory, self._flag = hub, now, in_memory, flag

    def set(self, live: LiveMatch) -> None:
        """Replace the timer of a match by one for its current deadline."""
        live.silence()
        due = None if live.clocks is None else clock.deadline(live.control, live.clocks)
        if due is None:
            return
        wait = max(0, due - self._now()) / 1000
        if wait < ALARM_WITHIN:
            ring = partial(self._ring, live.id)
            live.alarm = asyncio.get_running_loop().call_later(wait, ring)

    def _ring(self, match_id: str) -> None:
        live = self._in_memory(match_id)
        if live is not None and not live.behind and not live.flagged(self._now()):
            # On a busy event loop timers may fire early, as the loop caches the time.
            self.set(live)
        else:
            self._hub.spawn(self._try_flag(match_id))

    async def _try_flag(self, match_id: str) -> None:
        with contextlib.suppress(UnknownMatch, TryAgain):
            await self._flag(match_id)


class ClockService:
    """Ends matches on time, and reloads clocks after downtime of the site."""

    def __init__(self, hub: Hub, now: Callable[[], int], memory: MatchCache, writer: Writer) -> None:
        self._hub, self._now, self._memory, self._writer = hub, now, memory, writer

    async def flag(self, match_id: str) -> None:
        """End a match if the time of the seat on turn is up. Raises `UnknownMatch` or `TryAgain`.

        Any process may try: ply numbers are unique, so one process writes the flag fall, and only if no move
        has taken the number before.
        """

        async def act(live: LiveMatch) -> None:
            now = self._now()
            if live.flagged(now):
                await self.flag_fall(live, now)
            else:
                # The store may have a deadline that the cache does not know yet.
                live.behind = True

        await self._memory.act_on(match_id, act)
        self._memory.forget(match_id)

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
                    self._hub.spawn(self._tell_clocks(live.id))

    async def _tell_clocks(self, match_id: str) -> None:
        with contextlib.suppress(TryAgain):
            live = await self._memory.get(match_id)
            message = {"type": "clocks", "ply": live.ply, **live.clock_fields(self._now())}
            self._hub.tell_here(topic(match_id), message)
