"""Single positions of matches, as somebody without a seat may know them now.

Whoever asks is nobody in particular, so that what is answered can be kept for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from games.play.live import LiveMatch
from games.registry import Game
from games.rules.base import Outcome
from games.store import history
from games.store.history import Stored, UnknownMatch
from games.watch import delay
from games.watch.relays import PlayersOnly


@dataclass(frozen=True, slots=True)
class Still:
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


def still(match_id: str, ply: int | None, now: datetime) -> Still:
    """The position after a ply, or the last one that is known. Raises `UnknownMatch` or `PlayersOnly`."""
    stored = delay.known_to(match_id, None, now)
    if not delay.may_watch(stored, None):
        raise PlayersOnly(match_id)
    last = last_of(stored)
    if ply is None:
        return last
    if ply > last.ply:
        raise UnknownMatch(match_id)
    if ply == last.ply:
        return replace(last, fixed=True)
    return replace(last, ply=ply, state=history.state_after(match_id, ply), outcome=None, fixed=True)


def last_of(stored: Stored) -> Still:
    """The last position of a match as it is known."""
    live = LiveMatch.of(stored)
    over = live.outcome is not None
    return Still(live.id, live.game, live.ply, live.state, live.outcome, live.names, fixed=over)
