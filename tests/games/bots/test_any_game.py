"""The player of any game: legal everywhere, the same for the same numbers, no fool."""

from random import Random

import pytest

from games.bots.any_game import AnyGame, random_action
from games.registry import GAMES
from tests.helpers.playout import random_playout
from tests.helpers.samples import in_full

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


@every_game
def test_player_plays_legal_reproducible_moves(game):
    states, _ = random_playout(game, game.rules.Options(), game.rules.SEATS[0], Random(game.slug))
    waiting = [state for state in states[:-1] if not game.rules.chance(state)]
    for state in Random(1).sample(waiting, min(len(waiting), 12)):
        move = AnyGame(game.rules).choose(state, 1, 1, Random(7))
        assert move in game.rules.legal_moves(state)
        assert move == AnyGame(game.rules).choose(state, 1, 1, Random(7))


@pytest.mark.parametrize(("slug", "games"), in_full(("kalah", 12), ("cantstop", 4)))
def test_player_beats_random_player(slug, games):
    rules, won = GAMES[slug].rules, 0
    for number in range(games):
        rng, bot = Random(number), number % 2
        state = rules.setup(rules.Options(), 2)
        while rules.outcome(state) is None:
            if state.turn == bot and not rules.chance(state):
                action = AnyGame(rules).choose(state, 1, 1, rng)
            else:
                action = random_action(rules, state, rng)
            state = rules.play(state, action).state
        won += rules.outcome(state).winners == (bot,)
    assert won >= games * 3 / 4


@every_game
def test_a_look_shares_one_win_out_and_orders_every_legal_move(game):
    rules, seats = game.rules, game.rules.SEATS[-1]
    states, _ = random_playout(game, rules.Options(), seats, Random(game.slug))
    state = max(states, key=lambda state: len(rules.legal_moves(state)))
    look = AnyGame(rules).look(state, seats, Random(3))
    assert sum(look.shares) == pytest.approx(1)
    assert {each.move for each in look.moves} == {str(move) for move in rules.legal_moves(state)}
    assert [each.share for each in look.moves] == sorted((each.share for each in look.moves), reverse=True)
    assert look.shares[state.turn] == look.moves[0].share
