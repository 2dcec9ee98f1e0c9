"""A connection to Redis that both publishes and hears, in callbacks: nobody waits for what it brings.

redis-py has a task, a timer and a dozen coroutines for each message, which cost three times what is done here
(docs/performance.md). How addresses are written, TLS and the parser in C are its own.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Self

import hiredis
from redis.asyncio.connection import SSLConnection, parse_url

Answered = Callable[[Any], None]


class RedisLine(asyncio.Protocol):
    """One connection, by RESP3, which Redis speaks since version 6. Commands are answered in their order.

    Args:
        heard: is given the channel and the data of each message of the channels it is subscribed to.

    Attributes:
        untaken: how many messages were published that Redis has not answered.
        lost: done once the connection is gone; the result is why.
    """

    def __init__(self, heard: Callable[[bytes, bytes], None]) -> None:
        self._heard = heard
        self._parser = hiredis.Reader()
        self._unanswered: deque[Answered] = deque()
        self.untaken = 0
        self._transport: Any = None
        self.lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, url: str, heard: Callable[[bytes, bytes], None]) -> Self:
        """A line to the Redis at `url`, as redis-py writes addresses: redis://, rediss:// or unix://.

        Raises `OSError`, also where Redis does not let this process in.
        """
        options: dict[str, Any] = {**parse_url(url)}
        loop, line = asyncio.get_running_loop(), cls(heard)
        if "path" in options:
            await loop.create_unix_connection(lambda: line, options["path"])
        else:
            host, port = options.get("host", "localhost"), options.get("port", 6379)
            await loop.create_connection(lambda: line, host, port, ssl=_tls(options))
        with ExitStack() as unless_greeted:
            unless_greeted.callback(line.close)
            await line._greet(options.get("username", "default"), options.get("password"))
            unless_greeted.pop_all()
        return line

    async def _greet(self, user: str, password: str | None) -> None:
        """Agree on the protocol. Raises `OSError`."""
        await self.answer("HELLO", "3", *(() if password is None else ("AUTH", user, password)))

    async def subscribe(self, *channels: str) -> None:
        """Hear what is said on these channels from now on. Raises `OSError`."""
        # What is subscribed to is confirmed like a message; the next command has an answer of its own.
        self._send("SUBSCRIBE", *channels)
        await self.answer("PING")

    def publish(self, channel: str, data: bytes, answered: Answered) -> None:
        """Say something on a channel; `answered` is given to how many it went, or a `hiredis.ReplyError`."""

        def taken(reply: Any) -> None:
            self.untaken -= 1
            answered(reply)

        self.untaken += 1
        self._unanswered.append(taken)
        self._send("PUBLISH", channel, data)

    async def answer(self, *command: str) -> Any:
        """Send a command and wait for its answer. Raises `OSError`."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def answered(reply: Any) -> None:
            if not answer.done():  # whoever asked may have given up
                answer.set_result(reply)

        self._unanswered.append(answered)
        self._send(*command)
        await asyncio.wait({answer, self.lost}, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise ConnectionResetError(self.lost.result())
        if isinstance(answer.result(), hiredis.ReplyError):
            raise ConnectionRefusedError(str(answer.result()))
        return answer.result()

    def close(self) -> None:
        """Hang up at once; what was not sent is lost."""
        self._transport.abort()

    def _send(self, *command: str | bytes) -> None:
        # Its types know commands of one word alone.
        self._transport.write(hiredis.pack_command(command))  # type: ignore[arg-type]

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._parser.feed(data)
        while (reply := self._parser.gets()) is not False:
            if not isinstance(reply, hiredis.PushNotification):
                self._unanswered.popleft()(reply)
            elif reply[0] == b"message":
                _, channel, said = reply
                self._heard(channel, said)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(str(error or "it hung up"))


def _tls(options: dict[str, Any]) -> ssl.SSLContext | None:
    """What an address says of TLS; None for an address without it."""
    if options.pop("connection_class", None) is not SSLConnection:
        return None
    context: ssl.SSLContext = SSLConnection(**options).ssl_context.get()
    return context
