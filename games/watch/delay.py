"""Broadcasts delayed matches to their spectators (`games.watch.visibility` defines delays).

Spectators of such a match are on a separate topic, and their sockets read a second `LiveMatch`, the match as
it was `delay` seconds ago. Each process keeps one per delayed match with local spectators. It advances only
by stored plies that are old enough, so a restart or another process cannot make it reveal too much.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from django.db import DatabaseError

from games.domain.instants import milliseconds, moment
from games.domain.plies import PlyRow
from games.domain.terms import Terms
from games.net.hub import Frame, Hub, TopicListener
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.tasks import spawn
from games.net.threads import in_thread
from games.play.live import LiveMatch
from games.play.matches import Matches
from games.play.matches import matches as process_matches
from games.play.matches import topic as match_topic
from games.store import history
from games.store.disk import unstored
from games.watch.visibility import may_see

logger = logging.getLogger(__name__)

AGAIN_SECONDS = 1.0
"""Seconds until a retry after a database error."""
LATE_ENOUGH = 0.002
"""Seconds added to waits: times in messages are truncated to milliseconds, and loops wake early."""

NOT_HELD_BACK = {"crowd", "words"}
"""Messages not delayed here: "crowd" is sent at once, and "words" with the first ply."""

Now = Callable[[], datetime]
Later = Callable[[float, Callable[[], object]], Any]


def topic(match_id: str) -> str:
    """The hub topic for spectators of a delayed match."""
    return f"delayed.{match_id}"


async def watchers_know(terms: Terms) -> None:
    """Wait until the spectators of a match may know what its players know now.

    If the process ends meanwhile, nothing is announced; lobbies that are opened later are correct.
    """
    behind = may_see(terms, None).behind
    await asyncio.sleep(behind + LATE_ENOUGH if behind else 0)


def utc_now() -> datetime:
    """The current time, with its time zone."""
    return datetime.now(UTC)


def _in_the_loop(seconds: float, what: Callable[[], object]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, what)


class DelayedMatch(TopicListener):
    """One delayed match, for all its spectators in this process."""

    def __init__(self, match_id: str, hub: Hub, matches: Matches, now: Now, later: Later) -> None:
        self.id = match_id
        self._hub, self._matches, self._now, self._later = hub, matches, now, later
        self._live: LiveMatch | None = None
        self._delay = timedelta()
        self._held: list[Frame] = []
        self._due: datetime | None = None
        self._gone = False
        self._lock = asyncio.Lock()

    async def live(self) -> LiveMatch:
        """The match in its delayed state. Raises `UnknownMatch` or `SavingUnavailable`."""
        async with self._lock:
            if self._live is None:
                view = may_see((await self._matches.get(self.id)).terms, None)
                self._delay = timedelta(seconds=view.behind)
                try:
                    self._live = await self._as_it_was()
                except DatabaseError as error:
                    raise unstored(error) from error
                self._wake_at(self._now())
            return self._live

    async def _as_it_was(self) -> LiveMatch:
        return LiveMatch.of(await in_thread(history.load)(self.id, self._now() - self._delay))

    def end(self) -> None:
        """Stop: no spectators are left here."""
        self._gone = True

    # Messages to the players

    def write(self, frame: Frame) -> None:
        """Queue a message of the match until its delay is over."""
        message = orjson.loads(frame.payload)
        if self._live is None:
            return
        if message["type"] == "plies":
            if message["plies"]:
                self._wake_at(datetime.fromisoformat(message["plies"][0]["at"]) + self._delay)
        elif message["type"] not in NOT_HELD_BACK:
            self._hold(frame)

    def _hold(self, frame: Frame) -> None:
        """Delay a message that is not a ply, or hold it until the match is over for spectators."""
        self._held.append(frame)
        if self._live is not None and self._live.outcome is not None:
            self._release(frame)
        else:
            due = self._delay.total_seconds() + LATE_ENOUGH
            self._later(due, lambda: spawn(self._release_in_order(frame)))

    async def _release_in_order(self, frame: Frame) -> None:
        """Send the earlier plies first, then the message."""
        await self._advance()
        self._release(frame)

    def _release(self, frame: Frame) -> None:
        if frame in self._held and not self._gone:
            self._held.remove(frame)
            self._hub.pass_on(topic(self.id), frame)

    # Advancing

    def _wake_at(self, due: datetime) -> None:
        if self._due is None or due < self._due:
            self._due = due
            seconds = max(0.0, (due - self._now()).total_seconds()) + LATE_ENOUGH
            self._later(seconds, lambda: self._wake(due))

    def _wake(self, due: datetime) -> None:
        if due == self._due and not self._gone:
            self._due = None
            spawn(self._advance())

    async def _advance(self) -> None:
        """Send the plies that are old enough, and set a timer for the next one."""
        async with self._lock:
            before = self._live
            if before is None:
                return
            try:
                now_known = await self._as_it_was()
                rows = await in_thread(history.plies_since)(self.id, before.ply)
            except DatabaseError:
                logger.exception("could not read what watchers may know", extra={"match": self.id})
                self._wake_at(self._now() + timedelta(seconds=AGAIN_SECONDS))
                return
            self._live = now_known
            old_enough = [row for row in rows if row.number <= now_known.ply]
            if old_enough:
                self._tell(before.ply, now_known, old_enough)
            if len(old_enough) < len(rows):
                self._wake_at(moment(rows[len(old_enough)].at) + self._delay)

    def _tell(self, after: int, live: LiveMatch, rows: Sequence[PlyRow]) -> None:
        if after == 0 and live.game.dice:
            self._hub.tell_here(topic(self.id), {"type": "words", "words": live.words})
        message = live.plies_message(after, rows)
        if live.clocks is not None:
            message["time"] = milliseconds(self._now() - self._delay)
        self._hub.tell_here(topic(self.id), message)
        if live.outcome is not None:
            for frame in tuple(self._held):
                self._release(frame)


class Delays:
    """The delayed matches with spectators in this process."""

    def __init__(self, hub: Hub, matches: Matches, now: Now = utc_now, later: Later = _in_the_loop) -> None:
        self._hub, self._matches, self._now, self._later = hub, matches, now, later
        self._delayed: dict[str, DelayedMatch] = {}

    async def get(self, match_id: str) -> LiveMatch:
        """The delayed state of a match, for sockets on its topic.

        Raises `UnknownMatch` or `SavingUnavailable`.
        """
        delayed = self._delayed.get(match_id)
        if delayed is None:
            delayed = self._delayed[match_id] = DelayedMatch(
                match_id, self._hub, self._matches, self._now, self._later
            )
            # Subscribe before reading: a ply in between is read twice rather than never.
            self._hub.join(match_topic(match_id), delayed)
        return await delayed.live()

    def forget(self, match_id: str) -> None:
        """Drop a match that has no spectators here."""
        delayed = self._delayed.get(match_id)
        if delayed is not None and not self._hub.sockets(topic(match_id)):
            del self._delayed[match_id]
            delayed.end()
            self._hub.leave(match_topic(match_id), delayed)
            self._matches.forget(match_id)


delays = process.part(Delays, process_hub, process_matches)
"""The delayed matches of this process."""
