"""Single positions of matches, as spectators may see them now.

The result does not depend on the user, so it may be cached publicly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from games.domain import computer_names
from games.domain.refusals import UnknownMatch
from games.play.live import LiveMatch
from games.registry import Game
from games.rules.base import Outcome
from games.store import history
from games.store.history import Stored
from games.watch.visibility import seen_by


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a match after a ply. `fixed` says that it never changes under its URL.

    The outcome is set on the last position of a match that has ended. Names are in the active language.
    """

    match_id: str
    game: Game
    ply: int
    state: Any
    outcome: Outcome | None
    names: tuple[str, ...]
    fixed: bool


def position_of(match_id: str, ply: int | None, now: datetime) -> Position:
    """The position after a ply; without one, the last visible one. Raises `UnknownMatch` or `PlayersOnly`."""
    stored, view = seen_by(match_id, None, now)
    view.check()
    last = last_position(stored)
    if ply is None:
        return last
    if ply > last.ply:
        raise UnknownMatch(match_id)
    if ply == last.ply:
        return replace(last, fixed=True)
    return replace(last, ply=ply, state=history.state_after(match_id, ply), outcome=None, fixed=True)


def last_position(stored: Stored) -> Position:
    """The last position in `stored`."""
    live = LiveMatch.of(stored)
    over = live.outcome is not None
    names = computer_names.at_seats(live.names, live.levels)
    return Position(live.id, live.game, live.ply, live.state, live.outcome, names, fixed=over)
