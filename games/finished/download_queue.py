"""Limits long downloads to one at a time, so that other requests are not delayed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from games.domain.refusals import Refused
from games.net.limits import Places
from games.net.process import process
from games.rules.base import gettext_noop

MOST_OF_ADDRESS = 2
"""Most downloads per address, running and waiting."""
MOST_DOWNLOADS = 4
"""Most downloads in all; a waiting one may hold a database connection."""
PATIENCE = 10.0
"""Timeout in seconds of a waiting download."""

ALL = "all"


class TooBusy(Refused):
    """Too many downloads are running or waiting."""

    code, status = "busy", 503
    sentence = gettext_noop("The server is busy. Please try again in a moment.")
    headers = {"Retry-After": "3"}


class Turns:
    """A mutex with a short queue, for threads of this process."""

    def __init__(self) -> None:
        self._turn, self._line = Lock(), Lock()
        self._all, self._addresses = Places(MOST_DOWNLOADS), Places(MOST_OF_ADDRESS)

    @contextmanager
    def take(self, address: str) -> Iterator[None]:
        """Hold the mutex in a `with` block, on behalf of a client address. Raises `TooBusy`."""
        self._enqueue(address)
        try:
            if not self._turn.acquire(timeout=PATIENCE):
                raise TooBusy
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._dequeue(address)

    def _enqueue(self, address: str) -> None:
        with self._line:
            if not self._addresses.take(address):
                raise TooBusy
            if not self._all.take(ALL):
                self._addresses.give_back(address)
                raise TooBusy

    def _dequeue(self, address: str) -> None:
        with self._line:
            self._addresses.give_back(address)
            self._all.give_back(ALL)


turns = process.part(Turns)
"""The download queue of this process."""
