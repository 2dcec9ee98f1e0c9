"""How strong the computer player of Kalah is.

The game "mancala" of OpenSpiel (https://github.com/google-deepmind/open_spiel) is the preset `classic`, move
for move and in its result; its actions 1 to 6 are the pits of seat 0, those from 8 to 13 the pits of seat 1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import ceil
from multiprocessing import get_context
from random import Random
from time import process_time
from unittest.mock import patch

import pyspiel

from bench.strength.arena import randomly, score
from bench.strength.figures import Figure, share
from games.bots import kalah as player
from games.bots import kalah_solver, kalah_tables
from games.bots.kalah_kernel import WON
from games.bots.kalah_levels import LEVELS
from games.rules import kalah
from games.rules.kalah import PRESETS, Move, State

HIGHEST = len(LEVELS)
GAMES, GAMES_AGAINST_TREE_SEARCH, GAMES_OF_TABLES = 400, 100, 100
OPENING = 6
"""Random sowings at the beginning of a match of the highest level against itself."""
GAMES_OF_THE_HIGHEST = {"circle": 40, "kalaha": 40, "classic": 100}
"""By preset; each of its matches takes half a minute."""
SIMULATIONS = 10_000
EXPLORATION = 2.0
"""The constant of UCT, as in OpenSpiel's own examples."""
MEGABYTES = 100
"""What its tree may take."""


def on_level(level: int, state: State, rng: Random, effort: float = 1) -> Move:
    return player.choose(state, level, effort, rng)


def without_tables(state: State, rng: Random, effort: float = 1) -> Move:
    """The highest level, which here has no tables of endings."""
    with patch.object(kalah_tables, "table", return_value=None):
        return on_level(HIGHEST, state, rng, effort)


def measure(part: float) -> Iterator[Figure]:
    """The figures of Kalah, see `bench.strength.figures.Measure`."""
    kalah_solver.make_missing()
    for preset in PRESETS:
        yield against_random(preset, part)
    for preset in PRESETS:
        yield from (against_the_level_below(level, preset, part) for level in range(2, HIGHEST + 1))
    yield tables_against_none(part)
    yield against_tree_search(part)
    yield from speed(part)


def against_random(preset: str, part: float) -> Figure:
    games = _games(GAMES, part)
    won = score("kalah", PRESETS[preset], partial(on_level, 1), partial(randomly, "kalah"), games)
    what = f"level 1 against random moves, {preset}"
    return Figure(what, games, share(won, games), "55-75 %", 0.55 <= won / games <= 0.75)


def against_the_level_below(level: int, preset: str, part: float) -> Figure:
    games = _games(GAMES if level < HIGHEST else GAMES_OF_THE_HIGHEST[preset], part)
    players = partial(on_level, level), partial(on_level, level - 1)
    won = score("kalah", PRESETS[preset], *players, games)
    what = f"level {level} against level {level - 1}, {preset}"
    return Figure(what, games, share(won, games), "at least 62 %", won / games >= 0.62)


def tables_against_none(part: float) -> Figure:
    games = _games(GAMES_OF_TABLES, part)
    players = partial(on_level, HIGHEST), without_tables
    won = score("kalah", PRESETS["classic"], *players, games, opening=OPENING)
    what = f"level {HIGHEST} with the tables against it without, classic, {OPENING} sowings at random"
    return Figure(what, games, share(won, games), "", True)


def against_tree_search(part: float) -> Figure:
    games = _games(GAMES_AGAINST_TREE_SEARCH, part)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        won = sum(pool.map(won_against_tree_search, range(games)))
    what = f"level {HIGHEST} against OpenSpiel’s MCTSBot with {SIMULATIONS:,} simulations, classic"
    return Figure(what, games, share(won, games), "at least 85 %", won / games >= 0.85)


def won_against_tree_search(number: int, simulations: int = SIMULATIONS, effort: float = 1) -> float:
    """The share that the highest level wins of a match, with the first move if `number` is even."""
    game, seat, rng = pyspiel.load_game("mancala"), number % 2, Random(number)
    rollouts = pyspiel.RandomRolloutEvaluator(1, number)
    bot = pyspiel.MCTSBot(game, rollouts, EXPLORATION, simulations, MEGABYTES, True, number, False)
    theirs, state = game.new_initial_state(), kalah.setup(PRESETS["classic"])
    while not (outcome := kalah.outcome(state)):
        if state.turn == seat:
            move = on_level(HIGHEST, state, rng, effort)
        else:
            move = Move(bot.step(theirs) - 7 * state.turn)
        assert move.pit is not None
        theirs.apply_action(move.pit + 7 * state.turn)
        state = kalah.play(state, move).state
    assert theirs.is_terminal()
    return (seat in outcome.winners) / len(outcome.winners)


def speed(part: float) -> Iterator[Figure]:
    """Time is that of the processor, so that whatever else runs here counts little."""
    slowest, moves, nodes, searching = 0.0, 0, 0, 0.0
    for preset, options in PRESETS.items():
        for number in range(ceil(5 * part)):
            rng, state = Random(f"{preset}.{number}"), kalah.setup(options)
            while not kalah.outcome(state):
                began = process_time()
                move = on_level(HIGHEST, state, rng)
                took = process_time() - began
                # What is compiled or loaded on the first move is no thinking.
                slowest, moves = max(slowest, took if moves else 0.0), moves + 1
                state = kalah.play(state, move).state
        root = player.root_of(kalah.setup(options), WON, player.POSITIONS)
        began = process_time()
        player.deepened(root, Random(1))
        nodes, searching = nodes + root.tree.nodes, searching + process_time() - began
    games = 3 * ceil(5 * part)
    yield Figure(
        f"slowest move of level {HIGHEST}, all presets",
        games,
        f"{slowest:.2f} s",
        "at most 1 s",
        slowest <= 1,
    )
    yield Figure(
        f"positions a second of level {HIGHEST}, from the start", 3, f"{nodes / searching:,.0f}", "", True
    )


def _games(whole: int, part: float) -> int:
    """An even number, so that each side begins as often."""
    return 2 * ceil(whole * part / 2)
