"""How many WebSockets are opened at once."""

from __future__ import annotations

import asyncio
from typing import Any

from config.middleware.connection_throttle import MAX_OPENING, ConnectionThrottle
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
