"""The match cache of this process: loads matches, follows other processes' writes, and times flag falls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

import orjson
from django.db import DatabaseError

from games.domain import clock, codec, match_actions
from games.domain.clock import Clocks
from games.domain.plies import HeardPly, PlyRow, heard_ply
from games.domain.refusals import Refused, SavingUnavailable, UnknownMatch
from games.net.hub import Hub
from games.net.measures import measures
from games.net.tasks import spawn
from games.net.threads import in_thread
from games.play import permissions, vacations
from games.play.live import LiveMatch, topic
from games.store import history
from games.store.disk import unstored
from games.store.heartbeat import HeartbeatLoop
from games.store.journal import Unavailable, WriteConflict

T = TypeVar("T")

ALARM_WITHIN = 3600.0
"""Timers of clocks are set at most this many seconds ahead. The heartbeat finds later deadlines."""


class MatchCache:
    """The cached matches, each with its own lock.

    Args:
        now: the time in milliseconds.
        heartbeat: knows how long the site was down.
        flag: ends a match if its time is up.
    """

    def __init__(
        self,
        hub: Hub,
        now: Callable[[], int],
        heartbeat: HeartbeatLoop,
        flag: Callable[[str], Awaitable[None]],
    ) -> None:
        self._hub, self._now, self._heartbeat, self._flag = hub, now, heartbeat, flag
        self._live: dict[str, LiveMatch] = {}
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        hub.listen("match", self._hear)
        hub.listen("renamed", self._hear_renamed)

    def fresh(self, match_id: str) -> LiveMatch | None:
        """The cached match, unless it is missing or stale."""
        live = self._live.get(match_id)
        return None if live is None or live.behind else live

    async def get(self, match_id: str) -> LiveMatch:
        """The cached match, loaded if need be. Raises `UnknownMatch` or `SavingUnavailable`."""
        live = self.fresh(match_id)
        if live is not None:
            return live
        loading = self._loading.get(match_id)
        if loading is None:
            loading = self._loading[match_id] = asyncio.ensure_future(self._load(match_id))
            loading.add_done_callback(lambda _: self._loading.pop(match_id, None))
        # Several callers may share one load; the cancellation of one must not cancel it for the others.
        return await asyncio.shield(loading)

    async def up_to_date(self, match_id: str) -> LiveMatch:
        """`get`, after a check of the store.

        Without local sockets on its topic, a cached match can be stale.
        """
        live = self._live.get(match_id)
        if live is not None:
            numbers = await in_thread(history.last_numbers)([match_id])
            live.behind = live.behind or numbers.get(match_id, 0) > live.ply
        return await self.get(match_id)

    def locked(self, match_id: str) -> LockedMatch:
        """Hold the lock of a match in an `async with` block, which gets the match as it is now.

        A write conflict with another process ends the block early and without an error: do it again.
        """
        return LockedMatch(self, match_id)

    async def act_on(self, match_id: str, act: Callable[[LiveMatch], Awaitable[T]]) -> T:
        """Call `act` with the current match under its lock; repeat after a write conflict."""
        while True:
            async with self.locked(match_id) as live:
                return await act(live)

    def in_memory(self, match_id: str) -> LiveMatch | None:
        """The match if it is cached, as it is while it has local viewers."""
        return self._live.get(match_id)

    @property
    def held(self) -> int:
        """The number of cached matches."""
        return len(self._live)

    def all(self) -> Iterable[LiveMatch]:
        """All cached matches."""
        return self._live.values()

    def forget(self, match_id: str) -> None:
        """Remove a match from the cache, unless it is locked or has local viewers."""
        live = self._live.get(match_id)
        if live is not None and not live.lock.locked() and not self._hub.sockets(topic(match_id)):
            live.silence()
            # Mark it stale, so that a coroutine waiting for its lock reloads the match.
            live.behind = True
            del self._live[match_id]

    async def tidy(self) -> None:
        """Remove the matches that `forget` could not remove at the time."""
        for match_id in tuple(self._live):
            self.forget(match_id)

    async def sure(self) -> None:
        """Return once it is known how long the site was down. Raises `SavingUnavailable`."""
        try:
            await self._heartbeat.sure()
        except DatabaseError as error:
            raise unstored(error) from error

    # Flag falls. Timers are only an optimisation: the heartbeat finds every deadline.

    def set_alarm(self, live: LiveMatch) -> None:
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
        live = self._live.get(match_id)
        if live is not None and not live.behind and not live.flagged(self._now()):
            # On a busy event loop timers may fire early, as the loop caches the time.
            self.set_alarm(live)
        else:
            spawn(self._try_flag(match_id))

    async def _try_flag(self, match_id: str) -> None:
        with suppress(UnknownMatch, SavingUnavailable):
            await self._flag(match_id)

    # Writes of other processes

    def _hear(self, heard_topic: str, payload: bytes) -> None:
        """Apply a write of another process, or mark the match stale."""
        live = self._live.get(heard_topic.partition(".")[2])
        if live is None:
            return
        message = orjson.loads(payload)
        if message["type"] == "plies":
            self._follow(live, message["after"], [heard_ply(fields) for fields in message["plies"]])
        elif message["type"] in ("words", "rematch", "offers"):
            live.behind = True

    def _follow(self, live: LiveMatch, after: int, rows: Sequence[HeardPly]) -> None:
        if rows[-1].number <= live.ply:
            return
        # The first ply freezes the client seeds; only the store has the final ones.
        words_may_differ = live.game.dice and after == 0
        if after != live.ply or words_may_differ or live.lock.locked():
            live.behind = True
            return
        last = rows[-1]
        try:
            state = codec.decode_state(live.game.rules, last.state, live.state.options)
            clocks = None if last.clocks is None else codec.decode(Clocks, last.clocks)
        except codec.Undecodable:
            # Written by another version of the code; a full reload may still work.
            live.behind = True
            return
        flags = live.flags_after(rows)
        outcome = match_actions.outcome(live.game.rules, state, last.action, flags.remaining(len(live.names)))
        live.advance(rows, state, flags, outcome, clocks)
        self.set_alarm(live)

    async def catch_up(self) -> None:
        """Reload viewed matches that differ from the store, because a message was lost."""
        watched = {t.partition(".")[2] for t in self._hub.topics("match")}
        numbers = await in_thread(history.last_numbers)(watched)
        for match_id, match_changes in (await in_thread(history.match_changes)(watched, numbers)).items():
            live = self._live.get(match_id)
            if live is None or live.lock.locked():
                continue
            if live.behind or numbers.get(match_id, 0) > live.ply or match_changes != live.match_changes():
                live.behind = True
                await self.get(match_id)

    def renamed(self, user_id: int) -> None:
        """Reload all matches of a user, in every process.

        The name has changed, whether they can play, or a vacation.
        Safe from any thread.
        """
        self._hub.tell_everyone("renamed", {"user": user_id})

    def _hear_renamed(self, _topic: str, payload: bytes) -> None:
        user_id = orjson.loads(payload)["user"]
        for live in self._live.values():
            if user_id in live.players:
                live.behind = True
                # Viewers may be waiting for an answer that cannot come any more.
                spawn(self._reload(live.id))

    async def _reload(self, match_id: str) -> None:
        # If this fails, the next command reloads it.
        with suppress(Refused):
            await self.get(match_id)

    # Reading

    async def _load(self, match_id: str) -> LiveMatch:
        old = self._live.get(match_id)
        try:
            live = await self._read(match_id)
            missed = [] if old is None else await self._missed(old.ply, live)
        except DatabaseError as error:
            raise unstored(error) from error
        if old is not None:
            # A coroutine waiting for the old lock sees this mark and takes the new object.
            old.behind = True
            old.silence()
        self._live[match_id] = live
        self.set_alarm(live)
        if old is not None:
            self._send_missed(old, live, missed)
        return live

    async def _read(self, match_id: str) -> LiveMatch:
        """The stored match, with all downtime that its clocks are not charged for."""
        while True:
            gaps = self._heartbeat.gaps
            stored, away = await in_thread(vacations.load)(match_id)
            if stored.match.deadline is None or (gaps is not None and gaps == self._heartbeat.gaps):
                return LiveMatch.of(stored, away)
            # The match may have been read before the downtime was recorded.
            await self.sure()

    async def _missed(self, after: int, live: LiveMatch) -> list[PlyRow]:
        """The plies between `after` and the reloaded match. Later ones arrive by messages."""
        if live.ply <= after:
            return []
        rows = await in_thread(history.plies_since)(live.id, after)
        return [row for row in rows if row.number <= live.ply]

    def _send_missed(self, old: LiveMatch, live: LiveMatch, missed: Sequence[PlyRow]) -> None:
        """Send local viewers the changes found by a reload."""
        if missed:
            measures.resyncs["process"] += 1
            message = live.plies_message(missed[0].number - 1, missed)
            self._hub.tell_here(topic(live.id), message, permissions.for_seats(live))
        if (old.offered, old.rematch, old.gone) != (live.offered, live.rematch, live.gone):
            self._hub.tell_here(topic(live.id), live.rematch_message())
        if old.offers != live.offers or old.gone != live.gone:
            self._hub.tell_here(topic(live.id), live.offers_message(), permissions.offers_for_seats(live))
        if live.control.per_move and (old.clocks, old.vacations) != (live.clocks, live.vacations):
            message = {"type": "clocks", "ply": live.ply, **live.clock_fields(self._now())}
            self._hub.tell_here(topic(live.id), message)
        if old.words != live.words and live.game.dice:
            self._hub.tell_here(topic(live.id), live.words_message())


class LockedMatch:
    """The context manager of `MatchCache.locked`."""

    __slots__ = ("_live", "_match_id", "_memory")

    def __init__(self, memory: MatchCache, match_id: str) -> None:
        self._memory, self._match_id = memory, match_id

    async def __aenter__(self) -> LiveMatch:
        memory = self._memory
        while True:
            live = memory.fresh(self._match_id) or await memory.get(self._match_id)
            if live.in_real_time:
                await memory.sure()
            await live.lock.acquire()
            if not live.behind:
                self._live = live
                return live
            live.lock.release()

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, WriteConflict | Unavailable):
            self._live.behind = True
        self._live.lock.release()
        if isinstance(error, Unavailable):
            raise unstored(error) from error
        return isinstance(error, WriteConflict)
