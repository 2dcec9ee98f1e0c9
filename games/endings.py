"""How a match ends: by its rules, or from outside them.

Rules know who has won; they have no word for a match that does not count. Such an ending is a ply of the
service: it leaves the state as it is, its text says what happened and whose doing it was, and the outcome
follows from that text alone. So a reload, another process and a replay all read it off the same row that
tells every viewer, and no game has to know of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.rules.base import Outcome, Rules, Seat, Step

ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Abort:
    """The match ends and counts for nobody, since `seat` did not make its first move in time."""

    seat: Seat

    def __str__(self) -> str:
        return f"{ABORTED}:{self.seat}"


def play(rules: Rules, state: Any, action: Any) -> Step:
    """What an action leads to, one of the game or one from outside it. Raises `IllegalMove`."""
    return Step(state, ()) if isinstance(action, Abort) else rules.play(state, action)


def outcome(rules: Rules, state: Any, action: str | None) -> Outcome | None:
    """The result of a match that stands at `state` after the ply with the text `action`."""
    if action is not None and action.startswith(f"{ABORTED}:"):
        return Outcome((), ABORTED)
    return rules.outcome(state)
