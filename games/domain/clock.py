"""Clocks as arithmetic: no clock is read here, `now` is an argument. All times are whole milliseconds.

Three kinds of control, each with a notation:

    ""      no clock
    "5+3"   live: five minutes for each seat, and three seconds more for every ply it plays
    "5+d3"  live: five minutes for each seat, which begin to run three seconds after each ply (simple delay)
    "3d"    slow: three days for every ply

What is charged, and to whom:

- Only the seat on turn is charged, from the moment the ply before is played to the moment the server has
  its own. A seat that keeps the turn keeps its clock running and gets its increment for each ply it plays.
  The throws that follow a ply are the server's, take no time and bring no increment.
- With a delay the first seconds of every ply are free. What is left of them is lost: a clock never grows.
- In a live match the first ply of each seat costs nothing and brings nothing: it has `FIRST_MOVE` of its
  own, and when that passes the match is aborted, because somebody did not come. A slow match has no such
  limit.
- A live move is credited with the lag that was measured on the way to its player, at most `CREDIT` for one
  ply, out of a budget that a steady connection never uses up. A player who pretends to be far away gains
  the budget and no more. A flag falls only when no credit could save the move.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from games.rules.base import Seat, gettext_noop

SECOND, MINUTE, DAY = 1_000, 60_000, 86_400_000

FIRST_MOVE = 60 * SECOND
"""What each seat has for its first ply of a live match."""
CREDIT = 500
"""The lag that is credited for one ply at most."""
BUDGET = 2 * SECOND
"""The credit that a seat may save up, and begins with."""
REFILL = 100
"""What a ply adds to it: a lag of that much, which is a fifth of a second there and back, is always credited,
and whoever pretends to be far away gains no more than that in the end."""

CONTROLS = ("", "1+0", "2+1", "3+2", "5+3", "10+5", "15+10", "1d", "3d", "7d")
"""The notations that are offered in lists. `parse` knows more."""
LEAST_MINUTES, MOST_MINUTES, MOST_SECONDS = 1, 180, 60
"""The range of a custom clock: whole minutes for each seat, whole seconds of increment or delay."""

_LIVE = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)\+(d?)(\d{1,3})", re.ASCII)
_SLOW = re.compile(r"(\d{1,2})d", re.ASCII)
_MOST_BONUS, _MOST_DAYS = 180, 30
"""Seconds and days up to which notations are read."""


class BadClock(ValueError):
    """A text that is no notation of a clock; `sentence % params` is for people."""

    code, status = "bad-clock", 422
    sentence = gettext_noop("There is no clock “%(text)s”.")

    def __init__(self, text: str) -> None:
        self.params = {"text": text[:12]}
        super().__init__(self.sentence % self.params)


class OutOfTime(Exception):
    """The move came after the time of its seat was up."""


@dataclass(frozen=True, slots=True)
class Control:
    """How time is given; without any of it a match has no clock.

    Attributes:
        initial: what a seat of a live match begins with.
        increment: what it gets for each ply it plays.
        per_move: what a seat of a slow match has for each ply.
        simple_delay: what passes at the beginning of each ply before the clock runs; never with an increment.
    """

    initial: int = 0
    increment: int = 0
    per_move: int = 0
    simple_delay: int = 0

    @property
    def live(self) -> bool:
        """Whether people play it sitting there: time while the server is down is not charged."""
        return self.initial > 0

    @property
    def timed(self) -> bool:
        return self.live or self.per_move > 0

    @property
    def first_move(self) -> int | None:
        """What each seat has for its first ply, None without such a limit."""
        return FIRST_MOVE if self.live else None

    def __str__(self) -> str:
        if self.live:
            bonus = f"d{self.simple_delay // SECOND}" if self.simple_delay else self.increment // SECOND
            return f"{self.initial / MINUTE:g}+{bonus}"
        return f"{self.per_move // DAY}d" if self.per_move else ""


def parse(notation: str) -> Control:
    """The control written so; the text for it is the only one. Raises `BadClock`."""
    control = Control()
    if live := _LIVE.fullmatch(notation):
        minutes, seconds = float(live[1]), int(live[3])
        if 0 < minutes <= MOST_MINUTES and seconds <= _MOST_BONUS:
            bonus = {"simple_delay" if live[2] else "increment": seconds * SECOND}
            control = Control(initial=round(minutes * MINUTE), **bonus)
    elif slow := _SLOW.fullmatch(notation):
        days = int(slow[1])
        if 0 < days <= _MOST_DAYS:
            control = Control(per_move=days * DAY)
    if str(control) != notation:
        raise BadClock(notation)
    return control


def may_be_chosen(notation: str) -> bool:
    """Whether people may play by it: it is one of `CONTROLS`, or a custom clock within its range."""
    if notation in CONTROLS:
        return True
    try:
        control = parse(notation)
    except BadClock:
        return False
    minutes, rest = divmod(control.initial, MINUTE)
    seconds = max(control.increment, control.simple_delay) // SECOND
    return control.live and not rest and minutes >= LEAST_MINUTES and seconds <= MOST_SECONDS


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of all seats after a ply.

    Attributes:
        left: what each seat has left, as of `at`.
        running: the seat that is being charged; None once the match has ended, when all stand still.
        at: the moment since which it is, in milliseconds of Unix time.
        fresh: the seats of a live match that have not played yet; their first ply is not charged.
        budget: the credit for lag that each seat has left.
    """

    left: tuple[int, ...]
    running: Seat | None
    at: int
    fresh: tuple[Seat, ...] = ()
    budget: tuple[int, ...] = ()


def start(control: Control, seats: int, turn: Seat, now: int) -> Clocks:
    """The clocks before the first ply, with `turn` to move from `now` on."""
    everyone = tuple(range(seats)) if control.live else ()
    return Clocks(
        left=(control.initial or control.per_move,) * seats,
        running=turn,
        at=now,
        fresh=everyone,
        budget=(BUDGET,) * len(everyone),
    )


def press(control: Control, clocks: Clocks, now: int, lag: int = 0) -> Clocks:
    """The seat on turn has played a ply that arrived at `now` over a line with that one-way lag.

    It goes on running until `turn_to` says who is next. Raises `OutOfTime`.
    """
    seat = clocks.running
    if seat is None or flagged(control, clocks, now):
        raise OutOfTime
    if not control.live:
        # Of everyone: a seat whose turn was taken back has used some of a time that was for that turn.
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
    """From `now` on `turn` is charged, or nobody. Whoever was, without a ply of theirs, pays until `now`.

    While the turn stays where it is nothing happens: somebody else's leaving starts nobody's time anew.
    """
    seat = clocks.running
    if turn == seat:
        return clocks
    left = clocks.left
    if seat is not None and seat not in clocks.fresh:
        left = _with(left, seat, max(0, left[seat] - _charged(control, clocks, now)))
    return replace(clocks, left=left, running=turn, at=now)


def deadline(control: Control, clocks: Clocks) -> int | None:
    """The moment at which the time of the seat on turn is up; None while no clock runs."""
    seat = clocks.running
    if seat is None:
        return None
    if seat in clocks.fresh:
        return clocks.at + FIRST_MOVE
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
    """The same clocks after `gap` milliseconds that are charged to nobody."""
    return replace(clocks, at=clocks.at + gap)


def _charged(control: Control, clocks: Clocks, now: int) -> int:
    """The milliseconds that the seat on turn has used of its time since the last ply."""
    return max(0, now - clocks.at - control.simple_delay)


def _creditable(clocks: Clocks, seat: Seat) -> int:
    return min(CREDIT, clocks.budget[seat])


def _with(values: tuple[int, ...], seat: Seat, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
