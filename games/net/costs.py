"""Counts what each message and request costs, and charges it to its socket, user and address.

A cost is in kilobytes sent; a millisecond of the event loop, or of processor time of a thread, counts as
`MILLISECOND` of them. Only the places that dispatch messages and requests open an account. Handlers know
nothing of it, so that none can be forgotten: threads (`games.net.threads`) and the steps of a coroutine add
their time by themselves.
"""

from __future__ import annotations

import time
from asyncio import Lock, sleep
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import aclosing, suppress
from contextvars import ContextVar, Token
from functools import partial, wraps
from time import perf_counter, thread_time
from types import coroutine
from typing import Any, ParamSpec, TypeVar, cast
from weakref import WeakValueDictionary

from django.conf import settings

from games.net.limits import Bucket, Rate, limiter
from games.net.process import process

P = ParamSpec("P")
T = TypeVar("T")

MILLISECOND = 5.0
"""Kilobytes that a millisecond of the event loop, or of processor time of a thread, counts as."""
WORKER_MILLISECOND = 1.0
"""The same for workers, which run at a lower priority: a hint takes about a second of them."""

_of_socket = partial(Bucket.at, settings.COST_SOCKET_LIMIT)
_of_person = limiter(settings.COST_PERSON_LIMIT)
_of_address = limiter(settings.COST_ADDRESS_LIMIT)
_allowance = limiter(Rate(settings.COST_PERSON_LIMIT.count // 10, settings.COST_PERSON_LIMIT.seconds))
"""What a user may cost although their address is in debt, so that one visitor of a school stops no other."""
_turns: WeakValueDictionary[str, Lock] = process.part(WeakValueDictionary)
"""By user, or address if anonymous: those in debt get one message handled at a time."""


class Bill:
    """What one message or request has cost so far, in kilobytes.

    In a `with` block of the bill, threads and `sent` add to it.
    """

    __slots__ = ("_token", "kilobytes")

    def __init__(self, kilobytes: float = 0.0) -> None:
        self.kilobytes = kilobytes

    def __enter__(self) -> Bill:
        self._token: Token[Bill | None] = _bill.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _bill.reset(self._token)

    def add_seconds(self, seconds: float) -> None:
        """Add time of the event loop or of a thread."""
        self.kilobytes += seconds * 1000 * MILLISECOND


_bill: ContextVar[Bill | None] = ContextVar("bill", default=None)


def sent(size: int) -> None:
    """Add an answer of `size` bytes to the current bill, if there is one."""
    bill = _bill.get()
    if bill is not None:
        bill.kilobytes += size / 1024


def computed(milliseconds: float) -> None:
    """Add processor time of a worker of the computer players to the current bill, if there is one."""
    bill = _bill.get()
    if bill is not None:
        bill.kilobytes += milliseconds * WORKER_MILLISECOND


def timed(work: Callable[P, T]) -> Callable[P, T]:
    """The same function, which adds the processor time of its thread to the current bill."""

    @wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        bill, began = _bill.get(), thread_time()
        try:
            return work(*args, **kwargs)
        finally:
            if bill is not None:
                bill.add_seconds(thread_time() - began)

    return run


class Account:
    """Everything that a message or request is charged to.

    Args:
        user_id: its user; None for anonymous ones.
        network: the key of its address (`games.net.limits.address_key`).
        own: further buckets, of a socket alone.
    """

    def __init__(self, user_id: int | None, network: str, own: Sequence[Bucket] = ()) -> None:
        now = time.monotonic()
        user = None if user_id is None else str(user_id)
        self._own = [*own, *([] if user is None else [_of_person.of(user, now)])]
        self._allowance = None if user is None else _allowance.of(user, now)
        self._address = _of_address.of(network, now)
        self._counts = bool(settings.SOCKET_RATE)
        self._turn = _turns.setdefault(network if user_id is None else str(user_id), Lock())

    @classmethod
    def of_socket(cls, user_id: int | None, network: str) -> Account:
        """The account of a new socket."""
        return cls(user_id, network, [_of_socket(time.monotonic())])

    def wait(self) -> float:
        """Seconds until nothing is owed any more; 0 if nothing is.

        Debts of the address count once the user has spent the allowance.
        """
        if not self._counts:
            return 0.0
        now = time.monotonic()
        excused = self._allowance is not None and not self._allowance.wait(now)
        buckets = self._own if excused else [*self._own, self._address]
        return max((bucket.wait(now) for bucket in buckets), default=0.0)

    def spend(self, bill: Bill) -> None:
        """Charge a bill."""
        if not self._counts:
            return
        now = time.monotonic()
        for bucket in (*self._own, self._address, self._allowance):
            if bucket is not None:
                bucket.spend(bill.kilobytes, now)

    async def run(self, act: Callable[[], Awaitable[None]]) -> None:
        """Charge what `act` costs in the event loop and in threads. Who is in debt waits first."""
        if not self.wait():
            await self._run(act)
            return
        async with self._turn:
            await sleep(self.wait())
            await self._run(act)

    async def run_beside(self, act: Callable[[], Awaitable[T]]) -> T:
        """The same for work that waits for news or for other processes, so that it takes no turn."""
        if wait := self.wait():
            await sleep(wait)
        return await self._run(act)

    async def stream(self, content: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
        """The same content, of which each part is charged when it is made, and waits for earlier debts."""
        async with aclosing(content):
            with suppress(StopAsyncIteration):
                while True:
                    part = await self.run_beside(content.__anext__)
                    self.spend(Bill(len(part) / 1024))
                    yield part

    @coroutine
    def _run(self, act: Callable[[], Awaitable[T]]) -> Generator[Any, Any, T]:
        """Await what `act` returns. Charge its bill, with the time of each of its steps in the event loop."""
        with Bill() as bill:
            work = act().__await__()
            step: Callable[[Any], Any] = work.send
            value: Any = None
            try:
                while True:
                    # Not `thread_time`: reading the clock of a thread costs a tenth of a move.
                    began = perf_counter()
                    try:
                        awaited = step(value)
                    except StopIteration as done:
                        return cast(T, done.value)
                    finally:
                        bill.add_seconds(perf_counter() - began)
                    try:
                        step, value = work.send, (yield awaited)
                    except BaseException as error:  # noqa: BLE001 - such as a cancellation: it is for `work`
                        step, value = work.throw, error
            finally:
                self.spend(bill)
