"""daphne's server with all changes of this package.

Importing this module installs Twisted's reactor.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import daphne.server

from config.daphne.fast_path import DirectConnection, FastPathWebSocketProtocol
from config.daphne.http_request import Channel
from games.net.connection import DIRECT

IDLE_SECONDS = 30
"""How long a connection may send nothing, except while its request is answered."""
CLOSE_SECONDS = 5
"""How long a client may take to answer a close frame. autobahn's second is too short for a slow phone: the
connection is reset, and what was sent last can be lost with it."""


class Server(daphne.server.Server):  # type: ignore[misc]
    """Serves an ASGI application. Arguments are daphne's."""

    def install(self) -> None:
        """Put this package's classes into daphne's factories, before anybody connects."""
        self.http_factory.protocol = Channel
        self.http_factory.timeOut = IDLE_SECONDS
        self.ws_factory.protocol = FastPathWebSocketProtocol
        # A client that sends too much gets a close frame that says so.
        self.ws_factory.setProtocolOptions(failByDrop=False, closeHandshakeTimeout=CLOSE_SECONDS)

    @property
    def port(self) -> int:
        """The port on which it listens."""
        number: int = self.listening_addresses[0][1]
        return number

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Start the application for a request or a WebSocket, which is offered direct writes."""
        # TLS would have to encrypt first.
        if scope["type"] == "websocket" and type(protocol.transport).__module__ == "twisted.internet.tcp":
            scope["extensions"] = {DIRECT: partial(DirectConnection, protocol)}
        return super().create_application(protocol, scope)

    def has_connections(self) -> bool:
        """Whether a response is under way or a WebSocket is not closed yet."""
        return any("disconnected" not in details for details in self.connections.values())
