"""Who has been away for too long, and what those who stayed may do about it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Any

from django.conf import settings

from games.law import acts
from games.law.acts import Act
from games.law.clock import SECOND, Control
from games.law.refusals import Caretaken, ForMany, ForTwo, GameOver, Halted, StillHere, YourOwnTurn
from games.rules.base import Leave, Seat

if TYPE_CHECKING:
    from games.play.live import LiveMatch

WIN, DRAW, BOT = "win", "draw", "caretaker"

Away = Mapping[Seat, int]
"""Since when each absent player has been away, in milliseconds of Unix time."""


def patience(control: Control) -> int | None:
    """For how many milliseconds the player on turn may be away; None where only the clock counts."""
    if control.timed and not control.live:
        return None
    # Without a clock nobody is in a hurry, and phones fall asleep.
    seconds: float = settings.ABSENCE_SECONDS
    return round(seconds * SECOND * (1 if control.live else 2))


def gone(control: Control, away: Away, now: int) -> frozenset[Seat]:
    """The seats whose players have been away for too long."""
    limit = patience(control)
    if limit is None:
        return frozenset()
    return frozenset(seat for seat, since in away.items() if now - since >= limit)


def due(control: Control, since: int) -> int | None:
    """The moment from which a player on turn who has been away `since` then need not be waited for."""
    limit = patience(control)
    return None if limit is None else since + limit


def claimed(live: LiveMatch, seat: Seat, kind: str, gone: Set[Seat]) -> Any:
    """What happens when `seat` waits no longer for the one on turn: a departure or an act.

    `gone` are the seats whose players have been away for too long. Raises `Refused`.
    """
    absent: Seat = live.state.turn
    if live.outcome is not None:
        raise GameOver
    if live.situation.halted:
        raise Halted
    if seat in live.situation.caretaken:
        raise Caretaken
    if seat == absent:
        raise YourOwnTurn
    if absent in live.situation.caretaken | live.levels.keys() or absent not in gone:
        raise StillHere
    if kind == BOT:
        if len(live.names) == 2:
            raise ForTwo
        return Act(acts.CARETAKER, absent)
    if len(live.names) > 2:
        raise ForMany
    return Leave(absent, "abandoned") if kind == WIN else Act(acts.ABANDONED, absent)
