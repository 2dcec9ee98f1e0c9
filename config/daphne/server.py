"""daphne's server with all changes of this package.

Importing this module installs Twisted's reactor.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import daphne.server

from config.daphne.fast_path import DirectConnection, FastPathWebSocketProtocol, is_plain_tcp
from config.daphne.http_channel import IDLE_SECONDS, ConnectionLimits, LimitedHttpChannel
from config.daphne.http_request import Request
from games.net.connection import DIRECT


class Server(daphne.server.Server):  # type: ignore[misc]
    """Serves an ASGI application. Arguments are daphne's."""

    def install(self) -> None:
        """Put this package's classes into daphne's factories, before anybody connects."""
        self.http_factory.protocol = LimitedHttpChannel
        self.http_factory.request_class = Request
        self.http_factory.limits = ConnectionLimits()
        self.http_factory.timeOut = IDLE_SECONDS
        self.ws_factory.protocol = FastPathWebSocketProtocol
        # A client that sends too much gets a close frame that says so.
        self.ws_factory.setProtocolOptions(failByDrop=False)

    @property
    def failed_to_listen(self) -> bool:
        """Whether it ended because its port could not be used."""
        return bool(self.abort_start)

    @property
    def port(self) -> int:
        """The port on which it listens."""
        number: int = self.listening_addresses[0][1]
        return number

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Start the application for a request or a WebSocket, which is offered direct writes."""
        if scope["type"] == "websocket" and is_plain_tcp(protocol):
            scope["extensions"] = {DIRECT: partial(DirectConnection, protocol)}
        return super().create_application(protocol, scope)

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Send a message of the application, and make the application wait while the client does not read."""
        await super().handle_reply(protocol, message)
        if isinstance(protocol, Request):
            await protocol.flow_control.drain()

    def has_connections(self) -> bool:
        """Whether a response is under way or a WebSocket is not closed yet."""
        return any("disconnected" not in details for details in self.connections.values())

    def stop(self) -> None:
        """Stop serving. daphne's own fails on connections whose application has ended already."""
        for protocol, details in list(self.connections.items()):
            if "application_instance" not in details:
                del self.connections[protocol]
        super().stop()
