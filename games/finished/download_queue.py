"""Who may have what takes long to read and to write: one after the other, so that everybody else goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from games.domain.refusals import Refused
from games.net.limits import Places
from games.rules.base import gettext_noop

MOST_OF_ADDRESS = 2
"""How many of one address may wait, with the one whose turn it is."""
MOST = 4
"""The same of everybody: whoever waits may keep a connection to the database."""
PATIENCE = 10.0
"""Seconds that one waits for a turn."""

ALL = "all"


class TooBusy(Refused):
    """Others have their matches read just now."""

    code, status = "busy", 503
    sentence = gettext_noop("Many long matches are being read just now. Please try again in a moment.")
    headers = {"Retry-After": "3"}


class Turns:
    """One turn at a time in this process, and a short line in front of it. For threads."""

    def __init__(self) -> None:
        self._turn, self._line = Lock(), Lock()
        self._everybody, self._addresses = Places(MOST), Places(MOST_OF_ADDRESS)

    @contextmanager
    def take(self, address: str) -> Iterator[None]:
        """Have a turn inside, for somebody of that address. Raises `TooBusy`."""
        self._stand_in_line(address)
        try:
            if not self._turn.acquire(timeout=PATIENCE):
                raise TooBusy
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._leave_line(address)

    def _stand_in_line(self, address: str) -> None:
        with self._line:
            if not self._addresses.take(address):
                raise TooBusy
            if not self._everybody.take(ALL):
                self._addresses.give_back(address)
                raise TooBusy

    def _leave_line(self, address: str) -> None:
        with self._line:
            self._addresses.give_back(address)
            self._everybody.give_back(ALL)


turns = Turns()
"""The turns of this process."""
