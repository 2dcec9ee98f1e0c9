"""The compiled search of Kalah: held against the rules, and started a second time."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from games.bots.compiler import njit
from games.bots.kalah_kernel import SEED, SOLVED, WON, Tree, packed, pits_to_choose, seeds_in_pits, sow
from games.rules import kalah
from games.rules.kalah import Options
from tests.helpers.playout import option_sets
from tests.helpers.samples import sample

ROOT = Path(__file__).parents[3]
VALUES = json.loads((ROOT / "tests" / "data" / "kalah_values.json").read_text())["values"]
OPTION_SETS = dict(option_sets(kalah, Random("kalah"), drawn=36))
POSITIONS = sample(20_000, 4_000)


def sides_of(state) -> tuple[int, int]:
    """Both sides as the kernel knows them, that of the seat on turn first."""
    half = state.options.pits + 1
    first, second = (packed(side[:-1], side[-1]) for side in (state.board[:half], state.board[half:]))
    return (first, second) if state.turn == 0 else (second, first)


def tree_of(options, won=0, budget=1 << 20) -> Tree:
    return Tree(options.pits, options.sow_both_stores, options.empty_capture, won, budget)


def solved(options) -> float:
    """The lead of the first player under perfect play."""
    tree = tree_of(options)
    value = tree.value(*sides_of(kalah.setup(options)), SOLVED - 1)
    assert tree.estimates == 0
    return value / SEED


@njit
def sown(rows, table, rules):
    """What `sow` makes of rows of two sides and a pit."""
    found = np.zeros((len(rows), 4), np.int64)
    for row in range(len(rows)):
        found[row] = sow(rows[row, 0], rows[row, 1], rows[row, 2], table, rules)
    return found


def random_positions(options, count, rng) -> Iterator[kalah.State]:
    while True:
        state = kalah.setup(options)
        while not kalah.outcome(state):
            yield state
            count -= 1
            if not count:
                return
            state = kalah.play(state, rng.choice(kalah.legal_moves(state))).state


@pytest.mark.parametrize("name", OPTION_SETS)
def test_every_sowing_is_that_of_the_rules(name):
    options = OPTION_SETS[name]
    tree, before, after = tree_of(options), [], []
    for state in random_positions(options, POSITIONS // len(OPTION_SETS), Random(name)):
        for move in kalah.legal_moves(state):
            if move.pit:
                before.append((*sides_of(state), move.pit - 1))
                after.append((state, kalah.play(state, move)))
    for (state, (reached, events)), (own, their, again, captured) in zip(
        after, sown(np.array(before), tree.table, tree.rules).tolist(), strict=True
    ):
        taken = [event.seeds for event in events if isinstance(event, kalah.Captured)]
        assert captured == sum(taken)
        if reached.ended:
            scores = [(side >> 48) + seeds_in_pits(side) for side in (own, their)]
            assert tuple(scores if state.turn == 0 else scores[::-1]) == reached.ended.scores
            assert not (pits_to_choose(own) and pits_to_choose(their))
        else:
            assert again == (reached.turn == state.turn)
            assert ((own, their) if again else (their, own)) == sides_of(reached)


def test_positions_compared_for_every_preset():
    assert set(kalah.PRESETS) < set(OPTION_SETS)
    assert len(OPTION_SETS) * (POSITIONS // len(OPTION_SETS)) == POSITIONS


@pytest.mark.parametrize("pits", [(0, 0, 0), (72, 0, 0), (0, 1, 71, 0, 0, 0), (1, 2, 3, 4, 5, 6)])
def test_a_side_is_counted(pits):
    assert seeds_in_pits(packed(pits, 5)) == sum(pits)
    assert pits_to_choose(packed(pits, 5)) == len(pits) - pits.count(0)
    assert packed(pits, 5) >> 48 == 5


@pytest.mark.parametrize("known", VALUES, ids=lambda known: f"{known['m']}-{known['n']}-{known['rules']}")
def test_known_values_are_proved(known):
    both, empty = "sow_opponent_store" in known["rules"], "empty_capture" in known["rules"]
    assert solved(Options(known["m"], known["n"], both, empty)) == known["value"]


def plain_value(state, seat) -> int:
    """The lead of a seat at the end, by the rules alone: minimax without any cleverness."""
    if state.ended:
        return state.ended.scores[seat] - state.ended.scores[1 - seat]
    values = [plain_value(kalah.play(state, move).state, seat) for move in kalah.legal_moves(state)]
    return max(values) if state.turn == seat else min(values)


@pytest.mark.parametrize("name", OPTION_SETS)
def test_endings_are_worth_what_plain_minimax_says(name):
    options, rng = OPTION_SETS[name], Random(name)
    positions = list(random_positions(options, sample(2000, 500), rng))
    endings = [state for state in positions if state.swapper is None and left_in_pits(state) <= 7][:6]
    for state in endings:
        lead = plain_value(state, state.turn)
        assert tree_of(options).value(*sides_of(state), SOLVED - 1) == lead * SEED
        won = tree_of(options, WON).value(*sides_of(state), SOLVED - 1)
        assert (won >= WON) == (lead > 0)
        assert (won <= -WON) == (lead < 0)


def left_in_pits(state) -> int:
    return sum(seeds_in_pits(side) for side in sides_of(state))


def test_bounds_hold_around_the_value():
    options = Options(pits=4, seeds=2)
    start, value = sides_of(kalah.setup(options)), 6 * SEED
    assert tree_of(options).value(*start, SOLVED - 1, value, value + 1) <= value
    assert tree_of(options).value(*start, SOLVED - 1, value - 1, value) >= value


def test_a_search_stops_when_its_positions_are_spent():
    tree = tree_of(kalah.PRESETS["classic"], budget=1000)
    tree.value(*sides_of(kalah.setup(kalah.PRESETS["classic"])), 20)
    assert tree.spent
    assert tree.nodes == 1001


def test_an_estimate_is_never_taken_for_a_draw():
    tree = tree_of(kalah.PRESETS["circle"])
    assert tree.value(*sides_of(kalah.setup(kalah.PRESETS["circle"])), 1) % 2 == 1
    assert tree.estimates == 1


def test_kernel_second_start_loads_compiled_code():
    program = (
        "from games.bots.kalah_kernel import Tree, packed, search\n"
        "side = packed((2,) * 4, 0)\n"
        "print(Tree(4, False, False).value(side, side, 100), sum(search.stats.cache_hits.values()))"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
        )
    assert done.stdout.split() == [str(6 * SEED), "1"]
