"""Plays Can't Stop on four levels (`games.bots.base.Player`).

The two in the middle are published heuristics. The best knows by heart about what each position before a turn
is worth, by a small network that learned it in matches against itself, and works out the rest of the turn
exactly once all three runners are out. It wants to win, not to save turns: who is about to lose dares more.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np

from games.bots import cantstop_kernel as kernel
from games.bots import cantstop_net
from games.bots.base import Evaluation, MoveEvaluation
from games.bots.cantstop_levels import LEVELS
from games.rules import cantstop as rules
from games.rules.base import Seat

Array = kernel.Array
KELLER, GLENN = 2, 3

_START = rules.setup(rules.PRESETS["strict"], 2)
_TURNS = tuple(
    replace(_START, runners=tuple(runners.get(column, 0) for column in range(13)), dice=dice)
    for runners in ({6: 1, 7: 1}, {6: 9, 7: 11, 8: 9})
    for dice in ((), (3, 3, 4, 4))
)
"""Turns with two runners out and with three, before the choice to roll or stop and after a roll."""
TO_WARM_UP = (replace(_START, dice=(1, 2, 3, 5)), *_TURNS)
TO_WARM_UP_LOOK = _TURNS[-2:]
"""With three runners out, little of the turn is left to solve."""


class Board(NamedTuple):
    """A position as the kernel sees it; `seats` are those that still play, the one on turn first."""

    cones: Array
    owners: Array
    runners: Array
    strict: bool
    seats: tuple[Seat, ...]


def choose(state: rules.State, level: int, effort: float, rng: Random) -> rules.Move:
    """A move for the seat on turn; the same for the same state of `rng`. It takes no time to speak of."""
    if simple := LEVELS[level - 1].choose:
        move: rules.Move = simple(state, rng)
        return move
    moves = rules.legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    board = seen(state)
    if level in (KELLER, GLENN):
        return _weighed(board, kernel.RULE_OF_28 if level == KELLER else kernel.GLENN_ALOI, state.dice)
    return _best(board, state.dice)


def look(state: rules.State, seats: int, rng: Random) -> Evaluation:
    """What the best level makes of a position; the turn under way is worked out exactly to its end."""
    board = seen(state)
    position = board.cones, board.owners, board.runners, board.strict
    net = cantstop_net.load(len(board.seats))
    turn = kernel.solve_turn(net, table(), *position, kernel.scratch(len(board.seats)))
    shares, prospects = {}, []
    for move in dict.fromkeys(rules.legal_moves(state)):
        worth, spread = np.zeros_like(turn.values[0]), 0.0
        if move == rules.STOP:
            kernel.after_stop(net, *position, worth)
        elif move == rules.ROLL:
            values = np.zeros((kernel.THROWS, len(worth)))
            kernel.throw_values(net, turn, *position, values)
            spread = kernel.roll_value(values, worth)
        else:
            after = board.runners.copy()
            kernel.climb(board.cones, after, code_of(move))
            kernel.value_of(turn, after, worth)
        shares[str(move)] = _by_seat(worth, board.seats, seats)
        prospects.append(MoveEvaluation(str(move), shares[str(move)][state.turn], spread=spread))
    prospects.sort(key=lambda prospect: prospect.share, reverse=True)
    wins = (
        rules.STOP in rules.legal_moves(state) and kernel.claims(board.owners, board.runners) >= rules.TO_WIN
    )
    return Evaluation(state.turn, shares[prospects[0].move], tuple(prospects), proved=wins)


@cache
def table() -> kernel.Table:
    """What throws let three runners do."""
    return kernel.Table(*kernel.three_runner_table())


def seen(state: rules.State) -> Board:
    """The position from the seat on turn; seats that have left are not there, but what they claimed is."""
    around = (state.turn + step for step in range(len(state.present)))
    seats = tuple(seat for at in around if state.present[seat := at % len(state.present)])
    places = {seat: place for place, seat in enumerate(seats)}
    owners = [kernel.OPEN if owner is None else places.get(owner, len(seats)) for owner in state.owners]
    cones = np.array([state.cones[seat] for seat in seats])
    strict = state.options.topped == rules.STRICT
    return Board(cones, np.array(owners), np.array(state.runners), strict, seats)


def move_of(code: int) -> rules.Move:
    """The climb of a number (`games.bots.cantstop_kernel.BOTH`)."""
    low, high = code % kernel.BOTH, code // kernel.BOTH
    return rules.Move("climb", (low, high) if high else (low,))


def code_of(move: rules.Move) -> int:
    """The number of a climb."""
    low, high = (*move.columns, 0)[:2]
    return high * kernel.BOTH + low


def _weighed(board: Board, heuristic: kernel.Heuristic, dice: tuple[int, ...]) -> rules.Move:
    cones, owners, runners, strict, _ = board
    if dice:
        throw = kernel.THROW_NUMBERS[tuple(sorted(dice))]
        return move_of(kernel.weighed_climb(heuristic, cones, owners, runners, strict, throw))
    return rules.STOP if kernel.has_enough(heuristic, cones, owners, runners) else rules.ROLL


def _best(board: Board, dice: tuple[int, ...]) -> rules.Move:
    cones, owners, runners, strict, seats = board
    net, room = cantstop_net.load(len(seats)), kernel.scratch(len(seats))
    if kernel.runners_out(runners) == rules.RUNNERS:
        kernel.solve(net, table(), cones, owners, runners, strict, room, 0)
    if dice:
        throw, shares = kernel.THROW_NUMBERS[tuple(sorted(dice))], np.zeros_like(room.values[0, 0])
        return move_of(kernel.best_climb(net, table(), cones, owners, runners, strict, throw, room, shares))
    return rules.STOP if kernel.best_is_stop(net, cones, owners, runners, strict, room) else rules.ROLL


def _by_seat(worth: Array, present: tuple[Seat, ...], seats: int) -> tuple[float, ...]:
    """The shares of those who play, the one on turn first, by seat; who has left has none."""
    winning = [float(share) for share in worth]
    if len(present) == 2:
        winning.append(1 - winning[0])
    scale = sum(winning)
    by_seat = dict(zip(present, winning, strict=True))
    return tuple(by_seat.get(seat, 0.0) / scale for seat in range(seats))
