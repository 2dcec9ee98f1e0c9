"""Six Men's Morris, solved: its values, and how the best level, a look and others use them."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from games.bots import morris as player
from games.bots import morris_check, morris_numbers, morris_six, morris_six_solver, morris_tables, table_file
from games.bots import morris_kernel as kernel
from games.bots.base import Proved
from games.bots.morris_levels import LEVELS
from games.registry import GAMES
from games.rules import morris
from games.rules.morris import PRESETS
from tests.helpers.samples import sample

SIX = PRESETS["six"]
BEST = len(LEVELS)
BLOCKS = list(morris_six.blocks())


def values():
    return table_file.read(morris_six.PATH, morris_six.NAME, morris_six.positions())


def random_positions(number, seed):
    """Positions in which somebody can move."""
    rng, found = Random(seed), []
    while len(found) < number:
        state = morris_check.random_six(rng.choice(BLOCKS), rng)
        if morris.legal_moves(state):
            found.append(state)
    return found


# The values


def test_every_value_follows_from_the_rules():
    morris_check.check_six(values(), sample(20_000, 400), Random(7))


def test_a_value_that_does_not_follow_is_found():
    with pytest.raises(morris_check.Wrong):
        morris_check.check_six([0] * morris_six.positions(), 40, Random(1))


def test_a_search_forward_finds_the_same_ends():
    """The alpha-beta search, which knows no tables, proves what ends within some turns, and no draws."""
    found, turns = values(), 4
    for state in random_positions(sample(400, 60), 3):
        code = morris_check.value_of_six(found, state)
        search = player.think(state, list(morris.legal_moves(state)), turns, 50_000, 0)
        if code and code - 1 <= search.depth:
            assert search.values[0] > kernel.PROVED if code % 2 == 0 else search.values[0] < -kernel.PROVED
        elif not code:
            assert abs(search.values[0]) <= kernel.PROVED


def test_numbers_have_no_holes_and_are_the_same_up_to_symmetry():
    for block in BLOCKS[::9]:
        for state in (morris_check.random_six(block, Random(n)) for n in range(20)):
            sides, seat = morris_check.masks(state), state.turn
            hands = state.hand[seat], state.hand[1 - seat]
            first = morris_six.starts()[block]
            assert (
                first
                <= morris_six.number_of(sides[seat], sides[1 - seat], hands)
                < first + morris_six.size(block)
            )
    kinds = morris_numbers.representatives(morris_six.BOARD, 2)
    numbers = morris_numbers.numbering(morris_six.BOARD)
    ways = [1 << a | 1 << b for a in range(16) for b in range(a)]
    used = {
        morris_numbers.number(first, second, kinds, *numbers)
        for first in ways
        for second in ways
        if not first & second
    }
    assert used == set(range(len(kinds) * 91))


def test_a_position_is_worth_what_its_images_are():
    found = values()
    for state in random_positions(20, 5):
        for to in morris_numbers.symmetries(morris_six.BOARD):
            board = "".join(state.board[to.index(point)] for point in range(morris_six.POINTS))
            image = replace(state, board=board)
            assert morris_check.value_of_six(found, image) == morris_check.value_of_six(found, state)


@pytest.mark.full
def test_the_table_made_again_is_the_same():
    assert (morris_six_solver.solve() == np.asarray(values())).all()


# How they are used


def test_the_game_is_a_draw():
    start = morris.setup(SIX)
    assert GAMES["morris"].proved(start) == Proved(0)
    look = player.look(start, 2, Random(1))
    assert (look.proved, look.shares) == (True, (0.5, 0.5))


def test_the_best_level_gives_nothing_away():
    found = values()
    for state in random_positions(sample(100, 20), 11):
        result = morris_tables.proved(state)
        seat = state.turn
        after = morris.play(state, player.choose(state, BEST, 0.01, Random(1))).state
        while after.takes:
            after = morris.play(after, player.choose(after, BEST, 0.01, Random(1))).state
        if after.ended:
            assert (result.result, result.turns) == (1, 1)
            assert after.ended.winners == (seat,)
        else:
            left = morris_check.value_of_six(found, after)
            assert result.result == (0 if not left else 1 if left % 2 else -1)
            assert result.turns == (left or None)


def test_a_man_that_must_be_taken_is_part_of_the_turn():
    found, seen = values(), 0
    for state in random_positions(60, 2):
        for move in morris.legal_moves(state):
            taking = morris.play(state, move).state
            if not taking.takes:
                continue
            after = [morris.play(taking, take).state for take in morris.legal_moves(taking)]
            codes = [1 if each.ended else morris_check.value_of_six(found, each) for each in after]
            result = max(0 if not code else 1 if code % 2 else -1 for code in codes)
            assert morris_tables.proved(taking).result == result
            if result == 1:
                assert morris_tables.proved(taking).turns == min(code for code in codes if code % 2)
            seen += 1
    assert seen


def test_fewer_men_are_the_same_game_and_other_rules_are_not():
    assert morris_tables.proved(morris.setup(replace(SIX, men=5)))
    assert morris_tables.proved(morris.setup(replace(SIX, threefold=False)))
    for other in ({"men": 7}, {"flying": True}, {"double_mill": 2}, {"from_mills": "never"}):
        assert not morris_six.fits(replace(SIX, **other))
        assert morris_tables.proved(morris.setup(replace(SIX, **other))) is None


def test_hands_that_no_match_has_are_in_no_table():
    state = replace(morris.setup(SIX), hand=(3, 6))
    assert morris_tables.proved(state) is None
