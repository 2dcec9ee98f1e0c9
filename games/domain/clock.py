"""Clock arithmetic: no clock is read here, `now` is an argument. All times are whole milliseconds.

Three kinds of control, each with a notation:

    ""          no clock
    "5+3"       live: five minutes for each seat, and three seconds more for every ply it plays
    "5+d3"      live: five minutes for each seat, running from three seconds after each ply (simple delay)
    "5+3 20@1"  the same in a simul: the host sits at seat 1 and has twenty minutes more
    "3d"        slow (correspondence): three days for every ply

Rules:

- Only the seat on turn is charged, from the previous ply to the arrival of its own ply at the server. A seat
  that keeps the turn keeps its clock running and gets its increment for each ply. Dice rolls after a ply take
  no time and bring no increment.
- With a delay the first seconds of every ply are free. The unused rest is lost: a clock never grows.
- In a live match the first ply of each seat costs no time and brings no increment. It has a limit of its own,
  `FIRST_MOVE`; when that passes, the player did not come and the match is aborted. Slow matches have no such
  limit. In a simul it is the time of the seat, because the host has many first plies to play.
- The clock of a player on vacation stands in a slow match: each vacation moves the deadline by the time that
  they have in common (`pause`).
- A live move is credited with the measured lag of its player, at most `CREDIT` for one ply, from a budget
  that a steady connection never uses up. A player who fakes lag gains the budget and no more. A flag falls
  only when no credit could save the move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from games.rules.base import Seat, gettext_noop

SECOND, MINUTE, DAY = 1_000, 60_000, 86_400_000

FIRST_MOVE = 60 * SECOND
"""Limit for the first ply of each seat in a live match."""
CREDIT = 500
"""Most lag credited for one ply."""
BUDGET = 2 * SECOND
"""Maximum and initial credit of a seat."""
REFILL = 100
"""Credit added by each ply. A one-way lag up to this (a round trip of a fifth of a second) is always
covered, and a player who fakes lag gains no more than this per ply in the long run.
"""

CONTROLS = ("", "1+0", "2+1", "3+2", "5+3", "10+5", "15+10", "1d", "3d", "7d")
"""The notations offered in lists. `parse` accepts more."""
LEAST_MINUTES, MOST_MINUTES, MOST_SECONDS = 1, 180, 60
"""The range of a custom clock: whole minutes for each seat, whole seconds of increment or delay."""

Period: TypeAlias = tuple[int, int]
"""The beginning and the end of a time, in milliseconds of Unix time."""

_LIVE = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)\+(d?)(\d{1,3})(?: (\d{1,2})@([01]))?", re.ASCII)
_SLOW = re.compile(r"(\d{1,2})d", re.ASCII)
_MOST_BONUS, _MOST_DAYS = 180, 30
"""Most seconds of increment or delay, and most days, that `parse` accepts."""


class BadClock(ValueError):
    """Not a clock notation. `sentence % params` is for users."""

    code, status = "bad-clock", 422
    sentence = gettext_noop("Unknown clock: “%(text)s”.")

    def __init__(self, text: str) -> None:
        self.params = {"text": text[:12]}
        super().__init__(self.sentence % self.params)


class OutOfTime(Exception):
    """The move arrived after the time was up."""


@dataclass(frozen=True, slots=True)
class Control:
    """A time control. If all values are zero the match has no clock.

    Attributes:
        initial: initial time of each seat in a live match.
        increment: time added for each ply.
        per_move: time for each ply in a slow match.
        simple_delay: free time at the beginning of each ply; never with an increment.
        host: the seat of the host of a simul, who plays several matches at once; None in other matches.
        extra: time that the host has more in a live match.
    """

    initial: int = 0
    increment: int = 0
    per_move: int = 0
    simple_delay: int = 0
    host: Seat | None = None
    extra: int = 0

    @property
    def live(self) -> bool:
        """Whether it is a live (real-time) control: downtime of the server is not charged."""
        return self.initial > 0

    @property
    def timed(self) -> bool:
        """Whether there is a clock, live or with days for each move."""
        return self.live or self.per_move > 0

    @property
    def first_move(self) -> int | None:
        """Limit for the first ply of each seat; None if only its clock limits it."""
        return FIRST_MOVE if self.live and self.host is None else None

    def __str__(self) -> str:
        if self.live:
            bonus = f"d{self.simple_delay // SECOND}" if self.simple_delay else self.increment // SECOND
            hosted = "" if self.host is None else f" {self.extra // MINUTE}@{self.host}"
            return f"{self.initial / MINUTE:g}+{bonus}{hosted}"
        return f"{self.per_move // DAY}d" if self.per_move else ""


def parse(notation: str) -> Control:
    """Parse a notation. Each control has exactly one. Raises `BadClock`."""
    control = Control()
    if live := _LIVE.fullmatch(notation):
        minutes, seconds = float(live[1]), int(live[3])
        if 0 < minutes <= MOST_MINUTES and seconds <= _MOST_BONUS:
            bonus = {"simple_delay" if live[2] else "increment": seconds * SECOND}
            control = Control(initial=round(minutes * MINUTE), **bonus)
            if live[5]:
                control = replace(control, host=int(live[5]), extra=int(live[4]) * MINUTE)
    elif slow := _SLOW.fullmatch(notation):
        days = int(slow[1])
        if 0 < days <= _MOST_DAYS:
            control = Control(per_move=days * DAY)
    if str(control) != notation:
        raise BadClock(notation)
    return control


def may_be_chosen(notation: str) -> bool:
    """Whether players may choose it: one of `CONTROLS`, or a custom clock within the range."""
    if notation in CONTROLS:
        return True
    try:
        control = parse(notation)
    except BadClock:
        return False
    minutes, rest = divmod(control.initial, MINUTE)
    seconds = max(control.increment, control.simple_delay) // SECOND
    usual = control.live and control.host is None
    return usual and not rest and minutes >= LEAST_MINUTES and seconds <= MOST_SECONDS


def hosted(notation: str, seat: Seat, minutes: int) -> str:
    """The notation of a simul whose host sits at `seat` and has so many minutes more, if it is live."""
    control = parse(notation)
    return str(replace(control, host=seat, extra=minutes * MINUTE)) if control.live else notation


def unhosted(notation: str) -> str:
    """The notation without what it says of the host of a simul."""
    return str(replace(parse(notation), host=None, extra=0))


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of all seats after a ply.

    Attributes:
        left: remaining time of each seat, as of `at`.
        running: the seat being charged; None once the match has ended.
        at: time of the last change, in milliseconds of Unix time.
        fresh: seats of a live match that have not played yet; their first ply is not charged.
        budget: remaining lag credit of each seat.
    """

    left: tuple[int, ...]
    running: Seat | None
    at: int
    fresh: tuple[Seat, ...] = ()
    budget: tuple[int, ...] = ()


def start(control: Control, seats: int, turn: Seat, now: int) -> Clocks:
    """The clocks before the first ply. The seat `turn` is to move from `now` on."""
    everyone = tuple(range(seats)) if control.live else ()
    given = control.initial or control.per_move
    return Clocks(
        left=tuple(given + control.extra if seat == control.host else given for seat in range(seats)),
        running=turn,
        at=now,
        fresh=everyone,
        budget=(BUDGET,) * len(everyone),
    )


def press(control: Control, clocks: Clocks, now: int, lag: int = 0) -> Clocks:
    """The clocks after the seat on turn played a ply that arrived at `now` with a one-way lag of `lag`.

    Its clock runs on until `turn_to` names the next seat. Raises `OutOfTime`.
    """
    seat = clocks.running
    if seat is None or flagged(control, clocks, now):
        raise OutOfTime
    if not control.live:
        # All seats are reset: after a take-back, a seat would else have used time of a turn that no longer
        # counts.
        return replace(clocks, left=(control.per_move,) * len(clocks.left), at=now)
    if seat in clocks.fresh:
        return replace(clocks, at=now, fresh=tuple(other for other in clocks.fresh if other != seat))
    charged = _charged(control, clocks, now)
    credit = max(0, min(lag, charged, _creditable(clocks, seat)))
    left = clocks.left[seat] - charged + credit
    if left <= 0:
        raise OutOfTime
    saved = min(BUDGET, clocks.budget[seat] - credit + REFILL)
    return replace(
        clocks,
        left=_with(clocks.left, seat, left + control.increment),
        at=now,
        budget=_with(clocks.budget, seat, saved),
    )


def turn_to(control: Control, clocks: Clocks, now: int, turn: Seat | None) -> Clocks:
    """Charge `turn` from `now` on, or no seat. The seat charged before pays until `now`.

    Does nothing if the turn does not change: another player's leaving does not restart the time.
    """
    seat = clocks.running
    if turn == seat:
        return clocks
    left = clocks.left
    if seat is not None and seat not in clocks.fresh:
        left = _with(left, seat, max(0, left[seat] - _charged(control, clocks, now)))
    return replace(clocks, left=left, running=turn, at=now)


def deadline(control: Control, clocks: Clocks) -> int | None:
    """When the time of the seat on turn is up; None while no clock runs."""
    seat = clocks.running
    if seat is None:
        return None
    if seat in clocks.fresh:
        limit = control.first_move
        return clocks.at + (clocks.left[seat] if limit is None else limit)
    return (
        clocks.at
        + control.simple_delay
        + clocks.left[seat]
        + (_creditable(clocks, seat) if control.live else 0)
    )


def flagged(control: Control, clocks: Clocks, now: int) -> bool:
    """Whether the time of the seat on turn is up."""
    due = deadline(control, clocks)
    return due is not None and now >= due


def paused(clocks: Clocks, gap: int) -> Clocks:
    """The clocks after a pause of `gap` milliseconds that no seat is charged for."""
    return replace(clocks, at=clocks.at + gap)


def pause(begins: int, due: int, vacations: Iterable[Period]) -> int:
    """Milliseconds for which a clock stands that runs from `begins` and would be up at `due`.

    Args:
        vacations: when the player is not charged, in order of time, none of which overlap.
    """
    end = due
    for away, back in vacations:
        if away < end and back > begins:
            end += back - max(away, begins)
    return end - due


def _charged(control: Control, clocks: Clocks, now: int) -> int:
    """Milliseconds of its time that the seat on turn has used since the last ply."""
    return max(0, now - clocks.at - control.simple_delay)


def _creditable(clocks: Clocks, seat: Seat) -> int:
    return min(CREDIT, clocks.budget[seat])


def _with(values: tuple[int, ...], seat: Seat, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
