"""The server: `python -m config.server --host 127.0.0.1 --port 8000`.

daphne with the limits and the fast path of `config.daphne`. It prints where it listens and notices a
half-open peer within 15 seconds. Graceful shutdown on SIGTERM or Ctrl-C: `/readyz` and new handshakes are
answered with 503, sockets close with 4012 ("come back"), pending writes finish, and the exit code is 0.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ImproperlyConfigured

from config import lifespan
from config.address import Unusable, announcement, check_free

if TYPE_CHECKING:
    from collections.abc import Callable

    from config.daphne.server import Server

PING_INTERVAL = 5
"""Seconds of silence before a peer is sent a ping."""
PING_TIMEOUT = 10
"""Seconds it has to send a pong."""
MESSAGE_BYTES = 16 * 1024
"""Far above the longest command; daphne queues what it has read without bound."""
HTTP_TIMEOUT = 30
"""Seconds until a response must begin. Otherwise it is 503."""
CLOSING_SECONDS = 3.0
"""How long shutdown waits for responses under way and for clients to close their sockets."""
DRAIN_SECONDS = 6.0
"""How long shutdown may take in all, before the server stops."""
END_SECONDS = 7.5
"""The process ends this long after the signal, whatever still runs. Container engines kill after ten."""
LAST_SECONDS = 1.0
"""How long the process may take to end once the server stops: a thread may wait for the store for ever."""

BACKLOG = 4096
"""Connections that may wait for `accept`. Further clients try again seconds later."""
OPENING_SECONDS = 30
"""How long a handshake may take: as long as a response may take to begin."""


# `__main__` is the name of this module when it is run.
logger = logging.getLogger("config.server")


def main(arguments: list[str] | None = None) -> int:
    """Serve until told to stop; the exit code."""
    parser = argparse.ArgumentParser(prog="config.server", description="Serve Parlour.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on, 0.0.0.0 for all")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on, 0 for any free one")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        check_free(options.host, options.port)
        server = build(options.host, options.port, begin=lifespan.start)
        _tell_prometheus()
    except (Unusable, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    server.run()
    return 1 if server.failed_to_listen else 0


def _site() -> Any:
    from config.asgi import application

    return application


def _tell_prometheus() -> None:
    from config.observability import metrics

    metrics.begin(check_free)


def build(
    host: str, port: int, load: Callable[[], Any] = _site, begin: Callable[[], None] | None = None
) -> Server:
    """A server that announces itself and shuts down gracefully on a signal. Installs Twisted's reactor.

    Args:
        load: returns the ASGI application; called when the event loop is in place.
        begin: called in the loop once the server listens.

    Raises `ImproperlyConfigured` if a library lacks what the server needs (`config.daphne.compatibility`).
    """
    import uvloop

    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    from config.daphne import reactor

    reactor.install()
    from daphne.endpoints import build_endpoint_description_strings

    from config.daphne.server import Server

    # The server logs its address itself.
    logging.getLogger("daphne.server").setLevel(logging.WARNING)

    def serving() -> None:
        sys.stdout.write(announcement(host, server.port) + "\n")
        sys.stdout.flush()
        logger.info("daphne is changed in: %s", ", ".join(server.features))

    def ready() -> None:
        server.install()
        loop = asyncio.get_event_loop()
        # A signal before the loop starts would be lost, so the address is printed only then.
        loop.call_soon(serving)
        if begin is not None:
            loop.call_soon(begin)
        GracefulShutdown(server).on_signals(loop)

    server = Server(
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
    """daphne's options for the client's address: trust forwarded headers only if a proxy is configured."""
    from django.conf import settings

    if not settings.BEHIND_PROXY:
        return {}
    return {
        "proxy_forwarded_address_header": "X-Forwarded-For",
        "proxy_forwarded_port_header": "X-Forwarded-Port",
        "proxy_forwarded_proto_header": "X-Forwarded-Proto",
    }


class GracefulShutdown:
    """The first signal closes everything in order. A second one ends the process at once."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._task: asyncio.Task[None] | None = None

    def on_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        """Shut down when the process is asked to end."""
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal, loop, number)

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
            end_within(LAST_SECONDS)
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


if __name__ == "__main__":
    sys.exit(main())
