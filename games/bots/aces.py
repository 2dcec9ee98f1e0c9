"""Plays Aces (`games.bots.base.Player`): it throws, and decides where a player may stop after a throw.

Between two the chances are exact: values are iterated from one die in play upwards. Among more of them many
matches are played on, all at once and by players who never stop.
"""

from __future__ import annotations

from functools import cache
from math import ceil, comb
from random import Random
from typing import Any, NamedTuple

import numpy as np

from games.bots.base import Evaluation, MoveEvaluation
from games.rules import aces as rules
from games.rules.base import Seat

MOST_EXACT = 20
"""Dice in play up to which two seats are worked out exactly, within a second."""
EXACT = 1e-12
TRIES, TRIES_OF_A_LOOK = 3000, 12_000
"""Matches played on, shared out among the moves."""
MOST_THROWS = 5000
"""No match takes as many."""
_FACES = (1 / 6, 1 / 6, 1 / 6, 1 / 2)
"""The chances of a die to go to the centre, to the left, to the right, and to stay."""

Array = np.ndarray[Any, Any]
Shares = tuple[float, ...]


class Terms(NamedTuple):
    """The options that matter to the chances."""

    may_stop: bool
    last_wins: bool


class Value(NamedTuple):
    """By seat the share of the win a move leads to, and the spread of the mover's over the throw."""

    shares: Shares
    spread: float = 0.0


def choose(state: rules.State, level: int, effort: float, rng: Random) -> rules.Move:
    """A move for the seat on turn; the same for the same state of `rng`."""
    moves = rules.legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    tries = ceil(TRIES * effort / len(moves))
    return max(moves, key=lambda move: _worth(state, move, tries, rng).shares[state.turn])


def look(state: rules.State, seats: int, rng: Random) -> Evaluation:
    """What comes of each move: exactly between two with few dice, else on the average of many matches."""
    moves = rules.legal_moves(state)
    tries = ceil(TRIES_OF_A_LOOK / len(moves))
    found = {str(move): _worth(state, move, tries, rng) for move in moves}
    prospects = [
        MoveEvaluation(move, worth.shares[state.turn], None, worth.spread) for move, worth in found.items()
    ]
    prospects.sort(key=lambda prospect: prospect.share, reverse=True)
    return Evaluation(state.turn, found[prospects[0].move].shares, tuple(prospects))


def _worth(state: rules.State, move: rules.Move, tries: int, rng: Random) -> Value:
    """What a move leads to."""
    order = _present_from(state, state.turn)
    counts = tuple(len(state.dice[seat]) for seat in order)
    terms = Terms(state.options.may_stop, state.options.last_ace == rules.WINS)
    if len(order) == 2 and sum(counts) <= MOST_EXACT:
        worth = _of_two(terms, move, *counts)
    else:
        worth = _played_on(terms, move, counts, tries, rng.getrandbits(64))
    by_seat = dict(zip(order, worth.shares, strict=True))
    return Value(tuple(by_seat.get(seat, 0.0) for seat in range(len(state.dice))), worth.spread)


def _present_from(state: rules.State, first: Seat) -> tuple[Seat, ...]:
    """The seats that still play, in turn order from `first`."""
    around = (at % len(state.dice) for at in range(first, first + len(state.dice)))
    return tuple(seat for seat in around if state.present[seat])


# Two seats, exactly


def _of_two(terms: Terms, move: rules.Move, mine: int, theirs: int) -> Value:
    rolls = roll_shares(terms, mine + theirs)
    if move == rules.STOP:
        share = _passed(rolls, mine, theirs)
        return Value((share, 1 - share))
    throws = [(chance, _thrown(terms, rolls, mine, theirs, *to)) for chance, *to in _throws(mine)]
    share = sum(chance * after for chance, after in throws)
    spread = sum(chance * (after - share) ** 2 for chance, after in throws) ** 0.5
    return Value((share, 1 - share), spread)


@cache
def roll_shares(terms: Terms, most: int) -> dict[tuple[int, int], float]:
    """The share of a seat that is to throw, by its dice and the other's, up to `most` in all.

    Dice in play only become fewer, so each number of them is solved from those below it by going round
    until nothing changes any more (Gauss-Seidel).
    """
    rolls = dict(roll_shares(terms, most - 1)) if most > 1 else {}
    level = [(mine, most - mine) for mine in range(1, most + 1)]
    rolls.update(dict.fromkeys(level, 0.5))
    change = 1.0
    while change > EXACT:
        change = 0.0
        for mine, theirs in level:
            share = sum(chance * _thrown(terms, rolls, mine, theirs, *to) for chance, *to in _throws(mine))
            change = max(change, abs(share - rolls[mine, theirs]))
            rolls[mine, theirs] = share
    return rolls


@cache
def _throws(dice: int) -> tuple[tuple[float, int, int], ...]:
    """Each throw of so many dice: its chance, how many go to the centre and how many to the other seat."""
    return tuple(
        (
            comb(dice, aces) * comb(dice - aces, passed) * 2**passed * 3 ** (dice - aces - passed) / 6**dice,
            aces,
            passed,
        )
        for aces in range(dice + 1)
        for passed in range(dice - aces + 1)
    )


def _thrown(
    terms: Terms, rolls: dict[tuple[int, int], float], mine: int, theirs: int, aces: int, passed: int
) -> float:
    """The share of the seat that threw, after its throw."""
    left, theirs = mine - aces - passed, theirs + passed
    if left + theirs == 0:
        return float(terms.last_wins)
    if left in (0, mine):
        return _passed(rolls, left, theirs)
    rolled = rolls[left, theirs]
    return max(rolled, _passed(rolls, left, theirs)) if terms.may_stop else rolled


def _passed(rolls: dict[tuple[int, int], float], mine: int, theirs: int) -> float:
    """The share of a seat whose turn ends: it goes on itself where the other holds no dice."""
    return 1 - rolls[theirs, mine] if theirs else rolls[mine, theirs]


# More seats, on the average


def _played_on(terms: Terms, move: rules.Move, counts: tuple[int, ...], tries: int, seed: int) -> Value:
    """Play matches on at once; what they were won by is put together by their first throw.

    The spread is that of the classes beyond what chance alone would make of them (analysis of variance).
    """
    rng, seats = np.random.default_rng(seed), len(counts)
    dice, turns = np.tile(np.array(counts), (tries, 1)), np.zeros(tries, np.int64)
    if move == rules.STOP:
        turns = _next_with_dice(dice, turns)
    firsts, throwers = _to_the_end(dice, turns, rng)
    wins = np.zeros((tries, seats))
    wins[np.arange(tries), throwers] = 1
    if not terms.last_wins:
        wins = (1 - wins) / (seats - 1)
    shares = tuple(float(share) for share in wins.mean(0))
    return Value(shares, 0.0 if move == rules.STOP else _spread(firsts, wins[:, 0]))


def _to_the_end(dice: Array, turns: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Play every row of `dice` to its end; returns the first throws and who threw the last ace."""
    seats, rows = dice.shape[1], np.arange(len(dice))
    throwers, firsts = turns.copy(), np.zeros((0, len(_FACES)), np.int64)
    for _ in range(MOST_THROWS):
        held = dice[rows, turns[rows]]
        thrown = rng.multinomial(held, _FACES)
        firsts = firsts if len(firsts) else thrown
        dice[rows, turns[rows]] = thrown[:, 3]
        dice[rows, (turns[rows] + 1) % seats] += thrown[:, 1]
        dice[rows, (turns[rows] - 1) % seats] += thrown[:, 2]
        throwers[rows] = turns[rows]
        going = dice[rows].any(axis=1)
        over = going & ((thrown[:, 3] == held) | (thrown[:, 3] == 0))
        turns[rows[over]] = _next_with_dice(dice[rows[over]], turns[rows[over]])
        rows = rows[going]
        if not len(rows):
            break
    return firsts, throwers


def _next_with_dice(dice: Array, turns: Array) -> Array:
    """Who is to throw after each of `turns`: the next seat that holds dice."""
    seats = dice.shape[1]
    after = (turns[:, None] + np.arange(1, seats + 1)) % seats
    steps = np.take_along_axis(dice, after, axis=1).astype(bool).argmax(axis=1)
    chosen: Array = after[np.arange(len(turns)), steps]
    return chosen


def _spread(firsts: Array, wins: Array) -> float:
    """The standard deviation of the mean of `wins` over the classes of equal rows of `firsts`."""
    _, classes, sizes = np.unique(firsts, axis=0, return_inverse=True, return_counts=True)
    means = np.bincount(classes.ravel(), wins) / sizes
    between = float((sizes * (means - wins.mean()) ** 2).sum())
    within = float(((wins - means[classes.ravel()]) ** 2).sum()) / max(1, len(wins) - len(sizes))
    beyond = max(0.0, (between - (len(sizes) - 1) * within) / len(wins))
    return float(np.sqrt(beyond))
