"""Evaluations by depth: each looks further than the one before, and the last is what a look tells."""

from __future__ import annotations

from random import Random

import pytest

from games.bots import kalah, morris
from games.registry import GAMES
from tests.helpers.playout import random_playout
from tests.helpers.samples import in_full

PLAYERS = {"kalah": (kalah, "POSITIONS_OF_A_LOOK"), "morris": (morris, "LOOK_NODES")}
CASES = [(slug, preset) for slug in PLAYERS for preset in in_full(*GAMES[slug].rules.PRESETS)]
EACH = 9
"""Of so many positions of a match one is looked at."""


@pytest.mark.parametrize(("slug", "preset"), CASES)
def test_depths_grow_and_each_has_a_line_that_can_be_played(
    slug: str, preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, (player, limit) = GAMES[slug], PLAYERS[slug]
    monkeypatch.setattr(player, limit, 60_000)
    states, _ = random_playout(game, game.rules.PRESETS[preset], 2, Random(7))
    for state in [each for each in states if game.rules.legal_moves(each)][::EACH]:
        looks = list(player.deepen(state, 2, Random(1)))
        depths = [look.depth for look in looks if look.depth is not None]
        assert depths == sorted(depths)
        assert not any(look.proved for look in looks[:-1])
        assert looks[-1] == player.look(state, 2, Random(1))
        for look in looks:
            assert look.line[:1] == (look.moves[0].move,)[: len(look.line)]
            after = state
            for move in look.line:
                after = game.rules.play(after, game.rules.parse(move)).state
