"""Graceful shutdown on SIGTERM or Ctrl-C: sockets close and pending writes finish."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from config import lifespan

if TYPE_CHECKING:
    from config.daphne.server import Server

CLOSING_SECONDS = 3.0
"""How long shutdown waits for responses under way and for clients to close their sockets."""
DRAIN_SECONDS = 6.0
"""How long shutdown may take in all, before the server stops."""
END_SECONDS = 7.5
"""The process ends this long after the signal, whatever still runs. Container engines kill after ten."""

logger = logging.getLogger(__name__)


def on_signals(loop: asyncio.AbstractEventLoop, handle: Callable[[int], None]) -> None:
    """Call `handle` in the loop with the number of the signal when the process is asked to end."""
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, handle, number)
        except NotImplementedError:
            # The loops of Windows have no signal handlers.
            signal.signal(number, lambda number, _frame: loop.call_soon_threadsafe(handle, number))


class GracefulShutdown:
    """The first signal closes everything in order. A second one ends the process at once."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._task: asyncio.Task[None] | None = None

    def on_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        """Shut down when the process is asked to end."""
        on_signals(loop, functools.partial(self._on_signal, loop))

    def _on_signal(self, loop: asyncio.AbstractEventLoop, number: int) -> None:
        if self._task is not None:
            # Nothing acknowledged is lost: it is stored.
            os._exit(128 + number)
        end_within(END_SECONDS)
        self._task = loop.create_task(self._shut_down())

    async def _shut_down(self) -> None:
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DRAIN_SECONDS):
                    await lifespan.close_sockets()
                    await self._connections_closed()
                    await lifespan.finish()
        except Exception:
            logger.exception("the server stops before everything was closed")
        finally:
            self._server.stop()

    async def _connections_closed(self) -> None:
        """Wait until responses are sent and clients have closed their sockets, up to the time limit."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                # daphne calls nothing when a connection ends.
                while self._server.has_connections():  # noqa: ASYNC110
                    await asyncio.sleep(0.02)


def end_within(seconds: float) -> None:
    """End the process after so many seconds if it has not ended by itself."""
    last = threading.Timer(seconds, _end)
    last.daemon = True
    last.start()


def _end() -> None:
    # Acknowledged moves are stored; pending writes were not acknowledged.
    logger.warning("something still waits and is left: the process ends")
    logging.shutdown()
    os._exit(0)
