"""What a job in a process of the pool tells before it is done, and how it is stopped.

The results of an executor come once, at the end. So each of the jobs that run at once has a pipe for its
reports, and a byte that says that nobody waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from games.bots.base import Evaluation

Told = Callable[[Evaluation, float], None]
"""Takes an evaluation, and the milliseconds of processor time that it has taken so far."""


class Channel(NamedTuple):
    """What the processes of the pool have of it.

    Attributes:
        senders: the end of the pipe of the job at each place, where no two jobs run at once.
        stopped: whether the job at a place has been stopped.
    """

    senders: Sequence[Connection]
    stopped: Any

    def tell(self, place: int, seed: str, look: Evaluation, milliseconds: float) -> None:
        """Report what the job with a seed has found."""
        self.senders[place].send((seed, look, milliseconds))


class Reports:
    """The reports of the jobs of one executor, by their seeds. Listens in a thread of its own."""

    def __init__(self, places: int) -> None:
        spawn = get_context("spawn")
        pipes = [spawn.Pipe(duplex=False) for _ in range(places)]
        self._receivers = [receiver for receiver, _sender in pipes]
        self.channel = Channel([sender for _receiver, sender in pipes], spawn.RawArray("B", places))
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
        """All processes have ended: the pipes have no other senders."""
        for sender in self.channel.senders:
            sender.close()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        # Until a pipe has ended, as all do at once, or the loop has been closed before.
        with contextlib.suppress(EOFError, OSError, RuntimeError):
            while True:
                wait(self._receivers)
                for receiver in self._receivers:
                    if receiver.poll():
                        loop.call_soon_threadsafe(self._hear, *receiver.recv())

    def _hear(self, seed: str, look: Evaluation, milliseconds: float) -> None:
        if seed in self._jobs:
            _place, told = self._jobs[seed]
            told(look, milliseconds)
