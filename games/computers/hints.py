"""Hints: what the best level would do in the position on the board, for the player on turn alone.

Whoever asks waits here, in the process of their socket. The thinking is a worker's, as is that of an
analysis, and stays with the match: the same position is thought about once, whoever asks.
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
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.threads import in_thread
from games.play import validation
from games.play.live import LiveMatch
from games.rules.base import Seat
from games.store import analysis_queue, bot_queue

PATIENCE = 10.0
"""Seconds after which whoever asked is told that nobody has thought about it."""
LOOK_AGAIN = 1.0
"""Seconds after which the store is read although nothing was heard: messages may be lost."""

Position = tuple[str, int]
"""The id of a match and the number of the ply before the position."""


class Hints:
    """Those of this process who wait for a hint."""

    def __init__(self, hub: Hub, patience: float = PATIENCE) -> None:
        self._hub, self._patience = hub, patience
        self._told: dict[Position, list[asyncio.Event]] = {}
        hub.listen("thought", self._hear)

    async def ask(self, live: LiveMatch, seat: Seat | None, after: int) -> dict[str, Any]:
        """The hint (`games.domain.messages.Hint`) for a seat that has seen ply `after`, once there is one.

        Raises `Refused`; `NoHint` if nobody has thought about it in time.
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
        known = await in_thread(analysis_queue.look_after)(match_id, ply)
        if known is not None:
            return known
        try:
            async with asyncio.timeout(self._patience):
                with self._listening((match_id, ply)) as told:
                    await in_thread(analysis_queue.want)(match_id, [ply], datetime.now(UTC))
                    self._hub.publish(bot_queue.TOPIC, bot_queue.WAKE)
                    return await self._thought(match_id, ply, told)
        except TimeoutError:
            raise NoHint from None

    async def _thought(self, match_id: str, ply: int, told: asyncio.Event) -> Evaluation:
        """The look of a position as soon as it is in the store."""
        while True:
            # Before the store is read: what is told from here on is not in what is read.
            told.clear()
            look = await in_thread(analysis_queue.look_after)(match_id, ply)
            if look is not None:
                return look
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(told.wait(), LOOK_AGAIN)

    @contextlib.contextmanager
    def _listening(self, position: Position) -> Iterator[asyncio.Event]:
        """An event that is set when there is news of a position."""
        # Each has its own: the first to clear a shared one would take the news from the others.
        told = asyncio.Event()
        self._told.setdefault(position, []).append(told)
        try:
            yield told
        finally:
            self._told[position].remove(told)
            if not self._told[position]:
                del self._told[position]

    def _hear(self, _topic: str, payload: bytes) -> None:
        message = orjson.loads(payload)
        for told in self._told.get((message["match"], message["ply"]), ()):
            told.set()


hints = Hints(process_hub)
"""The hints of this process."""
