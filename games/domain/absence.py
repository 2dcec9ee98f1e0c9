"""Who has been away for too long, and which matches have been idle for too long. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from games.domain.clock import DAY, MINUTE, SECOND, Control
from games.rules.base import Seat

WIN, DRAW, BOT, ABORT = "win", "draw", "caretaker", "abort"

LONGEST_PAUSE = 60 * MINUTE
"""For how long somebody who is away keeps a pause that was agreed on from ending without them."""

Away = Mapping[Seat, int]
"""Since when each absent player has been away, in milliseconds of Unix time."""


def patience(control: Control, seconds: float) -> int | None:
    """For how many milliseconds the player on turn may be away; None where only the clock counts.

    `seconds` is what the host allows in a match with a clock.
    """
    if control.timed and not control.live:
        return None
    # Without a clock nobody is in a hurry, and phones fall asleep.
    return round(seconds * SECOND * (1 if control.live else 2))


def gone(limit: int | None, away: Away, now: int) -> frozenset[Seat]:
    """The seats whose players have been away for too long; `limit` as `patience` says it."""
    if limit is None:
        return frozenset()
    return frozenset(seat for seat, since in away.items() if now - since >= limit)


def resting(away: Away, now: int) -> frozenset[Seat]:
    """The seats whose players are away while a match is paused, and without whom it does not go on yet."""
    return frozenset(away) - gone(LONGEST_PAUSE, away, now)


def due(limit: int | None, since: int) -> int | None:
    """The moment from which a player on turn who has been away `since` then need not be waited for."""
    return None if limit is None else since + limit


def idle_due(moved_at: int, days: int) -> int | None:
    """The moment from which a match without a ply since `moved_at` is idle, both in milliseconds.

    `days` is what the host allows; 0 for ever, which gives None.
    """
    return moved_at + days * DAY if days else None
