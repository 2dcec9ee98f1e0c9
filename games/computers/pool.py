"""The processes that think, so that no server ever does."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from games.bots.base import Evaluation
from games.computers import thinking

T = TypeVar("T")

TRIES = 3
"""Times something is asked whose process dies; what kills every process must not do so for ever."""


PUT_AWAY = 0.1
"""Seconds that an executor is given to forget what it has not begun."""


class Busy(Exception):
    """Too many wait already, or what was asked has killed whoever did it: ask again later."""


class Pool:
    """A few processes, begun when the first thing is asked of them.

    They are spawned: a fork would inherit the sockets of the server.
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._executor: ProcessPoolExecutor | None = None

    async def choose(self, slug: str, state: str, level: int, effort: float, seed: str) -> str:
        """`thinking.choose`, elsewhere. Raises `BrokenProcessPool` if that kills whoever does it."""
        return await self._ask(thinking.choose, slug, state, level, effort, seed)

    async def look(self, slug: str, state: str, seats: int, seed: str) -> Evaluation:
        """`thinking.look`, elsewhere. Raises `BrokenProcessPool` if that kills whoever does it."""
        return await self._ask(thinking.look, slug, state, seats, seed)

    async def warm_up(self, slug: str) -> None:
        """Begin the processes and prepare them for a game, so that its first move takes no longer."""
        with contextlib.suppress(BrokenProcessPool):
            await asyncio.gather(*(self._ask(thinking.warm_up, slug) for _ in range(self.processes)))

    async def close(self) -> None:
        """End the processes. Whoever stops does not wait for a thought; it is due again."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        # Python tells them to finish, which takes half a minute while kernels are compiled.
        processes = tuple((executor._processes or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        # Its thread stumbles over what is cancelled when a process dies before it has put that away.
        await asyncio.sleep(PUT_AWAY)
        for process in processes:
            process.kill()

    async def _ask(self, work: Callable[..., T], *arguments: Any) -> T:
        for tries_left in reversed(range(TRIES)):
            executor = self._running()
            try:
                return await asyncio.wrap_future(executor.submit(work, *arguments))
            except BrokenProcessPool:
                # One process that was killed takes its whole pool down.
                if self._executor is executor:
                    self._executor = None
                if not tries_left:
                    raise
        raise AssertionError("unreachable")

    def _running(self) -> ProcessPoolExecutor:
        if self._executor is None:
            spawn = get_context("spawn")
            self._executor = ProcessPoolExecutor(self.processes, spawn, initializer=thinking.prepare)
        return self._executor


class SerialPool(Pool):
    """One process that does one thing after the other, and in front of it a line that is not long.

    `most_waiting` is how many may be there, with the one who is being served.
    """

    def __init__(self, most_waiting: int) -> None:
        super().__init__(1)
        self._most_waiting = most_waiting
        self._waiting = 0

    async def ask_in_line(self, work: Callable[..., T], *arguments: Any) -> T:
        """What `work` returns or raises, elsewhere. Raises `Busy`."""
        if self._waiting >= self._most_waiting:
            raise Busy
        self._waiting += 1
        try:
            return await self._ask(work, *arguments)
        except BrokenProcessPool as error:
            raise Busy from error
        finally:
            self._waiting -= 1
