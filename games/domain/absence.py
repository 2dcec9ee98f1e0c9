"""Timeouts of absent players and idle matches. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from games.domain.clock import MINUTE, SECOND, Control
from games.rules.base import Seat

WIN, DRAW, BOT, ABORT = "win", "draw", "caretaker", "abort"

LONGEST_PAUSE = 60 * MINUTE
"""Milliseconds for which an absent player keeps an agreed pause from ending without them."""

Away = Mapping[Seat, int]
"""Since when each absent player has been away, in milliseconds of Unix time."""


def patience(control: Control, seconds: float) -> int | None:
    """Milliseconds that the player on turn may be away; None if only the clock counts.

    `seconds` is the setting of the host for matches with a clock.
    """
    # The host of a simul is at one board at a time.
    if control.host is not None or (control.timed and not control.live):
        return None
    # Without a live clock players are in less of a hurry, and phones go to sleep.
    return round(seconds * SECOND * (1 if control.live else 2))


def gone(limit: int | None, away: Away, now: int) -> frozenset[Seat]:
    """Seats whose players have been away too long. `limit` is the result of `patience`."""
    if limit is None:
        return frozenset()
    return frozenset(seat for seat, since in away.items() if now - since >= limit)


def resting(away: Away, now: int) -> frozenset[Seat]:
    """Seats whose players left during a pause recently enough that it does not end without them."""
    return frozenset(away) - gone(LONGEST_PAUSE, away, now)


def due(limit: int | None, since: int) -> int | None:
    """When the opponents need not wait any more for a player on turn who has been away since `since`."""
    return None if limit is None else since + limit
