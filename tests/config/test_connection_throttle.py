"""How many WebSockets are opened at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from config.middleware import connection_throttle
from config.middleware.connection_throttle import MAX_OPENING, ConnectionThrottle
from games.net.limits import Places
from games.net.process import process


def test_no_more_than_some_are_opened_at_once_in_every_event_loop() -> None:
    opening, most = 0, []

    async def site(_scope: Any, _receive: Any, _send: Any) -> None:
        nonlocal opening
        opening += 1
        most.append(opening)
        await asyncio.sleep(0)
        opening -= 1

    throttle = ConnectionThrottle(site)

    async def rush() -> None:
        await asyncio.gather(*(throttle({}, None, None) for _ in range(3 * MAX_OPENING)))

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
        *(throttle(of("192.0.2.1"), None, None) for _ in range(50)), throttle(of("192.0.2.2"), None, None)
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
    tasks = [asyncio.ensure_future(throttle(of("192.0.2.1"), None, send)) for _ in range(MAX_OPENING + 3 + 2)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert sent.count("websocket.close") >= 2
    refused, (other,) = len(sent), [asyncio.ensure_future(throttle(of("192.0.2.2"), None, send))]
    go_on.set()
    await asyncio.gather(*tasks, other)
    assert len(sent) == refused
