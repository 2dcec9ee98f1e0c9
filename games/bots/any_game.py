"""Plays any game decently, in a few hundredths of a second, and knows nothing of it but its rules.

Each legal move is tried in games played on at random, and the one that did best for its seat is played
(flat Monte Carlo search).
"""

from __future__ import annotations

from math import ceil
from random import Random
from typing import Any

from games.bots.base import Evaluation, MoveEvaluation
from games.rules.base import Outcome, Roll, Rules, Seat

TRIES = 24
"""Games played on to choose a move, shared out among the legal ones; each gets one at least."""
TRIES_OF_A_LOOK = 400
"""The same for a look, which is to tell moves apart that are nearly as good."""
FAR = 40
"""Actions after which a game that is played on is judged as it stands."""

Shares = tuple[float, ...]
"""By seat, the share of the win; together they are 1."""


class AnyGame:
    """A player of the game of these rules, on one level (`games.bots.base.Player`)."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def choose(self, state: Any, level: int, effort: float, rng: Random) -> Any:
        """A move for the seat on turn; the same one for the same random numbers."""
        moves = self._rules.legal_moves(state)
        if len(moves) == 1:
            return moves[0]
        games = ceil(TRIES * effort / len(moves))
        return max(moves, key=lambda move: self._worth(state, move, games, rng))

    def look(self, state: Any, seats: int, rng: Random) -> Evaluation:
        """What comes of each move when everybody plays at random afterwards."""
        moves = self._rules.legal_moves(state)
        games = ceil(TRIES_OF_A_LOOK / len(moves))
        tried = {str(move): self._tried(state, move, games, seats, rng) for move in moves}
        prospects = [MoveEvaluation(move, shares[state.turn]) for move, shares in tried.items()]
        prospects.sort(key=lambda prospect: prospect.share, reverse=True)
        return Evaluation(state.turn, tried[prospects[0].move], tuple(prospects))

    def _worth(self, state: Any, move: Any, games: int, rng: Random) -> float:
        """The share of the seat on turn, summed up over some games played on after a move."""
        after = self._rules.play(state, move).state
        return sum(_share(self._played_on(after, rng), state.turn) for _ in range(games))

    def _tried(self, state: Any, move: Any, games: int, seats: int, rng: Random) -> Shares:
        """The share of each seat, on the average over some games played on after a move."""
        after = self._rules.play(state, move).state
        ends = [self._played_on(after, rng) for _ in range(games)]
        return tuple(sum(_share(end, seat) for end in ends) / games for seat in range(seats))

    def _played_on(self, state: Any, rng: Random) -> Outcome:
        """How a game that is played on at random ends, or stands after a while."""
        rules = self._rules
        for _ in range(FAR):
            outcome = rules.outcome(state)
            if outcome is not None:
                return outcome
            state = rules.play(state, random_action(rules, state, rng)).state
        return rules.outcome(state) or rules.standing(state)


def random_action(rules: Rules, state: Any, rng: Random) -> Any:
    """The dice that are due, or one of the legal moves."""
    due = rules.chance(state)
    if due is None:
        return rng.choice(rules.legal_moves(state))
    return Roll(tuple(rng.randint(1, due.sides) for _ in range(due.count)))


def _share(outcome: Outcome, seat: Seat) -> float:
    """What an outcome is worth to a seat: nothing, all, or a part of a win that is shared."""
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0
