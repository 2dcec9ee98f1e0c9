"""Plays on for somebody who went away: any game, decently, in a few hundredths of a second.

Each legal move is tried in a few games played on at random, and the one that did best for its seat is
played. It knows nothing of any game but its rules.
"""

from __future__ import annotations

from random import Random
from typing import Any

from games.rules.base import Outcome, Roll, Rules, Seat

TRIES = 24
"""Games played on at random, shared out among the legal moves; each move gets one at least."""
FAR = 40
"""Actions after which such a game is judged as it stands."""


def choose(rules: Rules, state: Any, rng: Random) -> Any:
    """A move for the seat on turn; the same one for the same random numbers."""
    moves = rules.legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    tries = max(1, TRIES // len(moves))

    def worth(move: Any) -> float:
        after = rules.play(state, move).state
        return sum(_share(_play_on(rules, after, rng), state.turn) for _ in range(tries))

    return max(moves, key=worth)


def _play_on(rules: Rules, state: Any, rng: Random) -> Outcome:
    """How a game that is played on at random ends, or stands after a while."""
    for _ in range(FAR):
        outcome = rules.outcome(state)
        if outcome is not None:
            return outcome
        due = rules.chance(state)
        if due is not None:
            action: Any = Roll(tuple(rng.randint(1, due.sides) for _ in range(due.count)))
        else:
            action = rng.choice(rules.legal_moves(state))
        state = rules.play(state, action).state
    return rules.outcome(state) or rules.standing(state)


def _share(outcome: Outcome, seat: Seat) -> float:
    """What an outcome is worth to a seat: nothing, all, or a part of a win that is shared."""
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0
