"""What time does to the matches in memory: alarms ring, flags fall, and the site may have been away."""

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
"""Seconds ahead for which a process sets itself an alarm; later deadlines are left to the heartbeat."""


class Alarms:
    """The alarms of this process. Only hints: the heartbeat finds every deadline.

    Args:
        now: the time in milliseconds.
        in_memory: finds a match by its id.
        flag: lets the flag of a match fall, if its time is up.
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
        """Look at a clock again when its time is up."""
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
            # A busy event loop counts from when it last looked at the time, and rings early.
            self.set(live)
        else:
            self._hub.spawn(self._flag_or_leave_it(match_id))

    async def _flag_or_leave_it(self, match_id: str) -> None:
        with contextlib.suppress(UnknownMatch, TryAgain):
            await self._flag(match_id)


class ClockService:
    """Lets flags fall, and sees to it that what is in memory knows of the pauses of the site."""

    def __init__(self, hub: Hub, now: Callable[[], int], memory: MatchCache, writer: Writer) -> None:
        self._hub, self._now, self._memory, self._writer = hub, now, memory, writer

    async def flag(self, match_id: str) -> None:
        """Let the flag of the seat on turn fall, if its time is up. Raises `UnknownMatch` or `TryAgain`.

        Any process may try: the number of the ply lets one of them write it, and a move that came first
        has taken the number.
        """

        async def act(live: LiveMatch) -> None:
            now = self._now()
            if live.flagged(now):
                await self.flag_fall(live, now)
            else:
                # The store may know of a deadline that this memory does not.
                live.behind = True

        await self._memory.act_on(match_id, act)
        self._memory.forget(match_id)

    async def flag_fall(self, live: LiveMatch, now: int) -> None:
        """The seat on turn loses by time, or never came and the match is aborted."""
        assert live.clocks is not None
        assert live.clocks.running is not None
        seat = live.clocks.running
        action = Act(match_actions.ABORTED, seat) if seat in live.clocks.fresh else Leave(seat, "time")
        await self._writer.write(live, seat, action, None, now)

    def clocks_were_paused(self) -> None:
        """The site was away: read every live match again and tell those who look at it."""
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
