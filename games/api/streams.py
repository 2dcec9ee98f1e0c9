"""Streams: the messages of sockets as lines of an HTTP response, for programs.

A stream is a subscriber of the hub. Messages are queued until the server can send them; slow readers are
disconnected, as on sockets, and fetch what they missed when they reconnect.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils import translation
from django.utils.translation import get_language, gettext

from games.api.access import Caller, is_good
from games.domain import codec
from games.domain.refusals import Refused
from games.net.connection import BACKLOG_BYTES
from games.net.hub import Frame, hub
from games.net.process import process
from games.net.threads import in_thread
from games.rules.base import Seat, gettext_noop
from games.watch.visibility import PlayersOnly

CONTENT_TYPE = "application/x-ndjson"
HEARTBEAT_SECONDS = 10.0
"""Seconds without a message after which an empty line is sent, so that both ends detect a lost connection."""

RESTART, BAD_TOKEN, TOO_SLOW = "restart", "bad-token", "too-slow"
ENDS = {
    PlayersOnly.code: PlayersOnly.sentence,
    RESTART: gettext_noop("The server is restarting. Reconnect in a few seconds."),
    BAD_TOKEN: gettext_noop("The token of this stream is no longer valid."),
    TOO_SLOW: gettext_noop("You read this stream too slowly. Reconnect to continue."),
}
"""The sentences of the reasons why a stream ends, by the code in its last line."""


class TooManyStreams(Refused):
    """The caller has reached the limit of open streams."""

    code, status = "too-many-streams", 429
    sentence = gettext_noop("You already have %(most)d open streams. Close one first.")
    headers = {"Retry-After": "10"}

    def __init__(self) -> None:
        super().__init__(most=settings.API_STREAMS)


class ServerRestart(Refused):
    """The server is shutting down and opens no new streams."""

    code, status = RESTART, 503
    sentence = ENDS[RESTART]
    headers = {"Retry-After": "2"}


class Stream:
    """The queue of one reader's messages, in the order of the hub.

    `games.watch.match_presence` treats it like a socket: while it is open, the caller is at the match.

    Attributes:
        check: raises `Refused` if the caller may not read on.
    """

    def __init__(self, caller: Caller, owner: str, seat: Seat | None = None) -> None:
        self.caller, self.owner, self.seat = caller, owner, seat
        # The language of the request, which has ended when messages are sent.
        self.language = get_language() or settings.LANGUAGE_CODE
        self._topics: list[str] = []
        self._payloads: deque[bytes] = deque()
        self._bytes = 0
        self._news = asyncio.Event()
        self._checked = time.monotonic()
        self._end = ""
        self.check: Callable[[], Awaitable[object]] = _no_check

    @property
    def user_id(self) -> int | None:
        """The id of the user whose token opened the stream; None for a visitor."""
        return self.caller.user_id

    @property
    def name(self) -> str:
        """The name of the user whose token opened the stream."""
        return self.caller.name

    def join(self, *topics: str) -> None:
        """Subscribe to topics, of all processes, until `leave`."""
        for topic in topics:
            self._topics.append(topic)
            hub.join(topic, self)

    def leave(self) -> None:
        """Unsubscribe from all topics."""
        topics, self._topics = self._topics, []
        for topic in topics:
            hub.leave(topic, self)

    def write(self, frame: Frame) -> None:
        """Queue a message; a stream whose reader falls behind by `BACKLOG_BYTES` is ended."""
        if self._end:
            return
        self._payloads.append(frame.payload)
        self._bytes += len(frame.payload)
        if self._bytes > BACKLOG_BYTES:
            self._payloads.clear()
            self.end(TOO_SLOW)
        self._news.set()

    async def close(self, code: int) -> None:
        """End the stream, so that the client opens it again."""
        self.end(RESTART)

    async def resync(self) -> None:
        """Find out whether the end of a right was lost; readers find missed messages by their numbers."""
        await self.look_again()

    async def look_again(self) -> None:
        """End the stream if its reader has lost the right to it."""
        try:
            await self.check()
        except PlayersOnly:
            self.end(PlayersOnly.code)
        except Refused:
            self.end(RESTART)

    def end(self, code: str) -> None:
        """Send what is queued, then a last line with the reason `code`, and end the stream."""
        self._end = self._end or code
        self._news.set()

    async def payloads(self) -> AsyncGenerator[bytes]:
        """Yield messages as JSON, an empty one after a silence, and at the end the reason."""
        while not self._end or self._payloads:
            if self._payloads:
                payload = self._payloads.popleft()
                self._bytes -= len(payload)
                yield payload
            elif not await self._news_comes():
                yield b""
            await self._check_token()
        with translation.override(self.language):
            detail = gettext(ENDS[self._end])
        yield codec.encode({"type": "error", "code": self._end, "detail": detail})

    async def _news_comes(self) -> bool:
        """Wait for a message; False after `HEARTBEAT_SECONDS` without one."""
        self._news.clear()
        try:
            await asyncio.wait_for(self._news.wait(), HEARTBEAT_SECONDS)
        except TimeoutError:
            return False
        return True

    async def _check_token(self) -> None:
        """Check at intervals whether the token is still valid."""
        now = time.monotonic()
        if now - self._checked > HEARTBEAT_SECONDS:
            self._checked = now
            if not await in_thread(is_good)(self.caller):
                self.end(BAD_TOKEN)


async def _no_check() -> None:
    """Whoever began to read may read on."""


class Streams:
    """The streams of this process."""

    def __init__(self) -> None:
        self._open: set[Stream] = set()

    def check(self, owner: str) -> None:
        """Check that `owner` may open another stream. Raises `TooManyStreams` or `ServerRestart`."""
        if hub.draining:
            raise ServerRestart
        most = settings.API_STREAMS
        if most and sum(stream.owner == owner for stream in self._open) >= most:
            raise TooManyStreams

    def opened(self, stream: Stream) -> None:
        """Note a stream that has begun."""
        self._open.add(stream)

    def closed(self, stream: Stream) -> None:
        """Forget a stream that has ended."""
        stream.leave()
        self._open.discard(stream)

    def end_of_token(self, number: int) -> None:
        """End the streams of a revoked token, by its id."""
        for stream in tuple(self._open):
            if stream.caller.token == number:
                stream.end(BAD_TOKEN)


streams = process.part(Streams)
"""The streams of this process."""


def response(lines: AsyncGenerator[bytes]) -> StreamingHttpResponse:
    """A streaming response of lines; its headers tell proxies not to buffer it."""

    async def body() -> AsyncGenerator[bytes]:
        async with aclosing(lines):
            async for line in lines:
                yield line + b"\n"

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(body(), content_type=CONTENT_TYPE, headers=headers)


def owner_of(caller: Caller, address: str) -> str:
    """The key by which streams are limited: the user, or the network address without a token."""
    return f"person {caller.user_id}" if caller.user_id is not None else f"address {address}"
