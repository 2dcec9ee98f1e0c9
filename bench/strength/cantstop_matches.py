"""Matches of Can't Stop between the computer's levels, compiled: millions of throws a second.

The decisions are those of `games.bots.cantstop_kernel`, which the computer player makes too; what is here is
only the table they sit at. Nothing here is kept compiled, lest it plays as an older kernel did.
"""

from __future__ import annotations

import os
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from games.bots import cantstop_net
from games.bots.cantstop_kernel import (
    GLENN_ALOI,
    MOST_CLIMBS,
    OPEN,
    RULE_OF_28,
    WAYS,
    Table,
    best_climb,
    best_is_stop,
    claims,
    climb,
    has_enough,
    legal_climbs,
    pass_on,
    scratch,
    stop,
    three_runner_table,
    weighed_climb,
)
from games.bots.cantstop_levels import CHANCE_TO_STOP
from games.bots.compiler import njit

CARELESS, KELLER, GLENN, BEST = 1, 2, 3, 4
"""The levels by what they are."""
GAMES_A_TASK = 500
_SUMMED_WAYS = np.cumsum(WAYS)


@njit
def _any_climb(cones, owners, runners, strict, throw):
    found = np.zeros(MOST_CLIMBS, np.int64)
    count = legal_climbs(cones, owners, runners, strict, throw, found)
    return found[np.random.randint(0, count)] if count else 0


@njit
def _turn(level, net, table, room, cones, owners, strict):
    """Play a turn; returns whether it won the match."""
    runners = np.zeros(13, np.int64)
    shares = np.zeros(room.values.shape[2], np.float32)
    heuristic = RULE_OF_28 if level == KELLER else GLENN_ALOI
    while True:
        throw = np.searchsorted(_SUMMED_WAYS, np.random.randint(0, 1296), side="right")
        if level == CARELESS:
            code = _any_climb(cones, owners, runners, strict, throw)
        elif level == BEST:
            code = best_climb(net, table, cones, owners, runners, strict, throw, room, shares)  # type: ignore[arg-type]
        else:
            code = weighed_climb(heuristic, cones, owners, runners, strict, throw)  # type: ignore[arg-type]
        if code == 0:
            return False
        climb(cones, runners, code)
        if level == CARELESS:
            stops = claims(owners, runners) > claims(owners, np.zeros_like(runners))
            stops = stops or np.random.random() < CHANCE_TO_STOP
        elif level == BEST:
            stops = best_is_stop(net, cones, owners, runners, strict, room)
        else:
            stops = has_enough(heuristic, cones, owners, runners)
        if stops:
            won = claims(owners, runners) >= 3
            stop(cones, owners, runners)
            return won


@njit
def _match(levels, net, table, room, strict):
    """The seat that wins, and the number of turns; the first of `levels` begins."""
    seats = len(levels)
    cones, owners = np.zeros((seats, 13), np.int64), np.full(13, OPEN)
    turn = 0
    while True:
        seat = turn % seats
        turn += 1
        if _turn(levels[seat], net, table, room, cones, owners, strict):
            return seat, turn
        pass_on(cones, owners)


@njit
def _matches(levels, net, table, room, strict, first, games, seed):
    """The wins of the first of `levels`, who sits one place further in each match, and all turns."""
    np.random.seed(seed)
    seats, wins, turns = len(levels), 0, 0
    for number in range(first, first + games):
        place = number % seats
        winner, length = _match(np.roll(levels, place), net, table, room, strict)
        wins += int(winner == place)
        turns += length
    return wins, turns


def matches(
    levels: tuple[int, ...], games: int, strict: bool = False, seed: int = 1, first: int = 0
) -> tuple[int, int]:
    """How many of `games` matches the first of `levels` wins, and all the turns taken; seats move on."""
    net, table = cantstop_net.load(len(levels)), Table(*three_runner_table())
    room = scratch(len(levels))
    return _matches(np.array(levels), net, table, room, strict, first, games, seed)


def _task(levels: tuple[int, ...], games: int, strict: bool, seed: int, number: int) -> tuple[int, int]:
    return matches(levels, games, strict, 1000 * seed + number, first=number * games)


def all_cores() -> Executor:
    """Processes for all figures: each compiles its table once."""
    return ProcessPoolExecutor(os.cpu_count(), get_context("spawn"))


def shared_out(
    pool: Executor, levels: tuple[int, ...], games: int, strict: bool = False, seed: int = 1
) -> tuple[int, int, int]:
    """The wins of the first of `levels`, all the turns taken, and the games, rounded up to whole tasks."""
    tasks = -(-games // GAMES_A_TASK)
    waiting = [pool.submit(_task, levels, GAMES_A_TASK, strict, seed, number) for number in range(tasks)]
    told = [task.result() for task in waiting]
    return sum(wins for wins, _ in told), sum(turns for _, turns in told), tasks * GAMES_A_TASK
