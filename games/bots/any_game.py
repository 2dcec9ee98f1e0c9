"""A computer player for any game: flat Monte Carlo search, which needs only the rules.

Each legal move is followed by random playouts; the move with the best result is chosen. A choice takes some
hundredths of a second.
"""

from __future__ import annotations

from math import ceil
from random import Random
from typing import Any

from games.bots.base import Evaluation, MoveEvaluation
from games.rules.base import Outcome, Roll, Rules, Seat

TRIES = 24
"""Playouts of a choice, divided among the legal moves; each gets at least one."""
TRIES_OF_A_LOOK = 400
"""Playouts of `look`, which must rank moves of similar value."""
FAR = 40
"""Maximum actions of a playout; then the current position is scored."""

Shares = tuple[float, ...]
"""The share of the win of each seat; their sum is 1."""


class AnyGame:
    """A `games.bots.base.Player` with one level for the game with these rules."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def choose(self, state: Any, level: int, effort: float, rng: Random) -> Any:
        """Choose a move for the seat on turn. Deterministic for the same state of `rng`."""
        moves = self._rules.legal_moves(state)
        if len(moves) == 1:
            return moves[0]
        games = ceil(TRIES * effort / len(moves))
        return max(moves, key=lambda move: self._worth(state, move, games, rng))

    def look(self, state: Any, seats: int, rng: Random) -> Evaluation:
        """Evaluate each move by random playouts."""
        moves = self._rules.legal_moves(state)
        games = ceil(TRIES_OF_A_LOOK / len(moves))
        tried = {str(move): self._tried(state, move, games, seats, rng) for move in moves}
        prospects = [MoveEvaluation(move, shares[state.turn]) for move, shares in tried.items()]
        prospects.sort(key=lambda prospect: prospect.share, reverse=True)
        return Evaluation(state.turn, tried[prospects[0].move], tuple(prospects))

    def _worth(self, state: Any, move: Any, games: int, rng: Random) -> float:
        """The share of the seat on turn, summed over `games` playouts after a move."""
        after = self._rules.play(state, move).state
        return sum(_share(self._played_on(after, rng), state.turn) for _ in range(games))

    def _tried(self, state: Any, move: Any, games: int, seats: int, rng: Random) -> Shares:
        """The mean share of each seat over `games` playouts after a move."""
        after = self._rules.play(state, move).state
        ends = [self._played_on(after, rng) for _ in range(games)]
        return tuple(sum(_share(end, seat) for end in ends) / games for seat in range(seats))

    def _played_on(self, state: Any, rng: Random) -> Outcome:
        """The outcome of a random playout, or of the position after `FAR` actions."""
        rules = self._rules
        for _ in range(FAR):
            outcome = rules.outcome(state)
            if outcome is not None:
                return outcome
            state = rules.play(state, random_action(rules, state, rng)).state
        return rules.outcome(state) or rules.standing(state)


def random_action(rules: Rules, state: Any, rng: Random) -> Any:
    """A random action: the dice roll that is due, or a legal move."""
    due = rules.chance(state)
    if due is None:
        return rng.choice(rules.legal_moves(state))
    return Roll(tuple(rng.randint(1, due.sides) for _ in range(due.count)))


def _share(outcome: Outcome, seat: Seat) -> float:
    """The share of a seat in an outcome: 0, 1, or its part of a shared win."""
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0
