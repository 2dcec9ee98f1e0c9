"""How strong the computer is at Nine Men's Morris.

The foreign opponent is OpenSpiel's MCTSBot, with random playouts and 5,000 of them a move. Its
`nine_mens_morris` is our preset `nine` without the two draws, and calls a match of 200 turns drawn; the
moves of both are held against each other throughout. Times are of the processor, as others may be using
the machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from math import ceil
from multiprocessing import get_context
from random import Random
from time import process_time
from typing import NamedTuple

import numpy as np

from games.bots import morris as player
from games.bots import morris_kernel as kernel
from games.bots import morris_tables
from games.bots.morris_check import random_position
from games.rules import morris, morris_boards
from games.rules.morris import FEWEST_MEN, MEN, PRESETS, Move, State

from . import arena
from .arena import Chooser
from .figures import Figure, share

LEVELS = len(player.SKILLS)
GAMES = 200
GAMES_OF_THE_BEST = 40
GAMES_OF_OTHERS = 60
"""Of each level against the one below, with other presets than the first."""
FOREIGN_GAMES = 20
PLAYOUTS = 5_000
GAMES_OF_VALUES = 40
NODES_OF_VALUES = 10_000
"""Positions a move where only what they are judged by is compared."""
GAMES_OF_TABLES = 40
OPENING = 2
"""Men placed at random at the beginning of a match with the tables against one without."""
AHEAD = 200
"""Positions of self-play in which one side has a man more than the other, and at most six."""
NODES_AHEAD = 20_000
NODES_OF_PLAY = 1_000
"""Positions a move where only some position of a match is looked for."""
RANDOM_PLIES = 6
"""Men placed at random at the beginning of a match that such a position is looked for in."""
ENDINGS = 40
SHORTEST_ENDING = 15
"""Turns of both sides that the ending of a match is won in, at least, to be a long one."""
FOREIGN_RULES = replace(PRESETS["nine"], threefold=False, fifty=False)
TIMED = 40
"""Positions in which the best level is timed, of each preset."""


def measure(part: float) -> Iterator[Figure]:
    """Each level against the one below, the best against a foreign player, and how long it thinks."""
    yield against_chance(ceil(GAMES * part))
    for preset in PRESETS:
        for level in range(2, LEVELS + 1):
            yield against_the_one_below(preset, level, part)
    yield learned_against_set_by_hand(ceil(GAMES_OF_VALUES * part))
    yield tables_against_none(max(2, ceil(GAMES_OF_TABLES * part)))
    yield from one_man_ahead(max(2, ceil(AHEAD * part)))
    yield from endings_won(ceil(ENDINGS * part))
    yield against_playouts(max(2, ceil(FOREIGN_GAMES * part)))
    yield from times(ceil(TIMED * part))


def against_chance(games: int) -> Figure:
    """The weakest level is a match for a child: better than nothing, and not by much."""
    won = arena.score(
        "morris", PRESETS["nine"], partial(playing, 1), partial(arena.randomly, "morris"), games
    )
    met = 0.55 <= won / games <= 0.75
    return Figure("level 1 against random play, nine", games, share(won, games), "55-75 %", met)


def against_the_one_below(preset: str, level: int, part: float) -> Figure:
    games = GAMES if preset == "nine" else GAMES_OF_OTHERS
    if level == LEVELS:
        games = GAMES_OF_THE_BEST if preset == "nine" else GAMES_OF_THE_BEST // 4
    games = max(2, ceil(games * part))
    won = arena.score("morris", PRESETS[preset], partial(playing, level), partial(playing, level - 1), games)
    what = f"level {level} against level {level - 1}, {preset}"
    return Figure(what, games, share(won, games), "62 % at least", won / games >= 0.62)


def learned_against_set_by_hand(games: int) -> Figure:
    """What was learned (`games.bots.morris_patterns`) against the weights of all other presets."""
    learned, by_hand = (partial(judging, knows, NODES_OF_VALUES) for knows in (True, False))
    won = arena.score("morris", PRESETS["nine"], learned, by_hand, games)
    what = f"learned values against those set by hand, {NODES_OF_VALUES:,} positions a move, nine"
    return Figure(what, games, share(won, games), "62 % at least", won / games >= 0.62)


def judging(knows: bool, nodes: int, state: State, rng: Random) -> Move:
    """A chooser of the arena that judges positions by what was learned, or else by weights."""
    moves = list(morris.legal_moves(state))
    rng.shuffle(moves)
    return searched(player.table(state.options, knows), state, moves, nodes)


def searched(table: kernel.Table, state: State, moves: list[Move], nodes: int) -> Move:
    """The best of some moves; the first of equal ones."""
    memory = kernel.memory()
    player.remember(memory, state)
    memory.counters[kernel.LIMIT], memory.counters[kernel.REST] = nodes, kernel.QUIESCENCE
    codes = np.array([player.code(state.options, move) for move in moves], np.int64)
    kernel.think(table, memory, codes, np.full_like(codes, -kernel.INFINITE), 1, kernel.DEEPEST, 0)
    return next(move for move in moves if player.code(state.options, move) == codes[0])


def playing(level: int, state: State, rng: Random) -> Move:
    """A chooser of the arena that plays on a level."""
    return player.choose(state, level, 1, rng)


# Endings


def tables_against_none(games: int) -> Figure:
    """The best level, which has Six Men's Morris solved, against its search alone."""
    searching = partial(judging, False, player.SKILLS[-1].nodes)
    won = arena.score("morris", PRESETS["six"], partial(playing, LEVELS), searching, games, opening=OPENING)
    what = f"level {LEVELS} with the tables against it without, six, {OPENING} men at random"
    return Figure(what, games, share(won, games), "", True)


def one_man_ahead(number: int) -> Iterator[Figure]:
    """How a side with a man more does, with the tables inside its search and without; both ask them first."""
    for inside in (True, False):
        with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
            won = list(pool.map(partial(won_ahead, inside), range(number), chunksize=4))
        results = f"{won.count(1)} won, {won.count(0.5)} drawn, {won.count(0)} lost"
        where = "inside the search" if inside else "before the search"
        what = f"a man ahead, tables {where}, {NODES_AHEAD:,} positions a move, nine"
        yield Figure(what, number, results, "", True)


def won_ahead(inside: bool, seed: int) -> float:
    """The share of the win of the side that is a man ahead in a position of self-play."""
    rng = Random(seed)
    state = a_man_ahead(rng)
    ahead = 0 if state.board.count(MEN[0]) > state.board.count(MEN[1]) else 1
    choosers = [partial(tabled, False, NODES_AHEAD)] * 2
    choosers[ahead] = partial(tabled, inside, NODES_AHEAD)
    return arena.played(morris, state, tuple(choosers), rng)[ahead]


def a_man_ahead(rng: Random) -> State:
    """A position of self-play in which one side has a man more, and at most six."""
    state = morris.setup(PRESETS["nine"], 2)
    while True:
        men = [state.board.count(man) for man in MEN]
        if not any(state.hand) and not state.takes and abs(men[0] - men[1]) == 1 and max(men) <= 6:
            return state
        placed = sum(PRESETS["nine"].men - held for held in state.hand)
        if placed < RANDOM_PLIES:
            move = rng.choice(morris.legal_moves(state))
        else:
            move = tabled(False, NODES_OF_PLAY, state, rng)
        state = morris.play(state, move).state
        if state.ended:
            state = morris.setup(PRESETS["nine"], 2)


def tabled(inside: bool, nodes: int, state: State, rng: Random) -> Move:
    """A chooser that asks the tables of endings first, and looks them up inside its search or not."""
    moves = list(morris.legal_moves(state))
    rng.shuffle(moves)
    moves, settled = morris_tables.narrowed(state, moves)
    if settled:
        return moves[0]
    table = player.table_for(state, True) if inside else player.table(state.options, True)
    return searched(table, state, moves, nodes)


def endings_won(number: int) -> Iterator[Figure]:
    """How many of the same long endings, all of them won, the best level wins against the best defence."""
    without = partial(judging, True, player.SKILLS[-1].nodes)
    for name, attacker, goal in (("with", partial(playing, LEVELS), "all"), ("without", without, "")):
        with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
            won = sum(pool.map(partial(is_won, attacker), won_endings(number), range(number)))
        what = f"long endings of three against four, won by level {LEVELS} {name} the tables, nine"
        yield Figure(what, number, share(won, number), goal, not goal or won == number)


def is_won(attacker: Chooser, state: State, seed: int) -> bool:
    """Whether whoever is on turn wins, against the best level with the tables."""
    seat, rng = state.turn, Random(seed)
    while state.ended is None:
        chooser = attacker if state.turn == seat else partial(playing, LEVELS)
        state = morris.play(state, chooser(state, rng)).state
    return state.ended.winners == (seat,)


def won_endings(number: int) -> Iterator[State]:
    """Endings at random that three who are on turn win against four, but not soon."""
    rng, found = Random(1), 0
    while found < number:
        state = random_position(FEWEST_MEN + 1, three_move=True, rng=rng)
        turns = (morris_tables.value(state) or 1) - 1
        if turns % 2 and turns >= SHORTEST_ENDING:
            found += 1
            yield state


# Against OpenSpiel


def against_playouts(games: int) -> Figure:
    """The best level against OpenSpiel's tree search with random playouts."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        results = list(pool.map(foreign_match, range(games)))
    wins, draws, losses = (results.count(result) for result in (1, 0, -1))
    return Figure(
        f"level {LEVELS} against OpenSpiel’s MCTSBot with {PLAYOUTS:,} playouts, nine",
        games,
        f"{wins} won, {draws} drawn, {losses} lost",
        "none lost, most won",
        not losses and wins > games / 2,
    )


def foreign_match(number: int) -> int:
    """The result of one match, 1 if the best level won it and -1 if it lost; it has the even seats."""
    import pyspiel

    game, seat, rng = pyspiel.load_game("nine_mens_morris"), number % 2, Random(number)
    foreign, state = game.new_initial_state(), morris.setup(FOREIGN_RULES)
    playouts = pyspiel.RandomRolloutEvaluator(1, number)
    bot = pyspiel.MCTSBot(game, playouts, 2.0, PLAYOUTS, 1_000, True, number, False)
    while not foreign.is_terminal():
        moves = {foreign_action(move): move for move in morris.legal_moves(state)}
        if sorted(moves) != sorted(foreign.legal_actions()):
            raise ValueError(f"OpenSpiel allows other moves than we in {state}")
        if state.turn == seat:
            action = foreign_action(player.choose(state, LEVELS, 1, rng))
        else:
            action = bot.step(foreign)
        state = morris.play(state, moves[action]).state
        foreign.apply_action(action)
    return int(foreign.returns()[seat])


def foreign_action(move: Move) -> int:
    """A move as OpenSpiel counts them: the point where a man is placed or taken, or else start and end."""
    points = morris_boards.BOARDS[FOREIGN_RULES.board].points
    if not move.start or not move.to:
        return points.index(move.start or move.to)
    return len(points) * (1 + points.index(move.start)) + points.index(move.to)


# Time


class Timed(NamedTuple):
    """The positions that a search looked at, and the seconds of processor time it took."""

    nodes: int
    seconds: float


def times(number: int) -> Iterator[Figure]:
    """How fast the best level is, in positions of all presets, on one core."""
    # What is compiled is loaded before it is timed.
    timed(morris.setup(FOREIGN_RULES))
    found = [timed(state) for options in PRESETS.values() for state in positions(options, number)]
    nodes, seconds = sum(each.nodes for each in found), [each.seconds for each in found]
    slowest = max(seconds)
    speed = f"{nodes / sum(seconds) / 1e6:.2f} million a second"
    yield Figure("positions searched, all presets", len(found), speed, "", True)
    what = f"slowest move of level {LEVELS}, all presets"
    yield Figure(what, len(found), f"{slowest:.2f} s", "1 s at most", slowest <= 1)


def timed(state: State) -> Timed:
    """Search a position as the best level does."""
    skill = player.SKILLS[-1]
    began = process_time()
    found = player.think(
        state, list(morris.legal_moves(state)), skill.depth, skill.nodes, 0, knows=skill.knows
    )
    return Timed(found.nodes, process_time() - began)


def positions(options: morris.Options, number: int) -> Iterable[State]:
    """Positions of games between middling players, after none, two, four ... plies."""
    state, rng = morris.setup(options), Random(1)
    for _ in range(number):
        yield state
        for _ in range(2):
            state = morris.play(state, player.choose(state, 5, 1, rng)).state
            if state.ended:
                state = morris.setup(options)
