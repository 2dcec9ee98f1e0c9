"""What players agree on beside the rules: the clock, whether the match is rated, who may watch, and chat.

Or that all of them play at one board, which one person holds.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.base import Seat

LONGEST_DELAY = 3600
"""Seconds: watchers are never further behind than an hour."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a match; a rematch has the same.

    Attributes:
        clock: "" for none, else the notation of the clock, such as "5+3".
        rated: whether the lobby counts the result; the match itself does not care.
        watchable: whether others than the players may look on.
        delay: seconds by which they see everything later.
        chat: whether anybody may say something at the match, players and watchers alike.
    """

    clock: str = ""
    rated: bool = False
    watchable: bool = True
    delay: int = 0
    chat: bool = True


FRIENDLY = Terms()
"""No clock, casual, open to everyone."""

EVERY_SEAT: Seat = -1
"""Where somebody sits who holds the board for all: they speak for every seat, each when it is on turn."""


def speaks_for(seat: Seat, turn: Seat) -> Seat:
    """The seat that somebody at `seat` speaks for while it is the turn of `turn`."""
    return turn if seat == EVERY_SEAT else seat


def told_as(seat: Seat | None) -> Seat | None:
    """The seat as its player is told: who speaks for all of them is none of them."""
    return None if seat == EVERY_SEAT else seat
