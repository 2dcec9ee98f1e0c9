"""A worker for tests: it thinks about what is due, with the player that knows any game, and stores it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

from games.bots.any_game import AnyGame
from games.bots.base import Evaluation, MoveEvaluation
from games.domain import codec
from games.net.hub import hub
from games.registry import GAMES
from games.store import analysis_queue, position_looks
from games.store.analysis_queue import Wanted

LEASE = timedelta(seconds=60)
MILLISECONDS = 1.0
"""The processor time that it says to have taken for each position."""


def think(most: int = 1_000) -> int:
    """Think about all that is due, however roughly; of how many positions. To be called inside a process."""
    return _each(most, _rough_look)


def know(shares: list[float], proved: bool, score: int | None) -> int:
    """The same without thinking: every first move leads to these shares, and to one score."""

    def look(wanted: Wanted) -> Evaluation:
        rules = GAMES[wanted.game].rules
        state = codec.decode_state(rules, wanted.state)
        moves = tuple(
            MoveEvaluation(str(move), shares[state.turn], score) for move in rules.legal_moves(state)
        )
        return Evaluation(state.turn, tuple(shares), moves, proved)

    return _each(1_000, look)


def dream(most: int = 1_000) -> int:
    """Looks as a good player might have them, of every kind, made up by the number of the ply.

    Without dice the end is known after thirty plies: one seat wins, and now and then it changes which.
    """

    def look(wanted: Wanted) -> Evaluation:
        rules, rng = GAMES[wanted.game].rules, Random(wanted.ply)
        known = wanted.ply > 30 and not GAMES[wanted.game].dice
        state = codec.decode_state(rules, wanted.state)
        parts = [rng.uniform(0.5, 1.5) for _ in range(wanted.seats)]
        shares = tuple(part / sum(parts) for part in parts)
        if known:
            winner = wanted.ply // 5 % wanted.seats
            shares = tuple(float(seat == winner) for seat in range(wanted.seats))
        lost = sorted(rng.choice([0.0, 0.02, 0.05, 0.12]) for _ in rules.legal_moves(state))
        moves = tuple(
            MoveEvaluation(str(move), max(0.0, shares[state.turn] - less + lost[0]), None, 0.04)
            for move, less in zip(rules.legal_moves(state), lost, strict=True)
        )
        return Evaluation(state.turn, shares, moves, proved=known)

    return _each(most, look)


def look_at_positions() -> int:
    """Evaluate the positions without a match that are due, however roughly; how many they were."""
    taken = position_looks.take(datetime.now(UTC), 1_000, LEASE)
    for asked in taken:
        rules = GAMES[asked.game].rules
        look = AnyGame(rules).look(codec.decode_state(rules, asked.state), asked.seats, Random(1))
        position_looks.store(asked, look)
    return len(taken)


def _each(most: int, look: Callable[[Wanted], Evaluation]) -> int:
    taken = analysis_queue.take(datetime.now(UTC), most, LEASE)
    for wanted in taken:
        analysis_queue.store(wanted, look(wanted))
        told = {"match": wanted.match_id, "ply": wanted.ply, "milliseconds": MILLISECONDS}
        hub.tell_everyone("thought", told)
    return len(taken)


def _rough_look(wanted: Wanted) -> Evaluation:
    rules = GAMES[wanted.game].rules
    state = codec.decode_state(rules, wanted.state)
    return AnyGame(rules).look(state, wanted.seats, Random(wanted.ply))
