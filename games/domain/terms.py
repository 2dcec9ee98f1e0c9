"""The terms of a match besides the game's rules: clock, rating, visibility, chat, or hot-seat play."""

from __future__ import annotations

from collections.abc import Iterable
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


def several_seats(seats: Iterable[Seat]) -> Seat:
    """The seat of a user who acts for some seats of a match: the only one, or a negative number for several.

    It is below `EVERY_SEAT`, and its bits say which seats.
    """
    held = sorted(set(seats))
    return held[0] if len(held) == 1 else EVERY_SEAT - sum(1 << seat for seat in held)


def seats_of(seat: Seat, count: int) -> tuple[Seat, ...]:
    """The seats of a match of `count` that the user at `seat` acts for."""
    if seat == EVERY_SEAT:
        return tuple(range(count))
    if seat > EVERY_SEAT:
        return (seat,)
    return tuple(each for each in range(count) if EVERY_SEAT - seat >> each & 1)


def seat_sent(seat: Seat | None) -> Seat | None:
    """The seat as sent to its player: none for a user who acts for several."""
    return None if seat is None or seat <= EVERY_SEAT else seat
