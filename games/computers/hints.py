"""Hints: the strongest level's move in the current position, for the player on turn only.

The request waits in the process of the player's socket. A worker computes the evaluation, as for analyses,
and stores it with the match, so each position is evaluated only once. Its processor time is charged to those
who waited for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import orjson

from games.bots.base import Evaluation
from games.domain.refusals import NoHint
from games.net.costs import computed
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.threads import in_thread
from games.play import validation
from games.play.live import LiveMatch
from games.rules.base import Seat
from games.store import analysis_queue, bot_queue

PATIENCE = 10.0
"""Seconds until a request fails because no worker has answered."""
LOOK_AGAIN = 1.0
"""Seconds between reads of the store without a message, since messages may be lost."""

Asked = tuple[str, int]
"""What is evaluated: the id of a match and the ply number of the position."""


class Announcement(asyncio.Event):
    """Set by messages about a position.

    Attributes:
        milliseconds: the processor time of its evaluation, if a message has named it.
    """

    milliseconds = 0.0


class Hints:
    """The waiting hint requests of this process."""

    def __init__(self, hub: Hub, patience: float = PATIENCE) -> None:
        self._hub, self._patience = hub, patience
        self._announcements: dict[Asked, list[Announcement]] = {}
        hub.listen("thought", self._hear)

    async def ask(self, live: LiveMatch, seat: Seat | None, after: int) -> dict[str, Any]:
        """Wait for and return the hint (`games.domain.messages.Hint`) for a seat that has seen ply `after`.

        Raises `Refused`; `NoHint` after a timeout.
        """
        validation.may_have_a_hint(live, seat, after)
        look = await self._look(live.id, live.ply)
        best = look.moves[0]
        return {
            "type": "hint",
            "ply": after,
            "move": best.move,
            "share": best.share,
            "score": best.score,
            "proved": look.proved,
        }

    async def _look(self, match_id: str, ply: int) -> Evaluation:
        look = await in_thread(analysis_queue.look_after)(match_id, ply)
        if look is not None:
            return look
        try:
            async with asyncio.timeout(self._patience):
                with self._listening((match_id, ply)) as announcement:
                    await in_thread(analysis_queue.want)(match_id, [ply], datetime.now(UTC))
                    self._hub.publish(bot_queue.TOPIC, bot_queue.WAKE)
                    thought = await self._thought(match_id, ply, announcement)
                    computed(announcement.milliseconds)
                    return thought
        except TimeoutError:
            raise NoHint from None

    async def _thought(self, match_id: str, ply: int, announcement: Announcement) -> Evaluation:
        """Wait until an evaluation is stored, and return it."""
        while True:
            # Clear before the read, so that a message during the read is not missed.
            announcement.clear()
            look = await in_thread(analysis_queue.look_after)(match_id, ply)
            if look is not None:
                return look
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(announcement.wait(), LOOK_AGAIN)

    @contextlib.contextmanager
    def _listening(self, asked: Asked) -> Iterator[Announcement]:
        """An event that is set on messages about a position."""
        # One event per waiter: clearing a shared one would hide messages from the others.
        announcement = Announcement()
        self._announcements.setdefault(asked, []).append(announcement)
        try:
            yield announcement
        finally:
            self._announcements[asked].remove(announcement)
            if not self._announcements[asked]:
                del self._announcements[asked]

    def _hear(self, _topic: str, payload: bytes) -> None:
        message = orjson.loads(payload)
        for announcement in self._announcements.get((message["match"], message["ply"]), ()):
            # Workers of earlier versions do not tell it.
            announcement.milliseconds = message.get("milliseconds", 0.0)
            announcement.set()


hints = process.part(Hints, process_hub)
"""The hint service of this process."""
