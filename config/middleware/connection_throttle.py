"""Limits how many WebSockets are opened at once. The others wait, so that open ones stay fast in a rush.

Opening one reads the user and the first messages from the store: some milliseconds of work. A thousand at
once would delay every move.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakValueDictionary

from django.conf import settings

from config.in_flight import EVERYBODY, connections
from games.net.costs import Account
from games.net.limits import Places, address_key
from games.net.process import process
from games.net.sockets import RELEASE_SLOT_KEY

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

MAX_OPENING = 2
"""How many are opened at once: while one waits for the store, the other uses the processor."""
SLOT_SECONDS = 0.1
"""A socket gives up its slot after this time. If it is not open by then it only waits, and uses no processor.
"""


slots = process.part(asyncio.Semaphore, MAX_OPENING)
"""The free slots of this process. A semaphore belongs to the event loop in which it was first waited for."""
_of_address: WeakValueDictionary[str, asyncio.Semaphore] = process.part(WeakValueDictionary)
"""The slots that an address may use or wait for, so that it keeps nobody else waiting."""
_waiting = process.part(Places, settings.CONNECTIONS_PER_ADDRESS)


class ConnectionThrottle:
    """ASGI middleware that opens WebSockets by turns of the addresses, and those of one as they came.

    A socket whose client leaves before its turn is not opened. An address has only so many waiting.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Let the handshake wait for its turn, or refuse it."""
        client = scope.get("client")
        address = address_key(client[0] if client else "")
        if not connections.take(EVERYBODY):
            await send({"type": "websocket.close"})
            return
        try:
            await self._open(address, scope, receive, send)
        finally:
            connections.give_back(EVERYBODY)

    async def _open(self, address: str, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if not _waiting.take(address):
            await send({"type": "websocket.close"})
            return
        try:
            connect = await receive()
            slot = await _take_slot_unless_left(address, receive)
        finally:
            _waiting.give_back(address)
        if slot is None:
            return
        try:
            scope[RELEASE_SLOT_KEY] = slot.release
            await self._application(scope, _beginning_with(connect, receive), send)
        finally:
            slot.release()


def _beginning_with(first: Any, receive: Any) -> Any:
    """`receive`, with a message that was received before."""
    received = [first]

    async def receive_next() -> Any:
        return received.pop() if received else await receive()

    return receive_next


async def _take_slot_unless_left(address: str, receive: Any) -> _Slot | None:
    """A slot; None if the client leaves first. It can send nothing else before its socket is accepted."""
    left, turn = asyncio.ensure_future(receive()), asyncio.ensure_future(_take_slot(address))
    try:
        await asyncio.wait((left, turn), return_when=asyncio.FIRST_COMPLETED)
        # If it can be cancelled, nothing was received.
        if left.cancel():
            return await turn
        if not turn.cancel():
            turn.result().release()
        return None
    finally:
        left.cancel()
        turn.cancel()


async def _take_slot(address: str) -> _Slot:
    own = _of_address.setdefault(address, asyncio.Semaphore(MAX_OPENING))
    await own.acquire()
    try:
        # Not in a slot, which others could use meanwhile.
        await asyncio.sleep(Account(None, address).wait())
        await slots.acquire()
    except BaseException:
        own.release()
        raise
    return _Slot(own, slots)


class _Slot:
    """The slot of one socket, which is released once."""

    def __init__(self, *taken: asyncio.Semaphore) -> None:
        self._taken = taken
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(
            SLOT_SECONDS, self.release
        )

    def release(self) -> None:
        """Let the next socket open."""
        for semaphore in self._taken:
            semaphore.release()
        self._taken = ()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
