"""The player of Aces: it presses the button, and knows the chances."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from games.bots import aces as bot
from games.registry import GAMES
from games.rules import aces as rules
from games.rules.base import Roll
from tests.helpers.playout import random_playout

GAME = GAMES["aces"]
MAY_STOP = rules.Options(dice=3, may_stop=True)
OPTIONS = [rules.Options(dice=3), rules.Options(dice=3, last_ace="loses"), MAY_STOP]


def holding(options, *counts, throws=0):
    """A match in which the seats hold so many dice, the first on turn."""
    state = rules.setup(options, len(counts))
    return replace(state, dice=tuple((3,) * count for count in counts), throws=throws)


@pytest.mark.parametrize("seats", [2, 3, 8])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_player_plays_legal_reproducible_moves(seats, options):
    states, _ = random_playout(GAME, options, seats, Random(seats), leaving=0.01)
    waiting = [state for state in states if rules.legal_moves(state)]
    for state in Random(1).sample(waiting, min(len(waiting), 8)):
        move = bot.choose(state, 1, 1, Random(7))
        assert move in rules.legal_moves(state)
        assert move == bot.choose(state, 1, 1, Random(7))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("counts", [(1, 0), (2, 1), (1, 3), (3, 2)], ids=str)
def test_throw_value_between_two_is_mean_of_successors(options, counts):
    state = holding(options, *counts, throws=1)
    roll = next(each for each in bot.look(state, 2, Random(1)).moves if each.move == "roll")
    shares = [share_after(state, faces) for faces in product(range(1, 7), repeat=counts[0])]
    mean = sum(shares) / len(shares)
    assert roll.share == pytest.approx(mean, abs=1e-9)
    variance = sum((share - mean) ** 2 for share in shares) / len(shares)
    assert roll.spread == pytest.approx(variance**0.5, abs=1e-6)


def share_after(state, faces):
    after = rules.play(replace(state, due=True), Roll(faces)).state
    if outcome := rules.outcome(after):
        return float(state.turn in outcome.winners)
    return bot.look(after, 2, Random(1)).shares[state.turn]


def test_the_last_die_against_nobody_is_won():
    look = bot.look(holding(rules.Options(), 1, 0), 2, Random(1))
    # One face of six ends it, two hand the die over, three keep it: x = 1/6 + (1 - x)/3 + x/2.
    assert look.shares == pytest.approx((0.6, 0.4))


@pytest.mark.parametrize("last_ace", ["wins", "loses"])
def test_matches_played_on_tell_what_is_exact(last_ace):
    terms = bot.Terms(False, last_ace == "wins")
    exact = bot._of_two(terms, rules.ROLL, 2, 1)
    tried = bot._played_on(terms, rules.ROLL, (2, 1), 40_000, 1)
    assert tried.shares == pytest.approx(exact.shares, abs=0.01)
    assert tried.spread == pytest.approx(exact.spread, abs=0.01)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 8])
def test_a_look_shares_one_win_out_and_orders_every_legal_move(options, seats):
    state = holding(options, *range(1, seats + 1), throws=1)
    look = bot.look(state, seats, Random(3))
    assert sum(look.shares) == pytest.approx(1)
    assert {each.move for each in look.moves} == {str(move) for move in rules.legal_moves(state)}
    assert look.shares[0] == look.moves[0].share == max(each.share for each in look.moves)


@pytest.mark.parametrize(("last_ace", "move"), [("wins", rules.STOP), ("loses", rules.ROLL)])
def test_player_with_one_die_each_passes_or_throws_by_last_ace(last_ace, move):
    # A throw is likelier to hand the last die over than to end the match.
    state = holding(rules.Options(may_stop=True, last_ace=last_ace), 1, 1, throws=1)
    assert bot.choose(state, 1, 1, Random(1)) == move
