"""The process pool that computes moves, so that server processes never do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured

from games.bots.base import Evaluation
from games.computers import thinking
from games.computers.reports import Reports, Told

T = TypeVar("T")

TRIES = 3
"""Attempts for a job whose process dies; a job that kills processes must not be repeated for ever."""


PUT_AWAY = 0.1
"""Seconds for an executor to drop its queued jobs."""


class Busy(Exception):
    """The queue is full, or the job killed its process: retry later."""


def check_installed(processes: int) -> None:
    """Check that computer players have their packages: the extra `bots` of pyproject.toml.

    Args:
        processes: how many processes are to think; with 0, nothing is needed.

    Raises `ImproperlyConfigured` otherwise.
    """
    if processes and not all(find_spec(package) for package in ("numba", "numpy")):
        raise ImproperlyConfigured(
            "Computer players need numba and numpy: install requirements.txt, "
            "or set BOT_PROCESSES=0 and let `manage.py runbots` play elsewhere."
        )


class Pool:
    """A lazily started pool of processes.

    They are spawned, since a fork would inherit the server's sockets.
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._executor: ProcessPoolExecutor | None = None
        self._reports: Reports | None = None

    async def choose(self, slug: str, state: str, level: int, effort: float, seed: str) -> str:
        """Run `thinking.choose` in the pool. Raises `BrokenProcessPool` if the job kills its process."""
        return await self._ask(thinking.choose, slug, state, level, effort, seed)

    async def look(self, slug: str, state: str, seats: int, seed: str) -> Evaluation:
        """Run `thinking.look` in the pool. Raises `BrokenProcessPool` if the job kills its process."""
        return await self._ask(thinking.look, slug, state, seats, seed)

    async def timed_look(self, slug: str, state: str, seats: int, seed: str) -> tuple[Evaluation, float]:
        """Run `thinking.timed_look` in the pool. Raises `BrokenProcessPool` if the job kills its process."""
        return await self._ask(thinking.timed_look, slug, state, seats, seed)

    async def deepen(
        self, slug: str, state: str, seats: int, seed: str, told: Told
    ) -> tuple[Evaluation | None, float]:
        """Run `thinking.deepen` in the pool; `told` is called with what is found at each depth.

        At most as many as there are processes may run at once. Each has a seed of its own, by which it is
        stopped. Raises `BrokenProcessPool` if the job kills its process.
        """
        self._running()
        assert self._reports is not None
        with self._reports.of(seed, told) as place:
            return await self._ask(thinking.deepen, slug, state, seats, seed, place)

    def stop(self, seed: str) -> None:
        """Stop the `deepen` with a seed at its next depth, if it runs."""
        if self._reports is not None:
            self._reports.stop(seed)

    async def warm_up(self, work: Callable[[str], None], slug: str) -> bool:
        """Run one of `thinking.WARM_UPS` in every process; whether that worked."""
        try:
            await asyncio.gather(*(self._ask(work, slug) for _ in range(self.processes)))
        except BrokenProcessPool:
            return False
        return True

    async def close(self) -> None:
        """Kill the processes without waiting for their jobs, which become due again."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        # `shutdown` would let running jobs finish: half a minute while kernels are compiled.
        processes = tuple((executor._processes or {}).values())
        ending = asyncio.to_thread(executor.shutdown, cancel_futures=True)
        ended = asyncio.ensure_future(ending)
        # The executor's thread fails if a process dies before it has dropped the cancelled jobs.
        await asyncio.sleep(PUT_AWAY)
        for process in processes:
            process.kill()
        # Its semaphores are given back only once its thread has ended.
        await ended
        if self._reports is not None:
            self._reports.end()

    async def _ask(self, work: Callable[..., T], *arguments: Any) -> T:
        for tries_left in reversed(range(TRIES)):
            executor = self._running()
            try:
                return await asyncio.wrap_future(executor.submit(work, *arguments))
            except BrokenProcessPool:
                # One killed process breaks its whole pool.
                if self._executor is executor:
                    self._executor = None
                if not tries_left:
                    raise
        raise AssertionError("unreachable")

    def _running(self) -> ProcessPoolExecutor:
        if self._executor is None:
            if self._reports is not None:
                self._reports.end()
            self._reports = Reports(self.processes)
            self._executor = ProcessPoolExecutor(
                self.processes,
                get_context("spawn"),
                initializer=thinking.prepare,
                initargs=(self._reports.channel,),
            )
        return self._executor


class SerialPool(Pool):
    """A single process with a short queue.

    `most_waiting` limits the jobs, including the running one.
    """

    def __init__(self, most_waiting: int) -> None:
        super().__init__(1)
        self._most_waiting = most_waiting
        self._waiting = 0

    async def ask_in_line(self, work: Callable[..., T], *arguments: Any) -> T:
        """Run `work` in the process, and return or raise its result. Raises `Busy` if the queue is full."""
        if self._waiting >= self._most_waiting:
            raise Busy
        self._waiting += 1

        def ended(_job: asyncio.Future[T]) -> None:
            self._waiting -= 1

        # The process does not stop when the client leaves, so the end of the job frees its place.
        job = asyncio.ensure_future(self._ask(work, *arguments))
        job.add_done_callback(ended)
        try:
            return await asyncio.shield(job)
        except BrokenProcessPool as error:
            raise Busy from error
