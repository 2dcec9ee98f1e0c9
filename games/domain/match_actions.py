"""Match actions: events that are not in the rules of the game, each stored as a ply.

Rules know moves, dice and departures. They do not know aborts, draws by agreement, take-backs, pauses,
saving, or bots that replace players. Such an act is an ordinary ply: its text has the kind and the seat, and
all consequences are derived from the texts of the plies. So reloads, other processes, replays and exports
need only these rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from games.domain import codec
from games.rules.base import ENDED, IllegalMove, Leave, Outcome, Roll, Rules, Seat, Step, gettext_noop

ABORTED = "aborted"
"""The match ends without a result; `seat` aborted it or never moved."""
EXPIRED = "expired"
"""The match ends without a result after being idle for too long; `seat` was on turn."""
STOPPED = "stopped"
"""The match ends without a result, because its tournament decided it; `seat` was on turn."""
AGREED = "agreed"
"""The match is a draw, as offered by `seat`."""
ABANDONED = "abandoned"
"""`seat` went away, and the opponent claimed a draw."""
TAKEN_BACK = "back"
"""The position returns to that after `ply`, as requested by `seat`."""
PAUSED = "paused"
SAVED = "saved"
RESUMED = "resumed"
CARETAKER = "caretaker"
"""A bot replaces `seat` from now on."""
RECLAIMED = "reclaimed"
"""The player of `seat` is back."""

ENDINGS = {ABORTED, EXPIRED, STOPPED, AGREED, ABANDONED, ENDED}
"""`ENDED`: the remaining players end the match as it stands, as proposed by `seat`."""
WITHOUT_RESULT = {ABORTED, EXPIRED, STOPPED}
HALTS = {PAUSED, SAVED}
KINDS = (*ENDINGS, TAKEN_BACK, *HALTS, RESUMED, CARETAKER, RECLAIMED)

_ACT = re.compile(rf"({'|'.join(sorted(KINDS))}):([0-9])(?::([0-9]{{1,7}}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Act:
    """A match action. Only take-backs have a `ply`."""

    kind: str
    seat: Seat
    ply: int | None = None

    def __str__(self) -> str:
        return f"{self.kind}:{self.seat}" if self.ply is None else f"{self.kind}:{self.seat}:{self.ply}"


class NothingToTakeBack(IllegalMove):
    """The seat has no decision that could be taken back."""

    def __init__(self) -> None:
        super().__init__("nothing-to-take-back", gettext_noop("You have no move to take back."))


class AcrossDice(IllegalMove):
    """The decision to take back lies before a dice roll."""

    def __init__(self) -> None:
        super().__init__(
            "across-dice", gettext_noop("You cannot take back a move after the dice were rolled.")
        )


def parse(text: str) -> Act | None:
    """Parse an act; None if the text is an action of the game."""
    if ":" not in text:
        return None  # a move or a dice roll, the common case
    found = _ACT.fullmatch(text)
    if found is None or (found[3] is not None) != (found[1] == TAKEN_BACK):
        return None
    return Act(found[1], int(found[2]), None if found[3] is None else int(found[3]))


def action(rules: Rules, text: str, dice: Iterable[int] | None = None) -> Any:
    """Parse a text of the log: an act, or an action of the game. Raises `Unparseable`."""
    return parse(text) or codec.action(rules, text, None if dice is None else tuple(dice))


def play(rules: Rules, state: Any, action: Any, at: Callable[[int], Any]) -> Step:
    """Apply an act or an action of the game. `at(ply)` returns the state after that ply.

    Raises `IllegalMove`.
    """
    if not isinstance(action, Act):
        return rules.play(state, action)
    return Step(state if action.ply is None else at(action.ply), ())


def outcome(rules: Rules, state: Any, text: str | None, remaining: Iterable[Seat]) -> Outcome | None:
    """The outcome of a match in `state` after a ply with that text; None if it goes on.

    `remaining` are the seats that have not left.
    """
    act = None if text is None else parse(text)
    if act is None or act.kind not in ENDINGS:
        return rules.outcome(state)
    if act.kind in WITHOUT_RESULT:
        return Outcome((), act.kind)
    standing = rules.standing(state)
    return standing if act.kind == ENDED else Outcome(tuple(remaining), act.kind, standing.scores)


class MatchFlags(NamedTuple):
    """What follows from the plies of a match besides the position.

    Attributes:
        halted: `PAUSED` or `SAVED` while the match is halted, else "".
        acted: seats that have made a decision in the game.
        left: seats that have left for good.
        caretaken: seats whose players are replaced by a bot.
    """

    halted: str = ""
    acted: frozenset[Seat] = frozenset()
    left: frozenset[Seat] = frozenset()
    caretaken: frozenset[Seat] = frozenset()

    def remaining(self, seats: int) -> tuple[Seat, ...]:
        """The seats that have not left."""
        everybody = tuple(range(seats))
        return tuple(seat for seat in everybody if seat not in self.left) if self.left else everybody

    def waits_for(self, seat: Seat) -> bool:
        """Whether a seat, if on turn, is to move: the match is not halted, and no bot replaces the player."""
        return not self.halted and seat not in self.caretaken

    def after(self, seat: Seat | None, text: str) -> MatchFlags:
        """The flags after one more ply."""
        if ":" not in text:
            return self if seat is None or seat in self.acted else self._replace(acted=self.acted | {seat})
        leave = codec.departure(text)
        if leave is not None:
            return self._replace(left=self.left | {leave.seat}, caretaken=self.caretaken - {leave.seat})
        act = parse(text)
        if act is None:
            return self
        if act.kind in HALTS:
            return self._replace(halted=act.kind)
        if act.kind == RESUMED:
            return self._replace(halted="")
        if act.kind == CARETAKER:
            return self._replace(caretaken=self.caretaken | {act.seat})
        if act.kind == RECLAIMED:
            return self._replace(caretaken=self.caretaken - {act.seat})
        return self


class Logged(NamedTuple):
    """A ply in the log: its seat, its text, and whether dice were rolled."""

    seat: Seat | None
    text: str
    thrown: bool


Line: TypeAlias = list[tuple[int, Logged]]
"""The plies of the game that led to a position, with their numbers, without those taken back."""


def follow(line: Line, number: int, ply: Logged) -> None:
    """Append ply `number` of the log to `line`, or truncate it for a take-back."""
    act = parse(ply.text)
    if act is None:
        line.append((number, ply))
    elif act.ply is not None:
        while line and line[-1][0] > act.ply:
            line.pop()


def last_decision(line: Line, seat: Seat) -> Act:
    """The act that takes back the last decision of a seat and everything after it.

    Raises `NothingToTakeBack` or `AcrossDice`.
    """
    return Act(TAKEN_BACK, seat, _last_decided(line, seat) - 1)


def _last_decided(line: Line, seat: Seat) -> int:
    """The ply number of the decision that `last_decision` takes back."""
    for number, (by, text, thrown) in reversed(line):
        if thrown:
            raise AcrossDice
        if codec.departure(text):
            break
        if by == seat:
            return number
    raise NothingToTakeBack


def last_mover(line: Line, default: Seat) -> Seat:
    """The seat of the last decision; `default` if there is none."""
    return next((ply.seat for _, ply in reversed(line) if ply.seat is not None), default)


def has_decided(line: Line, seat: Seat) -> bool:
    """Whether the seat has a decision that `last_decision` can take back."""
    try:
        _last_decided(line, seat)
    except IllegalMove:
        return False
    return True


def is_move(action: Any) -> bool:
    """Whether this is a move, rather than a dice roll, a departure or a match action."""
    return not isinstance(action, Act | Roll | Leave)
