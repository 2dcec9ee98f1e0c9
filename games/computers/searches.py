"""Evaluations of positions without a match, as they deepen.

One search serves all who look at a position, in all processes. A worker tells what each depth finds, and
stores the last. When nobody in a process looks any more, it says so: the worker stops at the next depth.
Should somebody still look in another process, that one asks anew.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from typing import NamedTuple

import orjson

from games.bots.base import Evaluation
from games.computers.hints import LOOK_AGAIN, PATIENCE
from games.domain import codec
from games.domain.position import Position
from games.domain.refusals import NoHint
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.tasks import spawn
from games.net.threads import in_thread
from games.store import bot_queue, position_looks

DEEPER, THOUGHT, LEFT = "position-deeper", "position-thought", "position-left"
"""Messages between processes: what a depth has found; the search has ended; nobody in a process looks."""


class Found(NamedTuple):
    """What a search has found so far.

    Attributes:
        milliseconds: the processor time that it has taken.
        is_final: whether the search has ended.
    """

    look: Evaluation
    milliseconds: float
    is_final: bool


class Search:
    """The search of a position for all who look at it in this process.

    Attributes:
        task: runs until the search has ended, even if nobody looks any more.
    """

    def __init__(self, position: Position, hub: Hub, patience: float) -> None:
        self._position, self._hub, self._patience = position, hub, patience
        self._digest = position_looks.digest_of(position)
        self._last: Found | None = None
        self._milliseconds = 0.0
        self._readers: set[asyncio.Queue[Found | None]] = set()
        self._ended = asyncio.Event()
        self._until = 0.0
        self.task = spawn(self._run())
        self.task.add_done_callback(lambda _: self._tell(None))

    async def found(self) -> AsyncGenerator[Found]:
        """What is found from now on, beginning with the last.

        Raises `NoHint` if no worker tells anything in time.
        """
        news = asyncio.Queue[Found | None]()
        for each in (*filter(None, [self._last]), *([None] if self.task.done() else [])):
            news.put_nowait(each)
        self._readers.add(news)
        try:
            while (found := await news.get()) is not None:
                yield found
            if self._last is None or not self._last.is_final:
                raise NoHint
        finally:
            self._readers.discard(news)
            if not self._readers and not self.task.done():
                self._hub.tell_everyone(LEFT, {"position": self._digest})

    def deeper(self, look: Evaluation, milliseconds: float) -> None:
        """A worker tells what a depth has found."""
        self._milliseconds = milliseconds
        self._be_patient()
        self._tell(Found(look, milliseconds, is_final=False))

    def ended(self, milliseconds: float) -> None:
        """A worker tells that it has stored the last, or that it has stopped."""
        self._milliseconds = milliseconds
        self._ended.set()

    async def _run(self) -> None:
        look = await in_thread(position_looks.look_of)(self._digest) or await self._thought()
        if look is not None:
            self._tell(Found(look, self._milliseconds, is_final=True))

    async def _thought(self) -> Evaluation | None:
        """Wait until the evaluation is stored; None if it takes too long, or nobody waited and it stopped."""
        await self._want()
        while asyncio.get_running_loop().time() < self._until:
            # Messages may be lost, and may have come before the read.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), LOOK_AGAIN)
            has_ended = self._ended.is_set()
            self._ended.clear()
            look = await in_thread(position_looks.look_of)(self._digest)
            if look is not None or (has_ended and not self._readers):
                return look
            if has_ended:
                await self._want()
        return None

    async def _want(self) -> None:
        self._be_patient()
        await in_thread(position_looks.want)(self._position, datetime.now(UTC))
        self._hub.publish(bot_queue.TOPIC, bot_queue.WAKE)

    def _be_patient(self) -> None:
        self._until = asyncio.get_running_loop().time() + self._patience

    def _tell(self, found: Found | None) -> None:
        """Tell all readers; None that there is no more."""
        self._last = found or self._last
        for reader in self._readers:
            reader.put_nowait(found)


class Searches:
    """The searches of positions that somebody waits for in this process."""

    def __init__(self, hub: Hub, patience: float = PATIENCE) -> None:
        self._hub, self._patience = hub, patience
        self._running: dict[str, Search] = {}
        hub.listen(DEEPER, self._hear_deeper)
        hub.listen(THOUGHT, self._hear_thought)

    def of(self, position: Position) -> Search:
        """The search of a position in which a player is to move; begins it if there is none."""
        digest = position_looks.digest_of(position)
        if digest not in self._running:
            search = self._running[digest] = Search(position, self._hub, self._patience)
            search.task.add_done_callback(lambda _: self._running.pop(digest))
        return self._running[digest]

    def _hear_deeper(self, _topic: str, payload: bytes) -> None:
        message = orjson.loads(payload)
        if search := self._running.get(message["position"]):
            search.deeper(codec.decode(Evaluation, message["look"]), message["milliseconds"])

    def _hear_thought(self, _topic: str, payload: bytes) -> None:
        message = orjson.loads(payload)
        if search := self._running.get(message["position"]):
            search.ended(message["milliseconds"])


searches = process.part(Searches, process_hub)
"""The searches of this process."""
