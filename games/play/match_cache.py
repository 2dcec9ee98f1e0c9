"""The matches this process has in memory: read from the store, and kept up with what others write there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeVar

import orjson
from django.db import DatabaseError

from games.domain import codec, match_actions
from games.domain.clock import Clocks
from games.domain.plies import HeardPly, PlyRow, heard_ply
from games.domain.refusals import Refused
from games.net.hub import Hub
from games.net.measures import measures
from games.net.threads import in_thread
from games.play import permissions
from games.play.live import LiveMatch, topic
from games.store import history
from games.store.disk import unstored
from games.store.heartbeat import HeartbeatLoop
from games.store.history import Stored
from games.store.journal import Unavailable, WriteConflict

T = TypeVar("T")


class MatchCache:
    """The matches in memory, each behind its own lock.

    Args:
        heart: knows for how long the site was away.
        set_alarm: is given each match whose clocks are known anew.
    """

    def __init__(self, hub: Hub, heartbeat: HeartbeatLoop, set_alarm: Callable[[LiveMatch], None]) -> None:
        self._hub, self._heartbeat, self._set_alarm = hub, heartbeat, set_alarm
        self._live: dict[str, LiveMatch] = {}
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        hub.listen("match", self._hear)
        hub.listen("renamed", self._hear_renamed)

    def _at_hand(self, match_id: str) -> LiveMatch | None:
        """The match in memory, unless something of it is missing there."""
        live = self._live.get(match_id)
        return None if live is None or live.behind else live

    async def get(self, match_id: str) -> LiveMatch:
        """The match in memory, read from the store if need be. Raises `UnknownMatch` or `TryAgain`."""
        live = self._at_hand(match_id)
        if live is not None:
            return live
        loading = self._loading.get(match_id)
        if loading is None:
            loading = self._loading[match_id] = asyncio.ensure_future(self._load(match_id))
            loading.add_done_callback(lambda _: self._loading.pop(match_id, None))
        # Several may wait for one reading; one that goes away must not take it from the others.
        return await asyncio.shield(loading)

    async def up_to_date(self, match_id: str) -> LiveMatch:
        """`get`, also where nobody here looks at the match and so nothing is heard of it."""
        live = self._live.get(match_id)
        if live is not None:
            numbers = await in_thread(history.last_numbers)([match_id])
            live.behind = live.behind or numbers.get(match_id, 0) > live.ply
        return await self.get(match_id)

    async def act_on(self, match_id: str, act: Callable[[LiveMatch], Awaitable[T]]) -> T:
        """Let `act` decide on the match as the store has it, anew whenever another process was faster."""
        while True:
            live = self._at_hand(match_id) or await self.get(match_id)
            if live.control.live:
                await self.sure()
            async with live.lock:
                if live.behind:
                    continue
                try:
                    return await act(live)
                except WriteConflict:
                    live.behind = True
                except Unavailable as error:
                    live.behind = True
                    raise unstored(error) from error

    def in_memory(self, match_id: str) -> LiveMatch | None:
        """The match as it is in memory, which it is for as long as somebody here looks at it."""
        return self._live.get(match_id)

    @property
    def held(self) -> int:
        """How many matches are in memory."""
        return len(self._live)

    def all(self) -> Iterable[LiveMatch]:
        """Every match in memory."""
        return self._live.values()

    def forget(self, match_id: str) -> None:
        """Drop a match from memory once nobody here looks at it."""
        live = self._live.get(match_id)
        if live is not None and not live.lock.locked() and not self._hub.sockets(topic(match_id)):
            live.silence()
            # Whoever is about to act on it comes back for the memory that others will look at.
            live.behind = True
            del self._live[match_id]

    async def tidy(self) -> None:
        """Drop what `forget` could not drop when it was asked to."""
        for match_id in tuple(self._live):
            self.forget(match_id)

    async def sure(self) -> None:
        """Return once it is known for how long the site was away. Raises `TryAgain`."""
        try:
            await self._heartbeat.sure()
        except DatabaseError as error:
            raise unstored(error) from error

    # What other processes write

    def _hear(self, heard_topic: str, payload: bytes) -> None:
        """Follow what another process wrote, or remember to read it."""
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
        # The first ply freezes the words of the dice, and the store knows which.
        words_may_differ = live.game.dice and after == 0
        if after != live.ply or words_may_differ or live.lock.locked():
            live.behind = True
            return
        last = rows[-1]
        try:
            state = codec.decode_state(live.game.rules, last.state, live.state.options)
            clocks = None if last.clocks is None else codec.decode(Clocks, last.clocks)
        except codec.Undecodable:
            # Another version of the code wrote it; this one may still understand the whole.
            live.behind = True
            return
        situation = live.situation_after(rows)
        outcome = match_actions.outcome(
            live.game.rules, state, last.action, situation.remaining(len(live.names))
        )
        live.advance(rows, state, situation, outcome, clocks)
        self._set_alarm(live)

    async def catch_up(self) -> None:
        """Find what was lost on its way from another process."""
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
        """Somebody has another name, or cannot play any more, or can again: have every process read their
        matches anew; from any thread.
        """
        self._hub.tell_everyone("renamed", {"user": user_id})

    def _hear_renamed(self, _topic: str, payload: bytes) -> None:
        user_id = orjson.loads(payload)["user"]
        for live in self._live.values():
            if user_id in live.players:
                live.behind = True
                # Those who look at it may wait for an answer that cannot come.
                self._hub.spawn(self._read_again(live.id))

    async def _read_again(self, match_id: str) -> None:
        # What cannot be read now is read by the next command.
        with suppress(Refused):
            await self.get(match_id)

    # Reading

    async def _load(self, match_id: str) -> LiveMatch:
        old = self._live.get(match_id)
        try:
            live = LiveMatch.of(await self._read(match_id))
            missed = [] if old is None else await self._missed(old.ply, live)
        except DatabaseError as error:
            raise unstored(error) from error
        if old is not None:
            # Whoever waits for the old lock finds the old memory marked and comes back for the new.
            old.behind = True
            old.silence()
        self._live[match_id] = live
        self._set_alarm(live)
        if old is not None:
            self._tell_what_was_lost(old, live, missed)
        return live

    async def _read(self, match_id: str) -> Stored:
        """The match as it is stored, with every gap that its clocks are not charged for."""
        while True:
            gaps = self._heartbeat.gaps
            stored = await in_thread(history.load)(match_id)
            if stored.match.deadline is None or (gaps is not None and gaps == self._heartbeat.gaps):
                return stored
            # The reading may be older than the note of a gap.
            await self.sure()

    async def _missed(self, after: int, live: LiveMatch) -> list[PlyRow]:
        """The plies by which reading moves memory on; what came since is told by whoever brings it."""
        if live.ply <= after:
            return []
        rows = await in_thread(history.plies_since)(live.id, after)
        return [row for row in rows if row.number <= live.ply]

    def _tell_what_was_lost(self, old: LiveMatch, live: LiveMatch, missed: Sequence[PlyRow]) -> None:
        """MatchCache has moved on by reading: tell those who look at the match here what led there."""
        if missed:
            measures.resyncs["process"] += 1
            message = live.plies_message(missed[0].number - 1, missed)
            self._hub.tell_here(topic(live.id), message, permissions.for_seats(live))
        if (old.offered, old.rematch, old.gone) != (live.offered, live.rematch, live.gone):
            self._hub.tell_here(topic(live.id), live.rematch_message())
        if old.offers != live.offers or old.gone != live.gone:
            self._hub.tell_here(topic(live.id), live.offers_message(), permissions.offers_for_seats(live))
        if old.words != live.words and live.game.dice:
            self._hub.tell_here(topic(live.id), live.words_message())
