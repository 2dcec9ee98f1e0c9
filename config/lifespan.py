"""What a server process starts before its first request, and stops after the last one.

`config.server` calls these functions, since daphne has no lifespan. Other ASGI servers send the events of
https://asgi.readthedocs.io/en/latest/specs/lifespan.html.
"""

from __future__ import annotations

import gc
import sys
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.schema import schema

CLOSE_RESTART = 4012
"""Close code that asks clients to reconnect."""
SWITCH_SECONDS = 0.0002
"""`sys.setswitchinterval`: how long the event loop waits for each busy thread."""
GC_THRESHOLD = 50_000
"""`gc.set_threshold`: some ten megabytes of new objects before the collector runs."""


def start() -> None:
    """Start the background work of the event loop: clocks, bots, ratings, webhooks and the lobby."""
    from django.urls import get_resolver

    from config.observability import slow
    from games import background as games
    from games.net.tasks import activity
    from lobby import background as lobby

    # Import the URLs now and not with the first page: that loads half of the site.
    _ = get_resolver().url_patterns
    # Exclude what is loaded from garbage collection. Collecting it stopped every match for a tenth of a
    # second, and takes as long now: of 285,000 objects, 4,000 are garbage.
    gc.freeze()
    # Reference counting frees what a move creates. A collection every 700 objects would cost more than the
    # rules of the game.
    gc.set_threshold(GC_THRESHOLD, 20, 20)
    gc.enable()
    sys.setswitchinterval(SWITCH_SECONDS)
    activity.begin()
    slow.begin()
    games.begin()
    lobby.begin()


def check() -> None:
    """Raise `ImproperlyConfigured` with what keeps this process from serving, if anything does."""
    from django.conf import settings

    from games.computers.pool import check_installed

    check_installed(settings.BOT_PROCESSES)
    schema.check()


async def close_sockets() -> None:
    """Close every WebSocket, and refuse new ones."""
    from games.net.hub import hub

    await hub.drain(CLOSE_RESTART)


async def finish() -> None:
    """Finish pending writes. No moves are accepted afterwards."""
    from games import background

    await background.end()


async def lifespan(_scope: dict[str, Any], receive: Any, send: Any) -> None:
    """The ASGI application for the `lifespan` scope."""
    from games.net.threads import in_thread

    while True:
        event = await receive()
        if event["type"] == "lifespan.startup":
            try:
                await in_thread(check)()
            except ImproperlyConfigured as error:
                await send({"type": "lifespan.startup.failed", "message": str(error)})
                return
            start()
            await send({"type": "lifespan.startup.complete"})
        elif event["type"] == "lifespan.shutdown":
            await close_sockets()
            await finish()
            await send({"type": "lifespan.shutdown.complete"})
            return
