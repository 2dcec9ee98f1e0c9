"""Verifies a stored match by replaying it. Pure.

Everything the rules determine is computed again: each position, the faces of each dice roll if the server
seed is known, and the outcome. Players, times and clocks cannot be computed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from games.domain import codec, dice, match_actions
from games.domain.match_actions import MatchFlags
from games.domain.record import DiceProof
from games.registry import Game
from games.rules.base import IllegalMove, Outcome, Roll, Seat


class NotReproducible(Exception):
    """The stored match is not what its plies give; the message says where and why."""


@dataclass(frozen=True, slots=True)
class VerifiablePly:
    """One stored ply; `dice` are faces, `state` is the JSON of the position after it."""

    number: int
    seat: Seat | None
    action: str
    dice: tuple[int, ...] | None
    state: str


def verify(
    match_id: str, game: Game, start: Any, plies: Iterable[VerifiablePly], seats: int, seal: DiceProof | None
) -> Outcome | None:
    """Replay a match from `start` and return its outcome, None if it is still in play.

    Args:
        match_id: part of the message of each dice roll (`games.domain.dice`).
        start: the decoded position before the first ply.
        plies: in order.
        seats: number of seats.
        seal: the seeds of the dice; None if the game has none.

    Raises:
        NotReproducible: if a ply is impossible, or leads elsewhere than stored.
    """
    states, flags = [start], MatchFlags()
    outcome = game.rules.outcome(start)
    for number, ply in enumerate(plies, 1):
        if ply.number != number:
            raise NotReproducible(f"ply {number} is missing")
        try:
            state = _replay(match_id, game, states, ply, seal)
        except (IllegalMove, codec.Undecodable) as error:
            raise NotReproducible(f"ply {number}, {ply.action}: {error}") from error
        states.append(state)
        flags = flags.after(ply.seat, ply.action)
        outcome = match_actions.outcome(game.rules, state, ply.action, flags.remaining(seats))
    return outcome


def _replay(match_id: str, game: Game, states: list[Any], ply: VerifiablePly, seal: DiceProof | None) -> Any:
    """The position after a ply, which the rules and the store agree on."""
    rules, before = game.rules, states[-1]
    action = match_actions.action(rules, ply.action, ply.dice)
    state = match_actions.play(rules, before, action, states.__getitem__).state
    if isinstance(action, Roll) and seal is not None:
        due = rules.chance(before)
        assert due is not None, "the rules have just played this roll"
        rolled = dice.throw(seal.secret, seal.words, match_id, ply.number, due)
        if rolled != action:
            raise NotReproducible(f"ply {ply.number}: the dice are {rolled.faces}, not {action.faces}")
    if state != codec.decode_state(rules, ply.state):
        raise NotReproducible(f"ply {ply.number}, {ply.action}: the position after it is another one")
    return state
