"""Single positions of matches, as somebody without a seat may know them now.

The answer does not depend on who asks, so it can be kept for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from games.domain.refusals import UnknownMatch
from games.play.live import LiveMatch
from games.registry import Game
from games.rules.base import Outcome
from games.store import history
from games.store.history import Stored
from games.watch.visibility import seen_by


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a match after a ply; `fixed` says that the address it was asked for stays true of it.

    There is an outcome once the match has ended, with the position in which it did.
    """

    match_id: str
    game: Game
    ply: int
    state: Any
    outcome: Outcome | None
    names: tuple[str, ...]
    fixed: bool


def position_of(match_id: str, ply: int | None, now: datetime) -> Position:
    """The position after a ply, or the last one that is known. Raises `UnknownMatch` or `PlayersOnly`."""
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
    """The last position of a match as it is known."""
    live = LiveMatch.of(stored)
    over = live.outcome is not None
    return Position(live.id, live.game, live.ply, live.state, live.outcome, live.names, fixed=over)
