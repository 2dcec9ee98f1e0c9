"""Typed signals, by which modules notify higher layers that they must not import.

The sender declares a `Signal` and calls it. Receivers are connected at start-up, all of them in
`lobby.signal_handlers.connect`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Signal(Generic[P, T]):
    """Calls its listeners one after the other, in the order in which they were connected.

    Listeners run in the caller's thread. An exception in a listener ends the call, so the caller decides what
    a failure may undo. The caller gets the listeners' results: None for notifications, values for queries,
    awaitables for asynchronous listeners (see `together`).
    """

    def __init__(self) -> None:
        self.listeners: tuple[Callable[P, T], ...] = ()

    def connect(self, listener: Callable[P, T]) -> None:
        """Add a listener, to be called after the ones already connected."""
        self.listeners += (listener,)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[T]:
        """Call all listeners in the order in which they were connected, and return their results."""
        return [listener(*args, **kwargs) for listener in self.listeners]

    async def together(self: Signal[P, Awaitable[None]], *args: P.args, **kwargs: P.kwargs) -> None:
        """Run asynchronous listeners concurrently.

        Raises the first exception of a listener; the others go on.
        """
        await asyncio.gather(*self(*args, **kwargs))
