"""How a part of the site is heard by others that it does not know.

Whoever makes something happen declares an `Signal` and calls it. The listeners are connected where
the site starts (`lobby.signal_handlers.connect`), and nowhere else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Signal(Generic[P, T]):
    """Calls its listeners one after the other, in the order in which they were connected.

    They run in the thread of the caller. A listener that raises ends the call, so whoever announces
    decides what a failure may undo. What listeners return is the caller's to use: nothing if they are only
    told, an answer if they are asked, an awaitable if they take their time (see `together`).
    """

    def __init__(self) -> None:
        self.listeners: tuple[Callable[P, T], ...] = ()

    def connect(self, listener: Callable[P, T]) -> None:
        """Call `listener` from now on, after those that are connected already."""
        self.listeners += (listener,)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[T]:
        return [listener(*args, **kwargs) for listener in self.listeners]

    async def together(self: Signal[P, Awaitable[None]], *args: P.args, **kwargs: P.kwargs) -> None:
        """Run asynchronous listeners at the same time, so that none waits for another one.

        If one raises, so does this; the others go on.
        """
        await asyncio.gather(*self(*args, **kwargs))
