"""The match service. All changes to matches go through it.

A process caches the matches it serves, each with its own lock. A command is validated in memory within
microseconds and handed to the journal. Once it is durable it is acknowledged and broadcast. The store
arbitrates between processes: on a write conflict the cached match is reloaded and the command validated
again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from django.db import connection

from games.domain import instants
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.tasks import every, spawn
from games.play import conditional
from games.play.clock_service import ClockService
from games.play.commands import Commands
from games.play.conditional import ConditionalPlayer
from games.play.idle_matches import SWEEP_SECONDS, Expiry
from games.play.live import LiveMatch, topic
from games.play.match_cache import MatchCache
from games.play.writer import Writer
from games.store import checkpoints, heartbeat
from games.store.checkpoints import Checkpoints
from games.store.heartbeat import HeartbeatLoop
from games.store.journal import Journal

__all__ = ["Matches", "matches", "topic"]

CATCH_UP_SECONDS = 1.0
"""Seconds between checks for plies of other processes whose messages were lost."""

TIDY_SECONDS = 60.0
"""Seconds between sweeps of the cache, for matches that were in use when their last viewer left."""


class Matches:
    """The match service of this process: wires up its parts."""

    def __init__(self, hub: Hub, now: Callable[[], int] = instants.now) -> None:
        self._hub = hub
        self._always: list[asyncio.Task[None]] = []
        self._heartbeat = HeartbeatLoop(now, self.flag, self._clocks_were_paused)
        self._journal = Journal()
        self._memory = MatchCache(hub, now, self._heartbeat, self.flag)
        writer = Writer(hub, now, self._journal, self._memory.set_alarm)
        self._timekeeper = ClockService(hub, now, self._memory, writer)
        self._expiry = Expiry(now, self._memory, writer)
        commands = Commands(hub, now, self._memory, writer, self._timekeeper)
        self._conditional = ConditionalPlayer(self._memory, commands.play)
        writer.played = self._played
        self.keep_conditional, self.known_conditional = self._conditional.keep, self._conditional.known
        self.position = self._conditional.position
        # Bound methods of the parts, which save one call per move.
        self.get, self.up_to_date = self._memory.get, self._memory.up_to_date
        self.forget, self.renamed = self._memory.forget, self._memory.renamed
        self.play, self.play_for, self.leave = commands.play, commands.play_for, commands.leave
        self.stop = commands.stop
        self.rematch, self.add_words = commands.rematch, commands.add_words
        self.hide_crowd = commands.hide_crowd

    @property
    def held(self) -> int:
        """The number of cached matches."""
        return self._memory.held

    def in_memory(self, match_id: str) -> LiveMatch | None:
        """The match if it is cached, as it is while it has local viewers."""
        return self._memory.in_memory(match_id)

    async def flag(self, match_id: str) -> None:
        """End a match if the time of the seat on turn is up. Raises `UnknownMatch` or `SavingUnavailable`."""
        await self._timekeeper.flag(match_id)

    async def end_idle(self) -> None:
        """End the matches that have been idle for too long. Raises `SavingUnavailable`."""
        await self._expiry.sweep()

    def _played(self, live: LiveMatch) -> None:
        self._conditional.turn_came(live)
        self._timekeeper.turn_came(live)

    def _clocks_were_paused(self) -> None:
        self._timekeeper.clocks_were_paused()

    def begin(self) -> None:
        """Start the background tasks: heartbeat, cache and store cleanup, catching up with lost messages."""
        works = [
            every(heartbeat.EVERY, self._heartbeat.once),
            every(TIDY_SECONDS, self._memory.tidy),
            every(SWEEP_SECONDS, self.end_idle),
            every(conditional.EVERY, self._conditional.once),
        ]
        if connection.vendor == "sqlite":
            works.append(every(checkpoints.EVERY, Checkpoints().once))
        if self._hub.remote:
            works.append(every(CATCH_UP_SECONDS, self._memory.catch_up))
        self._always = [spawn(work) for work in works]

    async def close(self) -> None:
        """Write what is pending. Commands after that are refused."""
        for live in self._memory.all():
            live.silence()
        for task in self._always:
            task.cancel()
        await self._journal.close()


matches = process.part(Matches, process_hub)
"""The match service of this process."""
