"""HTTP answers that take long: daphne, with patience for whoever sends them and none for who does not read.

As it comes, daphne ends every answer that is not complete after its timeout, and keeps in memory whatever a
client does not read. Here the timeout is for the answer to begin; from then on the application waits while
the client reads, and a client that reads nothing for as long is let go.

Importing this installs Twisted's reactor.
"""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.server import Server

from config.closing import LingeringProtocol

READ_SECONDS = 30
"""How long a client may read nothing of what waits for it."""


class Reader:
    """Whether the other end takes what it is sent: a producer, as Twisted's transports tell them."""

    def __init__(self) -> None:
        self.waiting_since: float | None = None
        self._reads = asyncio.Event()
        self._reads.set()

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        """The buffer is full."""
        self.waiting_since = time.monotonic()
        self._reads.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        """The buffer is empty."""
        self.waiting_since = None
        self._reads.set()

    stopProducing = resumeProducing  # noqa: N815 - whoever waits finds out by themselves

    async def reads(self) -> None:
        """Return once there is room again, or nobody left to read."""
        await self._reads.wait()

    def is_gone(self) -> bool:
        """Whether nothing was read for too long."""
        return self.waiting_since is not None and time.monotonic() - self.waiting_since > READ_SECONDS


class Request(WebRequest):  # type: ignore[misc]
    """One request and its answer."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.reader = Reader()
        super().__init__(*arguments, **options)

    def handle_reply(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start" and self.channel is not None and self.producer is None:
            self.registerProducer(self.reader, streaming=True)
            _notice_the_dead(self.channel.transport)
        super().handle_reply(message)

    def finish(self) -> None:
        if self.producer is not None:
            self.unregisterProducer()
        super().finish()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802 - Twisted's name
        self.reader.resumeProducing()
        super().connectionLost(reason)

    def check_timeouts(self) -> None:
        if not self._response_started:
            super().check_timeouts()
        elif self.reader.is_gone() and self.channel is not None:
            self.channel.forceAbortClient()


class Factory(HTTPFactory):  # type: ignore[misc]
    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802 - Twisted's name
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol


class PatientServer(Server):  # type: ignore[misc]
    """daphne's server with the requests above, and with sockets that linger."""

    @property
    def http_factory(self) -> Factory:
        """What makes requests."""
        return self._http_factory

    @http_factory.setter
    def http_factory(self, _made_by_daphne: HTTPFactory) -> None:
        self._http_factory = Factory(self)

    @property
    def ws_factory(self) -> Any:
        """What makes sockets."""
        return self._ws_factory

    @ws_factory.setter
    def ws_factory(self, made_by_daphne: Any) -> None:
        made_by_daphne.protocol = LingeringProtocol
        self._ws_factory = made_by_daphne

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        await super().handle_reply(protocol, message)
        if isinstance(protocol, Request):
            await protocol.reader.reads()


def _notice_the_dead(transport: Any) -> None:
    """Have the kernel give up a peer that acknowledges nothing; streams say something every ten seconds."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        handle = transport.getHandle()
        if handle.family in (socket.AF_INET, socket.AF_INET6):
            handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, READ_SECONDS * 1000)
