"""The jobs of pool processes: what a warm-up compiles, and what needs no compiler."""

from __future__ import annotations

import subprocess
import sys

import pytest

from games.computers import thinking
from games.registry import GAMES

AFTER_A_WARM_UP = """
import sys
from random import Random
from games.computers import thinking
from games.registry import GAMES
from tests.helpers.playout import random_playout

slug = sys.argv[1]
for warm_up in thinking.WARM_UPS:
    warm_up(slug)

def compiled():
    modules = [vars(module) for name, module in sys.modules.items() if name.startswith("games.bots.")]
    kernels = {each for module in modules for each in module.values() if hasattr(each, "signatures")}
    return sum(len(kernel.signatures) for kernel in kernels)

game, player, before = GAMES[slug], thinking.player_of(slug), compiled()
for preset in game.rules.PRESETS.values():
    seats = game.rules.SEATS[-1]
    states, _ = random_playout(game, preset, seats, Random(1))
    states = [state for state in states if game.rules.legal_moves(state)]
    for level in range(1, len(game.levels) + 1):
        for state in states[:: max(1, len(states) // 12)]:
            player.choose(state, level, thinking.WARM_UP_EFFORT, Random(1))
    player.look(states[-1], seats, Random(1))
print(before, compiled())
"""


@pytest.mark.parametrize("slug", [slug for slug in GAMES if thinking.has_kernels(slug)])
def test_warm_up_compiles_all_that_play_needs(slug: str) -> None:
    command = [sys.executable, "-c", AFTER_A_WARM_UP, slug]
    asked = subprocess.run(command, capture_output=True, text=True, check=True)
    before, after = map(int, asked.stdout.split())
    assert 0 < before == after


@pytest.mark.parametrize("slug", GAMES)
def test_level_without_kernel_loads_no_compiler(slug: str) -> None:
    code = (
        "import sys; from random import Random; from games.registry import GAMES;"
        f"game = GAMES[{slug!r}]; rules = game.rules;"
        "state = rules.setup(next(iter(rules.PRESETS.values())), rules.SEATS[0]);"
        "[level.choose(state, Random(1)) for level in game.levels if level.choose];"
        "print('numba' in sys.modules)"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout == "False\n"
