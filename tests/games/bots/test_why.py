"""The first level says what made it move, and it is what did: chance where it was chance."""

from random import Random

from games.bots import cantstop, kalah, morris
from games.bots.base import NO_OTHER
from games.bots.cantstop_levels import why as why_cantstop
from games.bots.kalah_levels import lead_after
from games.bots.kalah_levels import why as why_kalah
from games.bots.morris_levels import why as why_morris
from games.domain.pacing import dice_of_a_choice
from games.registry import GAMES
from games.rules.aces import Options as AcesOptions
from tests.helpers.playout import random_playout

SEEDS = range(200)


def midway(slug, options=None, share=3):
    """A state in the middle of a match, with more than one move to choose from."""
    game = GAMES[slug]
    states, _ = random_playout(game, options or next(iter(game.rules.PRESETS.values())), 2, Random(4))
    return next(state for state in states[len(states) // share :] if len(game.rules.legal_moves(state)) > 1)


def chosen(player, state, number):
    """The move of the first level for a seed, and random numbers as it had them."""
    move = player.choose(state, 1, 1.0, dice_of_a_choice("match", number))
    return move, dice_of_a_choice("match", number)


def test_kalah_counts_seeds_or_does_not():
    state = midway("kalah")
    most = max(lead_after(state, move) for move in GAMES["kalah"].rules.legal_moves(state))
    said = {}
    for number in SEEDS:
        move, rng = chosen(kalah, state, number)
        words = why_kalah(state, move, rng)
        said.setdefault(words.startswith("At random"), set()).add(lead_after(state, move))
    assert said[False] == {most}
    assert len(said[True]) > 1


def test_a_pit_that_brings_nothing_is_not_praised():
    states, _ = random_playout(GAMES["kalah"], GAMES["kalah"].rules.Options(), 2, Random(4))
    moves_of = GAMES["kalah"].rules.legal_moves
    state = next(each for each in states if len({lead_after(each, move) for move in moves_of(each)}) > 1)
    moves = GAMES["kalah"].rules.legal_moves(state)
    worst, best = (find(moves, key=lambda move: lead_after(state, move)) for find in (min, max))
    counted = next(number for number in SEEDS if dice_of_a_choice("match", number).random() > 0.9)
    assert lead_after(state, worst) <= lead_after(state) < lead_after(state, best)
    assert "No move wins more than this one" in why_kalah(state, best, dice_of_a_choice("match", counted))
    assert "No move wins any" in why_kalah(state, worst, dice_of_a_choice("match", counted))


class Looked(Exception):
    """The board was looked at."""


def test_morris_looks_at_the_board_or_does_not(monkeypatch):
    def look(*_, **__):
        raise Looked

    state, said = midway("morris"), set()
    monkeypatch.setattr(morris, "think", look)
    for number in SEEDS:
        move, looked = GAMES["morris"].rules.legal_moves(state)[0], False
        try:
            morris.choose(state, 1, 1.0, dice_of_a_choice("match", number))
        except Looked:
            looked = True
        said.add(looked)
        words = why_morris(state, move, dice_of_a_choice("match", number))
        assert words.startswith("At random") == (not looked)
    assert said == {True, False}


def test_cant_stop_stops_at_random_or_for_a_column():
    game = GAMES["cantstop"]
    states, _ = random_playout(game, game.rules.Options(), 2, Random(4))
    said = set()
    for state in states:
        if state.ended is None and game.rules.chance(state) is None:
            for number in range(20):
                move, rng = chosen(cantstop, state, number)
                words = why_cantstop(state, move, rng)
                said.add(words)
                tops = any(
                    at == top
                    for at, top in zip(state.runners, game.rules.LENGTHS, strict=True)  # type: ignore[attr-defined]
                    if top
                )
                assert ("claims a column." in words) == (move == game.rules.STOP and tops)  # type: ignore[attr-defined]
                assert ("random, as" in words) == (move == game.rules.STOP and not tops)  # type: ignore[attr-defined]
    assert len(said) == 5


def test_reason_absent_for_only_move():
    state = GAMES["aces"].rules.setup(AcesOptions(), 2)
    (move,) = GAMES["aces"].rules.legal_moves(state)
    assert GAMES["aces"].why(state, move, Random(1)) == NO_OTHER
    state = midway("aces", AcesOptions(may_stop=True))
    assert "wins more often" in GAMES["aces"].why(state, move, Random(1))
