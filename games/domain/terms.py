"""The terms of a match besides the game's rules: clock, rating, visibility, chat, or hot-seat play."""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.base import Seat

LONGEST_DELAY = 3600
"""Longest spectator delay, in seconds."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a match; a rematch has the same.

    Attributes:
        clock: the notation of the clock, such as "5+3"; "" for none.
        rated: whether ratings count the result. Does not affect the match itself.
        watchable: whether spectators may watch.
        delay: spectator delay in seconds.
        chat: whether players and spectators may chat.
    """

    clock: str = ""
    rated: bool = False
    watchable: bool = True
    delay: int = 0
    chat: bool = True


FRIENDLY = Terms()
"""No clock, casual, open to everyone."""

EVERY_SEAT: Seat = -1
"""The seat of the host of a hot-seat match, who acts for each seat when it is on turn."""


def told_as(seat: Seat | None) -> Seat | None:
    """The seat as sent to its player: none for the host of a hot-seat match, who acts for all."""
    return None if seat == EVERY_SEAT else seat
