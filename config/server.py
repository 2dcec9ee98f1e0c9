"""The server: `python -m config.server --host 127.0.0.1 --port 8000`.

daphne with what a table of people needs: it says in one line where it is, notices a dead peer within
15 seconds, and takes leave properly: on SIGTERM or Ctrl-C `/readyz` answers 503, new sockets are refused
with 503 too, every other one is closed with 4012 ("come back"), what is being written is written, and the
exit code is 0.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ImproperlyConfigured

from config.address import Unusable, announcement, check_free

if TYPE_CHECKING:
    from collections.abc import Callable

    from daphne.server import Server

PING_INTERVAL = 5
"""Seconds of silence before a peer is asked whether it is there."""
PING_TIMEOUT = 10
"""Seconds it has to answer."""
MESSAGE_BYTES = 16 * 1024
"""Far above the longest command; daphne queues what it has read without bound."""
HTTP_TIMEOUT = 30
"""Seconds a page may take to begin before the server answers 503."""
CLOSE_RESTART = 4012
"""Close code that asks clients to come back."""
CLOSING_SECONDS = 3.0
"""Patience when stopping with answers under way, and with peers that do not see their sockets close."""
DRAIN_SECONDS = 6.0
"""Patience with all there is to do before stopping."""
END_SECONDS = 7.5
"""After which the process ends, whatever still waits; container engines kill after ten."""
LAST_SECONDS = 1.0
"""Patience with what is left once leave has been taken: a thread may wait for the store for ever."""

BACKLOG = 4096
"""Connections that may wait to be taken up; whoever comes on top of them tries again seconds later."""
OPENING_SECONDS = 30
"""How long a socket may wait until it is let in: as long as a page may take to begin."""

TURN_SECONDS = 0.0002
"""How long a thread goes on while others wait; the event loop waits so long for each that is at work."""
NEW_THINGS = 50_000
"""Objects made and not yet let go of, some ten megabytes, after which garbage is looked for."""

logger = logging.getLogger(__name__)


def main(arguments: list[str] | None = None) -> int:
    """Serve until told to stop; the exit code."""
    parser = argparse.ArgumentParser(prog="config.server", description="Serve Parlour.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on, 0.0.0.0 for all")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on, 0 for any free one")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        check_free(options.host, options.port)
        server = build(options.host, options.port, begin=_begin)
        _tell_prometheus()
    except (Unusable, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    server.run()
    return 1 if server.abort_start else 0


def _site() -> Any:
    from config.asgi import application

    return application


def _tell_prometheus() -> None:
    from config.operation import metrics

    metrics.begin(check_free)


def _begin() -> None:
    """Flags fall, computers move, results are settled, webhooks are sent, also while nobody is there."""
    from django.urls import get_resolver

    from config.operation import slow
    from games import background as games
    from lobby import background as lobby

    # Now and not with somebody's first page: it imports half of the site.
    _ = get_resolver().url_patterns
    # What is loaded stays for good; searching it for garbage stopped every match for a tenth of a second.
    gc.collect()
    gc.freeze()
    # What a move makes goes by itself; to look for circles after every 700 objects costs more than a judge.
    gc.set_threshold(NEW_THINGS, 20, 20)
    sys.setswitchinterval(TURN_SECONDS)
    slow.begin()
    games.begin()
    lobby.begin()


def build(
    host: str, port: int, load: Callable[[], Any] = _site, begin: Callable[[], None] | None = None
) -> Server:
    """A daphne server that announces itself and drains on a signal. Installs Twisted's reactor.

    `load` returns the ASGI application; it is called when the event loop is in place. `begin` is called
    in the loop once the server listens.
    """
    import uvloop

    # daphne makes its event loop while it is imported.
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    from daphne.endpoints import build_endpoint_description_strings

    from config.door import steady
    from config.http import PatientServer

    steady.go_by_it()
    # Its own account of where it listens would be a second and a third line.
    logging.getLogger("daphne.server").setLevel(logging.WARNING)

    def serving() -> None:
        sys.stdout.write(announcement(host, server.listening_addresses[0][1]) + "\n")
        sys.stdout.flush()

    def ready() -> None:
        # Otherwise who sends too much is cut off, and never learns why.
        server.ws_factory.setProtocolOptions(failByDrop=False)
        loop = asyncio.get_event_loop()
        # A signal between now and the loop's start would be lost, so nobody is told before.
        loop.call_soon(serving)
        if begin is not None:
            loop.call_soon(begin)
        Drain(server).on_signals(loop)

    server = PatientServer(
        load(),
        endpoints=[
            f"{endpoint}:backlog={BACKLOG}"
            for endpoint in build_endpoint_description_strings(host=host, port=port)
        ],
        signal_handlers=False,
        ready_callable=ready,
        http_timeout=HTTP_TIMEOUT,
        ping_interval=PING_INTERVAL,
        ping_timeout=PING_TIMEOUT,
        websocket_handshake_timeout=OPENING_SECONDS,
        websocket_connect_timeout=OPENING_SECONDS,
        websocket_max_message_size=MESSAGE_BYTES,
        websocket_max_frame_size=MESSAGE_BYTES,
        server_name="",
        **_proxy_headers(),
    )
    return server


def _proxy_headers() -> dict[str, Any]:
    """Whom to believe about the client's address: nobody, unless the settings say a proxy vouches for it."""
    from django.conf import settings

    if not settings.BEHIND_PROXY:
        return {}
    return {
        "proxy_forwarded_address_header": "X-Forwarded-For",
        "proxy_forwarded_port_header": "X-Forwarded-Port",
        "proxy_forwarded_proto_header": "X-Forwarded-Proto",
    }


class Drain:
    """Stopping: the first signal takes leave of everyone, a second one does not wait."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._leaving: asyncio.Task[None] | None = None

    def on_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        """Drain when the process is asked to end."""
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal, loop, number)

    def _on_signal(self, loop: asyncio.AbstractEventLoop, number: int) -> None:
        if self._leaving is not None:
            # Nothing is lost that was acknowledged: the store has it.
            os._exit(128 + number)
        end_within(END_SECONDS)
        self._leaving = loop.create_task(self._leave())

    async def _leave(self) -> None:
        from games import background
        from games.net.hub import hub

        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DRAIN_SECONDS):
                    await hub.drain(CLOSE_RESTART)
                    await self._connections_gone()
                    await background.end()
        except Exception:
            logger.exception("the server stops without having taken leave of everyone")
        finally:
            self._drop_connections_without_application()
            end_within(LAST_SECONDS)
            self._server.stop()

    async def _connections_gone(self) -> None:
        """Wait until answers under way are sent and peers have seen their sockets close, but not for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                # daphne tells nobody when a connection ends, so this asks.
                while any("disconnected" not in details for details in self._server.connections.values()):  # noqa: ASYNC110
                    await asyncio.sleep(0.02)

    def _drop_connections_without_application(self) -> None:
        """daphne stumbles when stopping over a connection whose application has already ended."""
        for protocol, details in list(self._server.connections.items()):
            if "application_instance" not in details:
                del self._server.connections[protocol]


def end_within(seconds: float) -> None:
    """End the process then, whatever still waits, if it has not ended by itself."""
    last = threading.Timer(seconds, _end)
    last.daemon = True
    last.start()


def _end() -> None:
    # What was acknowledged is stored, and what waits for the store was not.
    logger.warning("something still waits and is left: the process ends")
    logging.shutdown()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
