"""What happens to a match beside the rules of its game: each time a ply of its own.

Rules know moves, dice and departures. That a match is aborted, drawn by agreement, taken back, paused,
saved, or that a bot plays for somebody, is nothing they have a word for. Such an act is a ply like any
other: its text says what happened and who was behind it, and everything that follows from it is read off
the texts of the plies. So a reload, another process, a replay and an export all know it from the same rows
that every viewer is told, and no game has to know of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from games.domain import codec
from games.rules.base import ENDED, IllegalMove, Leave, Outcome, Roll, Rules, Seat, Step, gettext_noop

ABORTED = "aborted"
"""The match ends and counts for nobody; `seat` asked for it or never came."""
EXPIRED = "expired"
"""The match ends and counts for nobody, since nothing was played for too long; `seat` was on turn."""
AGREED = "agreed"
"""The match is drawn, as `seat` proposed."""
ABANDONED = "abandoned"
"""`seat` went away, and who stayed calls it a draw."""
TAKEN_BACK = "back"
"""The match goes on from where it stood after `ply`, as `seat` asked."""
PAUSED = "paused"
SAVED = "saved"
RESUMED = "resumed"
CARETAKER = "caretaker"
"""A bot plays for `seat` from now on."""
RECLAIMED = "reclaimed"
"""`seat` plays again."""

ENDINGS = {ABORTED, EXPIRED, AGREED, ABANDONED, ENDED}
"""`ENDED`: those who stayed end the match as it stands, as `seat` proposed."""
WITHOUT_RESULT = {ABORTED, EXPIRED}
HALTS = {PAUSED, SAVED}
KINDS = (*ENDINGS, TAKEN_BACK, *HALTS, RESUMED, CARETAKER, RECLAIMED)

_ACT = re.compile(rf"({'|'.join(sorted(KINDS))}):([0-9])(?::([0-9]{{1,7}}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Act:
    """One of the above; `ply` says where a take-back goes, and nothing else has one."""

    kind: str
    seat: Seat
    ply: int | None = None

    def __str__(self) -> str:
        return f"{self.kind}:{self.seat}" if self.ply is None else f"{self.kind}:{self.seat}:{self.ply}"


class NothingToTakeBack(IllegalMove):
    """The seat has played nothing yet that could be taken back."""

    def __init__(self) -> None:
        super().__init__("nothing-to-take-back", gettext_noop("There is no move of yours to take back."))


class AcrossDice(IllegalMove):
    """What the seat wants back lies before a throw."""

    def __init__(self) -> None:
        super().__init__(
            "across-dice", gettext_noop("Dice were thrown since, and a throw is never taken back.")
        )


def parse(text: str) -> Act | None:
    """The act that was written as `text`; None if it is an action of the game."""
    if ":" not in text:
        return None  # a move or a throw, which is nearly every ply there is
    found = _ACT.fullmatch(text)
    if found is None or (found[3] is not None) != (found[1] == TAKEN_BACK):
        return None
    return Act(found[1], int(found[2]), None if found[3] is None else int(found[3]))


def action(rules: Rules, text: str, dice: Iterable[int] | None = None) -> Any:
    """What the log calls `text`: an act, or an action of the game. Raises `Unparseable`."""
    return parse(text) or codec.action(rules, text, None if dice is None else tuple(dice))


def play(rules: Rules, state: Any, action: Any, at: Callable[[int], Any]) -> Step:
    """What an action leads to, be it one of the game or an act; `at(ply)` is the state after that ply.

    Raises `IllegalMove`.
    """
    if not isinstance(action, Act):
        return rules.play(state, action)
    return Step(state if action.ply is None else at(action.ply), ())


def outcome(rules: Rules, state: Any, text: str | None, remaining: Iterable[Seat]) -> Outcome | None:
    """The result of a match that stands at `state` after the ply with that text.

    `remaining` are the seats that have not left.
    """
    act = None if text is None else parse(text)
    if act is None or act.kind not in ENDINGS:
        return rules.outcome(state)
    if act.kind in WITHOUT_RESULT:
        return Outcome((), act.kind)
    standing = rules.standing(state)
    return standing if act.kind == ENDED else Outcome(tuple(remaining), act.kind, standing.scores)


class Situation(NamedTuple):
    """What the plies of a match say beside the position.

    Attributes:
        halted: `PAUSED` or `SAVED` while the match stands still, else "".
        acted: the seats that have decided something in the game.
        left: the seats that have left for good.
        caretaken: the seats that a bot plays for.
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
        """Whether a seat on turn is to move: the match goes on, and no bot plays for it."""
        return not self.halted and seat not in self.caretaken

    def after(self, seat: Seat | None, text: str) -> Situation:
        """The situation after one more ply, by `seat` with that text."""
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
    """What the log says of one ply: whose it was, its text, and whether dice were thrown."""

    seat: Seat | None
    text: str
    thrown: bool


Line: TypeAlias = list[tuple[int, Logged]]
"""The plies of the game that led to a position, with their numbers, without those taken back."""


def follow(line: Line, number: int, ply: Logged) -> None:
    """Extend `line` by ply `number` of the log, or shorten it if that is a take-back."""
    act = parse(ply.text)
    if act is None:
        line.append((number, ply))
    elif act.ply is not None:
        while line and line[-1][0] > act.ply:
            line.pop()


def last_decision(line: Line, seat: Seat) -> Act:
    """The act that takes back the last decision of a seat, and whatever came after it.

    Raises `NothingToTakeBack` or `AcrossDice`.
    """
    return Act(TAKEN_BACK, seat, _last_decided(line, seat) - 1)


def _last_decided(line: Line, seat: Seat) -> int:
    """The ply of the decision that `last_decision` takes back."""
    for number, (by, text, thrown) in reversed(line):
        if thrown:
            raise AcrossDice
        if codec.departure(text):
            break
        if by == seat:
            return number
    raise NothingToTakeBack


def last_mover(line: Line, default: Seat) -> Seat:
    """The seat that decided last; `default` where none has."""
    return next((ply.seat for _, ply in reversed(line) if ply.seat is not None), default)


def has_decided(line: Line, seat: Seat) -> bool:
    """Whether there is something that `last_decision` takes back."""
    try:
        _last_decided(line, seat)
    except IllegalMove:
        return False
    return True


def is_move(action: Any) -> bool:
    """Whether a player decided this in the game, rather than dice, a departure or an act."""
    return not isinstance(action, Act | Roll | Leave)
