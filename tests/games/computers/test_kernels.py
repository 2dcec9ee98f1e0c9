"""What waits for kernels while they are compiled or loaded, and what does not."""

from __future__ import annotations

import asyncio

from games.computers.kernels import Kernels
from games.computers.pool import Pool
from games.registry import GAMES


async def test_level_or_game_without_kernels_does_not_wait(thinkers: Pool) -> None:
    kernels = Kernels(thinkers)
    kernels.expect()
    waiting = {
        slug: [level for level in range(1, len(game.levels) + 1) if kernels.lack_for_move(slug, level)]
        for slug, game in GAMES.items()
    }
    assert waiting == {
        "kalah": [3, 4, 5, 6, 7, 8],
        "morris": [1, 2, 3, 4, 5, 6, 7, 8],
        "aces": [],
        "cantstop": [2, 3, 4],
    }
    assert kernels.games_to_look_at() == ["aces"]
    await kernels.for_move("kalah", 1)
    await kernels.for_look("aces")


async def test_move_and_look_wait_until_kernels_are_loaded(thinkers: Pool) -> None:
    kernels = Kernels(thinkers)
    kernels.expect()
    waiting = asyncio.gather(kernels.for_move("kalah", 8), kernels.for_look("cantstop"))
    await asyncio.sleep(0)
    assert not waiting.done()
    await kernels.load()
    await waiting
    assert kernels.games_to_look_at() == list(GAMES)
    assert not kernels.lack_for_move("kalah", 8)
