"""Streams: what sockets are told, line by line over plain HTTP, for programs.

A stream is one more subscriber of the hub. What it is told waits here until the server can send it:
whoever reads too slowly is cut off, as on a socket, and comes back for what is missing.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator
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

CONTENT_TYPE = "application/x-ndjson"
HEARTBEAT_SECONDS = 10.0
"""Silence after which an empty line is sent, by which either end notices that the other one is gone."""

RESTART, BAD_TOKEN, TOO_SLOW = "restart", "bad-token", "too-slow"
ENDS = {
    RESTART: gettext_noop("The server is restarting. Reconnect in a few seconds."),
    BAD_TOKEN: gettext_noop("The token of this stream is no longer valid."),
    TOO_SLOW: gettext_noop("You read this stream too slowly. Reconnect to continue."),
}
"""Why a stream ends, by the code of its last line."""


class TooManyStreams(Refused):
    """Somebody has as many streams open as they may."""

    code, status = "too-many-streams", 429
    sentence = gettext_noop("You already have %(most)d open streams. Close one first.")
    headers = {"Retry-After": "10"}

    def __init__(self) -> None:
        super().__init__(most=settings.API_STREAMS)


class ServerRestart(Refused):
    """The server is on its way out and begins no stream."""

    code, status = RESTART, 503
    sentence = ENDS[RESTART]
    headers = {"Retry-After": "2"}


class Stream:
    """What one reader is told, in the order in which the hub said it.

    To `games.watch.match_presence` it is a socket like any other: while it is open, its person is at the
    match.
    """

    def __init__(self, caller: Caller, owner: str, seat: Seat | None = None) -> None:
        self.caller, self.owner, self.seat = caller, owner, seat
        # What was asked for; when there is something to say, the request is long over.
        self.language = get_language() or settings.LANGUAGE_CODE
        self._topics: list[str] = []
        self._payloads: deque[bytes] = deque()
        self._bytes = 0
        self._news = asyncio.Event()
        self._checked = time.monotonic()
        self._end = ""

    @property
    def user_id(self) -> int | None:
        return self.caller.user_id

    @property
    def name(self) -> str:
        return self.caller.name

    def join(self, *topics: str) -> None:
        """Hear what the hub says on topics, here and elsewhere, from the return until `leave`."""
        for topic in topics:
            self._topics.append(topic)
            hub.join(topic, self)

    def leave(self) -> None:
        """Hear nothing any more."""
        topics, self._topics = self._topics, []
        for topic in topics:
            hub.leave(topic, self)

    def write(self, frame: Frame) -> None:
        if self._end:
            return
        self._payloads.append(frame.payload)
        self._bytes += len(frame.payload)
        if self._bytes > BACKLOG_BYTES:
            self._payloads.clear()
            self.end(TOO_SLOW)
        self._news.set()

    async def close(self, code: int) -> None:
        self.end(RESTART)

    async def resync(self) -> None:
        """Readers of streams look into the store now and then, and see by numbers what they missed."""

    def end(self, code: str) -> None:
        """Say what waits to be said, then why there will be no more."""
        self._end = self._end or code
        self._news.set()

    async def payloads(self) -> AsyncGenerator[bytes]:
        """What the hub says, as JSON; empty after a silence, and in the end the reason for it."""
        while not self._end or self._payloads:
            if self._payloads:
                payload = self._payloads.popleft()
                self._bytes -= len(payload)
                yield payload
            elif not await self._news_comes():
                yield b""
            await self._check()
        with translation.override(self.language):
            detail = gettext(ENDS[self._end])
        yield codec.encode({"type": "error", "code": self._end, "detail": detail})

    async def _news_comes(self) -> bool:
        """Wait for something to say; False after a silence."""
        self._news.clear()
        try:
            await asyncio.wait_for(self._news.wait(), HEARTBEAT_SECONDS)
        except TimeoutError:
            return False
        return True

    async def _check(self) -> None:
        """Ask now and then whether whoever reads still may."""
        now = time.monotonic()
        if now - self._checked > HEARTBEAT_SECONDS:
            self._checked = now
            if not await in_thread(is_good)(self.caller):
                self.end(BAD_TOKEN)


class Streams:
    """The streams of this process."""

    def __init__(self) -> None:
        self._open: set[Stream] = set()

    def check(self, owner: str) -> None:
        """Refuse one stream too many of somebody. Raises `TooManyStreams` or `ServerRestart`."""
        if hub.draining:
            raise ServerRestart
        most = settings.API_STREAMS
        if most and sum(stream.owner == owner for stream in self._open) >= most:
            raise TooManyStreams

    def opened(self, stream: Stream) -> None:
        self._open.add(stream)

    def closed(self, stream: Stream) -> None:
        stream.leave()
        self._open.discard(stream)

    def end_of_token(self, number: int) -> None:
        """Nobody comes in by that token any more."""
        for stream in tuple(self._open):
            if stream.caller.token == number:
                stream.end(BAD_TOKEN)


streams = process.part(Streams)
"""The streams of this process."""


def response(lines: AsyncGenerator[bytes]) -> StreamingHttpResponse:
    """The answer that sends lines as they come; proxies are asked to keep none back."""

    async def body() -> AsyncGenerator[bytes]:
        async with aclosing(lines):
            async for line in lines:
                yield line + b"\n"

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(body(), content_type=CONTENT_TYPE, headers=headers)


def owner_of(caller: Caller, address: str) -> str:
    """Whose streams are counted together: those of a person, or of an address without a token."""
    return f"person {caller.user_id}" if caller.user_id is not None else f"address {address}"
