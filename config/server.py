"""The server: `python -m config.server --host 127.0.0.1 --port 8000`.

daphne with the limits and the fast path of `config.daphne`. It prints where it listens and notices a
half-open peer within 15 seconds. Graceful shutdown on SIGTERM or Ctrl-C: `/readyz` and new handshakes are
answered with 503, sockets close with 4012 ("come back"), pending writes finish, and the exit code is 0.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from django.core.exceptions import ImproperlyConfigured

from config import lifespan
from config.address import Unusable, announcement, check_free, exposure
from config.shutdown import GracefulShutdown

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

BACKLOG = 4096
"""Connections that may wait for `accept`. Further clients try again seconds later."""
OPENING_SECONDS = 30
"""How long a handshake may take: as long as a response may take to begin."""


# `__main__` is the name of this module when it is run.
logger = logging.getLogger("config.server")


def main(arguments: list[str] | None = None, announce: Callable[[str, int], str] = announcement) -> int:
    """Serve until told to stop; the exit code.

    Args:
        arguments: those of the command line.
        announce: by host and port, what to print once the server listens.
    """
    parser = argparse.ArgumentParser(prog="config.server", description="Serve Parlour.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on, 0.0.0.0 for all")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on, 0 for any free one")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Until `lifespan.start`. Loading makes few cycles, and searching for them takes a sixth of its time.
    gc.disable()
    try:
        check_free(options.host, options.port)
        server = build(options.host, options.port, begin=lifespan.start, announce=announce)
        lifespan.check()
        _tell_prometheus()
    except (Unusable, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except PermissionError as error:
        sys.stderr.write(f"The user of the server cannot read {error.filename}.\n")
        return 1
    _warn_of_few_files()
    server.run()
    return 0 if server.listening_addresses else 1


def _site() -> Any:
    from config.asgi import application

    return application


def _warn_of_few_files() -> None:
    from django.conf import settings

    from config.environment import files_problem

    if problem := files_problem(settings.CONNECTIONS):
        logger.warning(problem)


def _tell_prometheus() -> None:
    from config.observability import metrics

    metrics.begin(check_free)


def build(
    host: str,
    port: int,
    load: Callable[[], Any] = _site,
    begin: Callable[[], None] | None = None,
    announce: Callable[[str, int], str] = announcement,
) -> Server:
    """A server that announces itself and shuts down gracefully on a signal. Installs Twisted's reactor.

    Args:
        load: returns the ASGI application; called when the event loop is in place.
        begin: called in the loop once the server listens.
        announce: by host and port, what to print then.

    Raises `ImproperlyConfigured` if a library has an untested version (`config.daphne.compatibility`).
    """
    from django.conf import settings

    from config.daphne import compatibility, reactor

    compatibility.check()
    asyncio.set_event_loop_policy(_event_loop_policy())
    reactor.install()
    from daphne.endpoints import build_endpoint_description_strings

    from config.daphne.server import Server

    # The server logs its address itself.
    logging.getLogger("daphne.server").setLevel(logging.WARNING)

    def serving() -> None:
        if danger := exposure(host, settings.BEHIND_PROXY):
            sys.stdout.write(danger + "\n")
        sys.stdout.write(announce(host, server.port) + "\n")
        sys.stdout.flush()

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
    )
    return server


def _event_loop_policy() -> Any:
    """uvloop's, or asyncio's where there is no uvloop, as on Windows."""
    try:
        import uvloop
    except ImportError:
        # Twisted needs a loop that selects, which is not the default on Windows.
        return getattr(asyncio, "WindowsSelectorEventLoopPolicy", asyncio.DefaultEventLoopPolicy)()
    return uvloop.EventLoopPolicy()


def end(code: int) -> NoReturn:
    """End the process without waiting for threads, which may wait for the store for ever.

    All that was acknowledged is stored by now.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    end(main())
