"""How many WebSockets are opened at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from config.middleware import connection_throttle
from config.middleware.connection_throttle import MAX_OPENING, ConnectionThrottle
from games.net.limits import Places
from games.net.process import process
from tools.harness.patience import patience


class Client(asyncio.Queue[dict[str, Any]]):
    """The messages of a client, which has asked for a socket."""

    def __init__(self) -> None:
        super().__init__()
        self.put_nowait({"type": "websocket.connect"})

    def leave(self) -> None:
        self.put_nowait({"type": "websocket.disconnect", "code": 1006})


async def settled() -> None:
    """Return when every task waits."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_handshakes_limited_per_event_loop() -> None:
    opening, most = 0, []

    async def site(_scope: Any, _receive: Any, _send: Any) -> None:
        nonlocal opening
        opening += 1
        most.append(opening)
        await asyncio.sleep(0)
        opening -= 1

    throttle = ConnectionThrottle(site)

    async def rush() -> None:
        await asyncio.gather(*(throttle({}, Client().get, None) for _ in range(3 * MAX_OPENING)))

    for _ in range(2):
        process.renew()
        asyncio.run(rush())
    assert len(most) == 6 * MAX_OPENING
    assert max(most) == MAX_OPENING


def of(address: str) -> dict[str, Any]:
    return {"client": [address, 1]}


async def test_sockets_of_one_address_do_not_keep_those_of_another_waiting() -> None:
    opened = []

    async def site(scope: Any, _receive: Any, _send: Any) -> None:
        await asyncio.sleep(0)
        opened.append(scope["client"][0])

    throttle = ConnectionThrottle(site)
    await asyncio.gather(
        *(throttle(of("192.0.2.1"), Client().get, None) for _ in range(50)),
        throttle(of("192.0.2.2"), Client().get, None),
    )
    assert opened.index("192.0.2.2") <= 2 * MAX_OPENING


async def test_more_waiting_sockets_of_one_address_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_throttle, "_waiting", Places(3))
    go_on, sent = asyncio.Event(), []

    async def site(_scope: Any, _receive: Any, _send: Any) -> None:
        await go_on.wait()

    async def send(message: Any) -> None:
        sent.append(message["type"])

    throttle = ConnectionThrottle(site)
    tasks = [
        asyncio.ensure_future(throttle(of("192.0.2.1"), Client().get, send))
        for _ in range(MAX_OPENING + 3 + 2)
    ]
    await settled()
    assert sent.count("websocket.close") >= 2
    refused, (other,) = len(sent), [asyncio.ensure_future(throttle(of("192.0.2.2"), Client().get, send))]
    go_on.set()
    await asyncio.gather(*tasks, other)
    assert len(sent) == refused


async def test_socket_whose_client_leaves_before_its_turn_is_not_opened() -> None:
    opened: asyncio.Queue[int] = asyncio.Queue()

    async def site(scope: Any, receive: Any, _send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        opened.put_nowait(scope["client"][1])
        assert (await receive())["type"] == "websocket.disconnect"

    throttle = ConnectionThrottle(site)
    clients = [Client() for _ in range(MAX_OPENING + 2)]
    tasks = [
        asyncio.ensure_future(throttle({"client": ["192.0.2.1", number]}, client.get, None))
        for number, client in enumerate(clients)
    ]
    first, leaving, staying = clients[:MAX_OPENING], MAX_OPENING, MAX_OPENING + 1
    assert {await opened.get() for _ in first} == set(range(MAX_OPENING))
    clients[leaving].leave()
    await settled()
    assert tasks[leaving].done()
    for client in first:
        client.leave()
    assert await asyncio.wait_for(opened.get(), patience(30)) == staying
    clients[staying].leave()
    await asyncio.gather(*tasks)


async def test_server_that_ends_a_waiting_socket_lets_the_next_one_open() -> None:
    go_on, opened = asyncio.Event(), 0

    async def site(_scope: Any, _receive: Any, _send: Any) -> None:
        nonlocal opened
        opened += 1
        await go_on.wait()

    throttle = ConnectionThrottle(site)
    tasks = [asyncio.ensure_future(throttle({}, Client().get, None)) for _ in range(MAX_OPENING + 2)]
    await settled()
    tasks[MAX_OPENING].cancel()
    go_on.set()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(ended[MAX_OPENING], asyncio.CancelledError)
    assert opened == MAX_OPENING + 1


async def test_socket_whose_client_has_left_at_once_holds_no_slot() -> None:
    opened = asyncio.Event()

    async def site(_scope: Any, _receive: Any, _send: Any) -> None:
        opened.set()

    throttle = ConnectionThrottle(site)
    clients = [Client() for _ in range(MAX_OPENING)]
    for client in clients:
        client.leave()
    await asyncio.gather(*(throttle({}, client.get, None) for client in clients))
    assert not opened.is_set()
    other = asyncio.ensure_future(throttle({}, Client().get, None))
    await settled()
    assert opened.is_set()
    await other
