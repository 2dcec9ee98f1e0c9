"""Compiles and loads the kernels of computer players in the background.

A process of its own compiles what is not compiled yet, while those of the pool answer what needs no kernel.
Then the pool only loads, which takes half a second a game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from games.bots import kernel_cache
from games.computers import thinking
from games.computers.pool import Pool
from games.registry import GAMES

Job = tuple[Callable[[str], None], str]
"""One of `thinking.WARM_UPS`, and the slug of a game."""


class Kernels:
    """The kernels that the processes of a pool think with. Before `expect` is called, all count as loaded."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._missing: dict[Job, asyncio.Event] = {}

    def expect(self) -> None:
        """From now on, what needs a kernel waits until `load` has loaded it."""
        slugs = filter(thinking.has_kernels, GAMES)
        self._missing = {(work, slug): asyncio.Event() for slug in slugs for work in thinking.WARM_UPS}

    async def load(self) -> None:
        """Compile what is not compiled, and load everything, one game after the other; then make tables."""
        compiler = None if kernel_cache.is_complete() else Pool(1)
        compiled = True
        try:
            for (work, slug), loaded in list(self._missing.items()):
                if compiler:
                    compiled &= await compiler.warm_up(work, slug)
                await self._pool.warm_up(work, slug)
                del self._missing[work, slug]
                loaded.set()
            if compiler:
                # Nothing waits for them.
                for slug in filter(thinking.has_kernels, GAMES):
                    compiled &= await compiler.warm_up(thinking.make_tables, slug)
            if compiled:
                kernel_cache.complete()
        finally:
            if compiler:
                await compiler.close()

    def lack_for_move(self, slug: str, level: int) -> bool:
        """Whether a move of a level has to wait."""
        return (
            GAMES[slug].levels[level - 1].choose is None and (thinking.warm_up_moves, slug) in self._missing
        )

    async def for_move(self, slug: str, level: int) -> None:
        """Wait until a move of a level can be computed."""
        if self.lack_for_move(slug, level):
            await self._missing[thinking.warm_up_moves, slug].wait()

    async def for_look(self, slug: str) -> None:
        """Wait until positions of a game can be evaluated."""
        if loaded := self._missing.get((thinking.warm_up_look, slug)):
            await loaded.wait()

    def games_to_look_at(self) -> list[str]:
        """The games whose positions can be evaluated now."""
        return [slug for slug in GAMES if (thinking.warm_up_look, slug) not in self._missing]
