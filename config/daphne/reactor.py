"""Twisted's reactor for uvloop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from twisted.internet.asyncioreactor import AsyncioSelectorReactor
from twisted.internet.error import ConnectionLost
from twisted.internet.main import installReactor
from twisted.python.failure import Failure


class Reactor(AsyncioSelectorReactor):
    """An asyncio reactor.

    When a client resets a connection before all of its data was read, uvloop closes its own handle of the
    socket and Twisted hears nothing of it. The next read or write then raises `RuntimeError`: in the middle
    of whatever wrote, for example daphne's only timer of pings. Here it ends that connection instead.
    """

    def addReader(self, reader: Any) -> None:  # noqa: N802
        """Watch a file descriptor for data to read."""
        self._add(super().addReader, reader)

    def addWriter(self, writer: Any) -> None:  # noqa: N802
        """Watch a file descriptor for room to write."""
        self._add(super().addWriter, writer)

    def _add(self, add: Callable[[Any], None], descriptor: Any) -> None:
        try:
            add(descriptor)
        except RuntimeError:
            reset: Any = Failure(ConnectionLost())  # type: ignore[no-untyped-call]
            self.callLater(0, descriptor.connectionLost, reset)  # type: ignore[no-untyped-call]


def install() -> None:
    """Install it. Call this before daphne is imported, which otherwise installs its own."""
    installReactor(Reactor(asyncio.new_event_loop()))  # type: ignore[no-untyped-call]
