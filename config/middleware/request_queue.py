"""A queue for requests: a crowd starves neither the event loop nor the pool of database connections."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache, partial
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.conf import settings
from django.db import connections as database

from config.error_views import unavailable
from config.in_flight import EVERYBODY, REFUSED, RETRY_AFTER, connections, in_flight, places_for
from games.net.limits import address_key

Scope = dict[str, Any]
Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[Scope, Any, Any], Awaitable[None]]

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
PROBES = ("/healthz", "/readyz")
BRIEF_AT_ONCE = 4
"""Turns of static files and health probes, which wait for no page."""
SPARE_THREADS = 4
"""For work after the response, which needs no turn."""
WAIT_SECONDS = 25.0
"""How long a request waits for its turn. daphne gives up 5 s later (`config.server.HTTP_TIMEOUT`)."""
MAX_WAITING = 1000
"""How many requests wait for turns of one kind: about as many as are answered in `WAIT_SECONDS`."""


class RequestQueue:
    """ASGI middleware: works on `PAGES_AT_ONCE` and `FORMS_AT_ONCE` requests at a time; others wait.

    Hundreds of requests at once would share one interpreter with the event loop, so that sockets wait for
    seconds, and requests wait in vain for a connection of the pool.

    - A request waits without a thread, and is dropped when its client leaves.
    - Addresses take turns: who sends a thousand requests does not delay the one of somebody else.
    - Pages, forms, and static files with probes have turns of their own, and wait only behind their kind.
    - A turn ends when the body of the response begins. Slow readers and streams hold none.
    - The server may cancel this application when the client leaves, but not the work on a request: that ends
      by itself, and only then gives back its turn and its places (`config.in_flight`).

    Views that wait for another process must leave some turns to others (`games.share.painter`,
    `games.finished.checker`).
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._pages, self._forms = Turns(settings.PAGES_AT_ONCE), Turns(settings.FORMS_AT_ONCE)
        self._brief = Turns(BRIEF_AT_ONCE)
        self._threads = ThreadPoolExecutor(
            settings.PAGES_AT_ONCE + settings.FORMS_AT_ONCE + BRIEF_AT_ONCE + SPARE_THREADS, "request"
        )
        self._static = f"/{settings.STATIC_URL.strip('/')}/"
        self._working: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request wait for its turn. 429 if its address has too many, 503 if all have."""
        address, places = _address(scope), places_for(_length(scope))
        if not in_flight.take(address, places):
            await _refuse(send, 429, REFUSED, b"text/plain; charset=utf-8")
            return
        if not connections.take(EVERYBODY):
            in_flight.give_back(address, places)
            await _refuse(send, 503, _busy_page(), b"text/html; charset=utf-8")
            return

        def ended(work: asyncio.Task[None]) -> None:
            self._working.discard(work)
            in_flight.give_back(address, places)
            connections.give_back(EVERYBODY)

        work = asyncio.create_task(self._work(address, scope, receive, send))
        # The event loop itself keeps only weak references.
        self._working.add(work)
        work.add_done_callback(ended)
        await asyncio.shield(work)

    async def _work(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait for a turn and answer, while the client waits."""
        body = await _body(receive)
        if body is None:
            return
        gone = asyncio.ensure_future(receive())
        # The client may have left already.
        await asyncio.sleep(0)
        try:
            turns = self._turns_for(scope)
            if not await turns.take(address, gone):
                if not gone.done():
                    await _refuse(send, 503, _busy_page(), b"text/html; charset=utf-8")
                return
            with ExitStack() as turn:
                turn.callback(turns.give_back)
                await self._answer(scope, body, gone, send, turn.close)
        finally:
            gone.cancel()

    def _turns_for(self, scope: Scope) -> Turns:
        if scope["path"] in PROBES or scope["path"].startswith(self._static):
            return self._brief
        return self._pages if scope["method"] in SAFE_METHODS else self._forms

    async def _answer(
        self,
        scope: Scope,
        body: deque[Event],
        gone: asyncio.Future[Event],
        send: Send,
        end_turn: Callable[[], None],
    ) -> None:
        """Have the application answer. Returns when all its threads have ended, also if it was cancelled."""

        async def receive() -> Event:
            return body.popleft() if body else await asyncio.shield(gone)

        async def send_on(event: Event) -> None:
            if event["type"] == "http.response.body":
                end_turn()
            await send(event)

        calls = Calls(self._threads)
        try:
            async with ThreadSensitiveContext(executor=calls):
                await self._application(scope, receive, send_on)
        finally:
            await calls.ended()


class Turns:
    """Turns for a number of requests at a time. The addresses that wait take them in rotation.

    At most `MAX_WAITING` requests wait. Then the newest of the address with the most gives way to that of an
    address with fewer, so that a few addresses cannot shut the others out.
    """

    def __init__(self, number: int) -> None:
        self._free = number
        self._lines: OrderedDict[str, dict[asyncio.Future[None], None]] = OrderedDict()
        self.waiting = 0

    async def take(self, address: str, gone: asyncio.Future[Any]) -> bool:
        """Wait for a turn.

        False without one: `gone` was done first, it took more than `WAIT_SECONDS`, or too many wait.
        """
        if gone.done():
            return False
        if self._free:
            self._free -= 1
            return True
        if self.waiting >= MAX_WAITING and not self._make_room(address):
            return False
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._lines.setdefault(address, {})
        line[turn] = None
        self.waiting += 1
        try:
            await asyncio.wait((turn, gone), timeout=WAIT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.waiting -= 1
            if not turn.done():
                self._leave(address, turn)
        given = turn.done() and not turn.cancelled()
        if given and gone.done():
            self.give_back()
        return given and not gone.done()

    def _make_room(self, address: str) -> bool:
        """Refuse the newest request of the address with the most; False if `address` would have as many."""
        longest = max(self._lines, key=lambda each: len(self._lines[each]))
        if len(self._lines[longest]) <= len(self._lines.get(address, ())) + 1:
            return False
        newest = next(reversed(self._lines[longest]))
        self._leave(longest, newest)
        newest.cancel()
        return True

    def give_back(self) -> None:
        """End a turn: the next address has the next one."""
        if not self._lines:
            self._free += 1
            return
        address, line = next(iter(self._lines.items()))
        turn = next(iter(line))
        self._leave(address, turn)
        if address in self._lines:
            self._lines.move_to_end(address)
        turn.set_result(None)

    def _leave(self, address: str, turn: asyncio.Future[None]) -> None:
        line = self._lines[address]
        del line[turn]
        if not line:
            del self._lines[address]


class Calls(Executor):
    """The calls of one request into threads that all requests share.

    Django calls one after the other. Each closes the database connections of its thread itself: whatever
    happens to the request, none stays with a thread.
    """

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._calls: list[Future[Any]] = []

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a call in any free thread."""
        future = self._threads.submit(_closing, partial(call, *args, **kwargs))
        self._calls.append(future)
        return future

    async def ended(self) -> None:
        """Return once all calls have ended. Who waited for them may have given up."""
        await asyncio.gather(*map(asyncio.wrap_future, self._calls), return_exceptions=True)


def _closing(call: Callable[[], Any]) -> Any:
    try:
        return call()
    finally:
        database.close_all()


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return address_key(client[0] if client else "")


def _length(scope: Scope) -> int | None:
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return None
    length = headers.get(b"content-length", b"")
    return int(length) if length.isdigit() else 0


async def _body(receive: Receive) -> deque[Event] | None:
    """The events with the body of a request; None if the client left before its end."""
    events = deque([await receive()])
    while events[-1].get("more_body"):
        events.append(await receive())
    return None if events[-1]["type"] == "http.disconnect" else events


@cache
def _busy_page() -> bytes:
    return unavailable().content


async def _refuse(send: Send, status: int, body: bytes, content_type: bytes) -> None:
    """Refuse a request without a thread."""
    headers = [
        (b"Content-Type", content_type),
        (b"Content-Length", str(len(body)).encode()),
        (b"Retry-After", RETRY_AFTER),
        (b"X-Content-Type-Options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
