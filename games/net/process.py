"""The state of this process: what it remembers besides the store, as one object.

A module declares its part of the state: `hub = process.part(Hub)`. Parts are made as modules are imported, so
at start-up and in the order of the layers. `renew` makes all of them anew, for a test.

Not parts are values that never change, memories of pure functions, threads, and the locks of a database.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Process:
    """The parts of the state, in the order in which they were declared."""

    def __init__(self) -> None:
        self._parts: list[Any] = []
        self._starts: list[Callable[[], object]] = []

    @property
    def parts(self) -> tuple[Any, ...]:
        """All parts."""
        return tuple(self._parts)

    def part(self, kind: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Make a part of the state.

        Args:
            kind: the class of the part; its constructor sets all that it holds.
            args: the arguments of the constructor.
        """
        made = kind(*args, **kwargs)
        self._parts.append(made)
        self._starts.append(partial(_make_anew, made, *args, **kwargs))
        return made

    def at_start(self, work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call `work` now, and whenever the state is made anew."""
        start = partial(work, *args, **kwargs)
        start()
        self._starts.append(start)

    def renew(self) -> None:
        """Make all parts anew, as at the start of a process."""
        for start in self._starts:
            start()


def _make_anew(part: Any, *args: Any, **kwargs: Any) -> None:
    """Call the constructor again on the same object, which other modules have imported."""
    getattr(part, "__dict__", {}).clear()
    type(part).__init__(part, *args, **kwargs)


process = Process()
"""This process."""
