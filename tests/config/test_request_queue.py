"""How many requests are worked on at once, whose turn it is, and what is given back when."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from config import in_flight as places
from config.in_flight import in_flight
from config.middleware import request_queue
from config.middleware.request_queue import RequestQueue
from games.net.limits import Places

PATIENCE = 60.0


class Site:
    """An ASGI application that works on each request in a thread until it is let go."""

    def __init__(self) -> None:
        self.working, self.most = 0, 0
        self.begun: list[str] = []
        self.let_go = threading.Event()
        self._lock = threading.Lock()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "http.request"
        # As Django does: who is gone is no longer waited for, but a thread cannot be stopped.
        gone = asyncio.ensure_future(receive())
        working = asyncio.ensure_future(sync_to_async(self._work)(scope["client"][0]))
        await asyncio.wait((gone, working), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            working.cancel()
            return
        gone.cancel()
        if scope["path"] == "/wrong":
            raise LookupError
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})

    def _work(self, address: str) -> None:
        with self._lock:
            self.working += 1
            self.begun.append(address)
            self.most = max(self.most, self.working)
        assert self.let_go.wait(PATIENCE)
        with self._lock:
            self.working -= 1


class Visit:
    """One request, as a server hands it to the application."""

    def __init__(
        self, queue: Any, method: str = "GET", path: str = "/", address: str = "192.0.2.1", length: int = 0
    ) -> None:
        self.said: list[dict[str, Any]] = []
        self._events: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._events.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        headers = [(b"content-length", str(length).encode())] if length else []
        scope = {"type": "http", "method": method, "path": path, "client": [address, 1], "headers": headers}
        self.task = asyncio.ensure_future(queue(scope, self._events.get, self._send))

    async def _send(self, event: dict[str, Any]) -> None:
        self.said.append(event)

    def leave(self) -> None:
        self._events.put_nowait({"type": "http.disconnect"})

    @property
    def status(self) -> int | None:
        return self.said[0]["status"] if self.said else None


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - threads change it
            await asyncio.sleep(0.001)


async def settled() -> None:
    """Whatever can go on in the event loop has gone on."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture
async def site(settings: Any) -> AsyncIterator[Site]:
    settings.PAGES_AT_ONCE, settings.FORMS_AT_ONCE = 2, 2
    site = Site()
    yield site
    site.let_go.set()


async def test_forms_wait_for_their_turn_and_pages_do_not_wait_behind_them(site: Site) -> None:
    queue = RequestQueue(site)
    forms = [Visit(queue, "POST") for _ in range(10)]
    await until(lambda: site.working == 2)
    pages = [Visit(queue) for _ in range(2)]
    await until(lambda: site.working == 4)
    site.let_go.set()
    await asyncio.gather(*(each.task for each in forms + pages))
    assert {each.status for each in forms + pages} == {200}
    assert site.most == 4


@pytest.mark.parametrize("path", ["/static/board.css", "/healthz", "/readyz"])
async def test_static_files_and_probes_do_not_wait_behind_pages(site: Site, path: str) -> None:
    queue = RequestQueue(site)
    for _ in range(5):
        Visit(queue)
    await until(lambda: site.working == 2)
    Visit(queue, path=path)
    await until(lambda: site.working == 3)


async def test_call_that_fails_is_told_to_its_caller_only() -> None:
    def fail() -> None:
        raise asyncio.CancelledError

    async def application(_scope: Any, _receive: Any, _send: Any) -> None:
        with suppress(asyncio.CancelledError):
            await sync_to_async(fail)()

    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context))
    await Visit(RequestQueue(application)).task
    gc.collect()
    assert told == []


async def test_waiting_request_needs_no_thread(site: Site) -> None:
    queue = RequestQueue(site)
    before = threading.active_count()
    visits = [Visit(queue) for _ in range(200)]
    await until(lambda: site.working == 2)
    assert threading.active_count() - before <= 2
    for each in visits:
        each.leave()


async def test_request_whose_client_left_does_not_run(site: Site) -> None:
    queue = RequestQueue(site)
    busy = [Visit(queue) for _ in range(2)]
    await until(lambda: site.working == 2)
    left = [Visit(queue) for _ in range(10)]
    await settled()
    for each in left:
        each.leave()
    await asyncio.gather(*(each.task for each in left))
    site.let_go.set()
    await asyncio.gather(*(each.task for each in busy))
    assert len(site.begun) == 2
    assert in_flight.taken == 0


async def test_cancelled_request_keeps_its_turn_and_places_until_its_thread_ends(site: Site) -> None:
    queue = RequestQueue(site)
    busy = [Visit(queue) for _ in range(2)]
    await until(lambda: site.working == 2)
    for each in busy:
        each.leave()
    await settled()
    for each in busy:
        # As daphne does ten seconds after a client left.
        each.task.cancel()
    later = Visit(queue)
    await settled()
    assert (in_flight.taken, len(site.begun), later.task.done()) == (3, 2, False)
    site.let_go.set()
    await later.task
    await until(lambda: in_flight.taken == 0)
    assert later.status == 200


async def test_thread_closes_its_connections_although_the_request_is_cancelled(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    monkeypatch.setattr(connections, "close_all", lambda: closed.append(threading.current_thread().name))
    visit = Visit(RequestQueue(site))
    await until(lambda: site.working == 1)
    visit.leave()
    await settled()
    visit.task.cancel()
    site.let_go.set()
    await until(lambda: in_flight.taken == 0)
    assert [name.startswith("request") for name in closed] == [True]


async def test_addresses_take_turns(site: Site) -> None:
    queue = RequestQueue(site)
    for _ in range(100):
        Visit(queue, address="192.0.2.1")
    await until(lambda: site.working == 2)
    other = Visit(queue, address="192.0.2.2")
    await settled()
    site.let_go.set()
    await other.task
    assert "192.0.2.2" in site.begun[:4]


async def test_address_with_too_many_requests_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_queue, "in_flight", Places(5))
    queue = RequestQueue(site)
    for number in range(5):
        Visit(queue, address=f"2001:db8::{number}")
    await until(lambda: site.working == 2)
    refused, other = Visit(queue, address="2001:db8::ffff"), Visit(queue, address="2001:db8:0:1::1")
    await refused.task
    assert refused.status == 429
    assert (b"Retry-After", b"5") in refused.said[0]["headers"]
    assert not other.task.done()


async def test_body_takes_places_by_its_size(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_queue, "in_flight", Places(50))
    queue = RequestQueue(site)
    Visit(queue, "POST", length=40 * places.PLACE_BYTES)
    await until(lambda: site.working == 1)
    small, large = (Visit(queue, "POST", length=number * places.PLACE_BYTES) for number in (1, 20))
    await large.task
    assert (large.status, small.task.done()) == (429, False)


async def test_site_with_too_many_waiting_requests_refuses_more(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_queue, "MAX_WAITING", 3)
    queue = RequestQueue(site)
    waiting = [Visit(queue, address=f"192.0.2.{number}") for number in range(5)]
    await until(lambda: site.working == 2)
    await settled()
    refused = Visit(queue, address="192.0.2.99")
    await refused.task
    assert (refused.status, (b"Retry-After", b"5") in refused.said[0]["headers"]) == (503, True)
    waiting[-1].leave()
    await settled()
    assert not Visit(queue, address="192.0.2.99").task.done()


async def test_addresses_that_fill_the_queue_make_room_for_another(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_queue, "MAX_WAITING", 4)
    queue = RequestQueue(site)
    crowd = [Visit(queue, address=f"192.0.2.{number % 2}") for number in range(6)]
    await until(lambda: site.working == 2)
    await settled()
    one_more, other = Visit(queue, address="192.0.2.1"), Visit(queue, address="192.0.2.99")
    await one_more.task
    await settled()
    assert (one_more.status, other.status, sorted(each.status or 0 for each in crowd)) == (
        503,
        None,
        [0] * 5 + [503],
    )
    site.let_go.set()
    await asyncio.gather(other.task, *(each.task for each in crowd))
    assert (other.status, in_flight.taken) == (200, 0)


async def test_request_that_fails_gives_its_turn_back(site: Site) -> None:
    queue = RequestQueue(site)
    site.let_go.set()
    for _ in range(5):
        with pytest.raises(LookupError):
            await Visit(queue, "POST", "/wrong").task
    good = Visit(queue, "POST")
    await good.task
    assert (good.status, in_flight.taken) == (200, 0)


async def test_request_whose_turn_does_not_come_is_refused(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = RequestQueue(site)
    busy = [Visit(queue, "POST") for _ in range(2)]
    await until(lambda: site.working == 2)
    monkeypatch.setattr(request_queue, "WAIT_SECONDS", 0.01)
    refused = Visit(queue, "POST")
    await refused.task
    assert (refused.status, (b"Retry-After", b"5") in refused.said[0]["headers"]) == (503, True)
    site.let_go.set()
    await asyncio.gather(*(each.task for each in busy))
    assert {each.status for each in busy} == {200}


async def test_response_that_is_read_slowly_holds_no_turn(site: Site, settings: Any) -> None:
    settings.PAGES_AT_ONCE = 1
    read = asyncio.Event()

    async def slowly(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        await read.wait()
        await send({"type": "http.response.body", "body": b"last"})

    queue = RequestQueue(slowly)
    slow = [Visit(queue) for _ in range(3)]
    await until(lambda: all(each.said for each in slow))
    assert in_flight.taken == 3
    read.set()
    await asyncio.gather(*(each.task for each in slow))
    assert in_flight.taken == 0
