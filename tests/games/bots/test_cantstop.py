"""The player of Can't Stop: legal and the same again on every level, and no fool when it matters."""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest

from games.bots import cantstop as bot
from games.bots import cantstop_kernel as kernel
from games.bots import cantstop_net
from games.registry import GAMES
from games.rules import cantstop as rules
from games.rules.base import Leave
from tests.helpers.playout import random_playout
from tests.helpers.samples import sample

GAME = GAMES["cantstop"]
LEVELS = range(1, len(GAME.levels) + 1)
GLENN, BEST = 3, 4
PUBLISHED = rules.PRESETS["published"]
THROWS = Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=4))

every_level = pytest.mark.parametrize("level", LEVELS)


def position(mine, theirs, runners, owners=None, options=PUBLISHED, dice=()):
    """Two seats, the first on turn; spaces by column."""

    def row(spaces):
        return tuple(spaces.get(column, 0) for column in range(13))

    owned = tuple((owners or {}).get(column) for column in range(13))
    state = rules.setup(options, 2)
    return replace(state, cones=(row(mine), row(theirs)), runners=row(runners), owners=owned, dice=dice)


def waiting_states(seats, options, leaving=0.0):
    states, _ = random_playout(GAME, options, seats, Random(seats), leaving=leaving)
    return [state for state in states if rules.legal_moves(state)]


@every_level
@pytest.mark.parametrize("seats", rules.SEATS)
@pytest.mark.parametrize("preset", rules.PRESETS)
def test_player_plays_legal_reproducible_moves(level, seats, preset):
    waiting = waiting_states(seats, rules.PRESETS[preset])
    for state in Random(level).sample(waiting, min(sample(40, 10), len(waiting))):
        move = bot.choose(state, level, 1, Random(7))
        assert move in rules.legal_moves(state)
        assert move == bot.choose(state, level, 1, Random(7))


@every_level
def test_player_plays_on_after_others_left(level):
    for state in waiting_states(4, PUBLISHED, leaving=0.03):
        assert bot.choose(state, level, 1, Random(7)) in rules.legal_moves(state)


@every_level
def test_player_stops_when_stopping_wins(level):
    state = position({}, {}, {7: 13}, owners={2: 0, 12: 0})
    assert bot.choose(state, level, 1, Random(1)) == rules.STOP


def test_the_best_does_not_stop_when_the_other_is_about_to_win():
    about_to_win = {4: 6, 5: 8, 6: 10, 7: 12, 8: 10, 9: 8}
    state = position({7: 5}, about_to_win, {3: 3, 6: 6, 12: 1}, owners={2: 0, 10: 1, 11: 1})
    assert bot.choose(state, GLENN, 1, Random(1)) == rules.STOP
    assert bot.choose(state, BEST, 1, Random(1)) == rules.ROLL


def test_the_best_stops_with_the_same_runners_when_the_other_is_far_behind():
    state = position({7: 5}, {}, {3: 3, 6: 6, 12: 1}, owners={2: 0})
    assert bot.choose(state, BEST, 1, Random(1)) == rules.STOP


def test_the_best_takes_the_climb_that_wins():
    state = position({}, {}, {6: 1, 7: 12}, owners={2: 0, 12: 0}, dice=(1, 6, 1, 2))
    assert bot.choose(state, BEST, 1, Random(1)).columns.count(7)


@every_level
def test_player_rolls_at_beginning_of_turn(level):
    assert bot.choose(rules.setup(PUBLISHED, 3), level, 1, Random(1)) == rules.ROLL


# Looks


@pytest.mark.parametrize("seats", rules.SEATS)
@pytest.mark.parametrize("preset", rules.PRESETS)
def test_a_look_shares_one_win_out_and_orders_every_legal_move(seats, preset):
    waiting = waiting_states(seats, rules.PRESETS[preset])
    for state in Random(1).sample(waiting, sample(6, 2)):
        look = bot.look(state, seats, Random(3))
        assert look.seat == state.turn
        assert sum(look.shares) == pytest.approx(1)
        assert {each.move for each in look.moves} == {str(move) for move in rules.legal_moves(state)}
        shares = [each.share for each in look.moves]
        assert shares == sorted(shares, reverse=True)
        assert look.shares[state.turn] == shares[0]


@pytest.mark.parametrize("preset", rules.PRESETS)
@pytest.mark.parametrize("runners", [{6: 5, 7: 5, 9: 4}, {6: 11, 7: 5, 8: 5}, {4: 2, 8: 6}], ids=str)
def test_throwing_is_worth_what_it_leads_to_on_the_average(preset, runners):
    options = rules.PRESETS[preset]
    state = position({6: 3}, {5: 4, 7: 6}, runners, owners={2: 0, 3: 1, 12: 1}, options=options)
    roll = next(each for each in bot.look(state, 2, Random(1)).moves if each.move == "roll")
    shares = {throw: share_after(state, throw) for throw in THROWS}
    mean = sum(ways * shares[throw] for throw, ways in THROWS.items()) / 1296
    assert mean == pytest.approx(roll.share, abs=1e-5)
    variance = sum(ways * (shares[throw] - mean) ** 2 for throw, ways in THROWS.items()) / 1296
    assert roll.spread == pytest.approx(variance**0.5, abs=1e-5)


def share_after(state, throw):
    """What the seat on turn may expect after a throw; a bust is what stopping without a runner would be."""
    landed = replace(state, dice=throw)
    if rules.legal_moves(landed):
        return bot.look(landed, 2, Random(1)).shares[state.turn]
    board = bot.seen(replace(state, runners=(0,) * 13))
    worth = np.zeros(1, np.float32)
    net = cantstop_net.load(2)
    kernel.after_stop(net, board.cones, board.owners, board.runners, board.strict, worth)
    return float(worth[0])


def test_a_climb_is_worth_what_the_position_after_it_is():
    state = position({7: 3}, {8: 4}, {6: 5}, owners={2: 0, 12: 1}, dice=(3, 4, 4, 4))
    for prospect in bot.look(state, 2, Random(1)).moves:
        after = rules.play(state, rules.parse(prospect.move)).state
        assert bot.look(after, 2, Random(1)).shares[0] == pytest.approx(prospect.share, abs=1e-5)


@pytest.mark.parametrize("seats", rules.SEATS)
def test_the_end_of_a_turn_changes_little_of_what_was_expected(seats):
    """Between turns only the network knows, from two sides."""
    off = []
    for state in waiting_states(seats, PUBLISHED):
        if rules.STOP in rules.legal_moves(state):
            stop = next(each for each in bot.look(state, seats, Random(1)).moves if each.move == "stop")
            after = rules.play(state, rules.STOP).state
            if not rules.outcome(after):
                off.append(bot.look(after, seats, Random(1)).shares[state.turn] - stop.share)
        if len(off) == 6:
            break
    assert sum(map(abs, off)) / len(off) < 0.04


def test_a_win_in_the_hand_is_proved():
    look = bot.look(position({}, {}, {7: 13}, owners={2: 0, 12: 0}), 2, Random(1))
    assert look.proved
    assert look.moves[0].move == "stop"
    assert look.shares == (1, 0)


def test_player_who_left_has_no_share():
    state = rules.play(rules.setup(PUBLISHED, 3), Leave(1)).state
    look = bot.look(state, 3, Random(1))
    assert look.shares[1] == 0
    assert sum(look.shares) == pytest.approx(1)
