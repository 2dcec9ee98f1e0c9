"""What a job in a process of the pool tells before it is done, and how it is stopped.

The results of an executor come once, at the end. So its processes share a pipe for reports, and a byte for
each job that says that nobody waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Lock
from typing import Any, NamedTuple

from games.bots.base import Evaluation

Told = Callable[[Evaluation, float], None]
"""Takes an evaluation, and the milliseconds of processor time that it has taken so far."""


class Channel(NamedTuple):
    """What the processes of the pool have of it.

    Attributes:
        stopped: whether the job at a place has been stopped.
    """

    sender: Connection
    lock: Lock
    stopped: Any

    def tell(self, seed: str, look: Evaluation, milliseconds: float) -> None:
        """Report what the job with a seed has found."""
        with self.lock:
            self.sender.send((seed, look, milliseconds))


class Reports:
    """The reports of the jobs of one executor, by their seeds. Listens in a thread of its own."""

    def __init__(self, places: int) -> None:
        spawn = get_context("spawn")
        self._receiver, sender = spawn.Pipe(duplex=False)
        self.channel = Channel(sender, spawn.Lock(), spawn.RawArray("B", places))
        self._free = list(range(places))
        self._jobs: dict[str, tuple[int, Told]] = {}
        self._thread: threading.Thread | None = None

    @contextlib.contextmanager
    def of(self, seed: str, told: Told) -> Iterator[int]:
        """The place of a job while it runs; `told` is called in the event loop."""
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._listen, args=(loop,), daemon=True)
            self._thread.start()
        place = self._free.pop()
        self.channel.stopped[place] = 0
        self._jobs[seed] = place, told
        try:
            yield place
        finally:
            del self._jobs[seed]
            self._free.append(place)

    def stop(self, seed: str) -> None:
        """Ask a job to stop, if it runs."""
        if seed in self._jobs:
            place, _told = self._jobs[seed]
            self.channel.stopped[place] = 1

    def end(self) -> None:
        """All processes have ended: the pipe has no other sender."""
        self.channel.sender.close()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        # Until the pipe has ended, or the loop has been closed before.
        with contextlib.suppress(EOFError, OSError, RuntimeError):
            while True:
                loop.call_soon_threadsafe(self._hear, *self._receiver.recv())

    def _hear(self, seed: str, look: Evaluation, milliseconds: float) -> None:
        if seed in self._jobs:
            _place, told = self._jobs[seed]
            told(look, milliseconds)
