"""What the best level makes of a finished match: who stood how, what was better, what was luck. Pure.

It is made of the plies that count, without acts and without what was taken back, and of the looks at the
positions in which somebody was to move. All shares are of the win, from 0 to 1. Whatever is not known yet
is None, or left out of the sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from games.bots.base import Evaluation, MoveEvaluation
from games.rules.base import Outcome, Seat

BLUNDER = 0.1
"""The share of the win that a decision gives away at least to be called a blunder."""
MOMENTS = 3
"""So many moments are said to have decided a match."""


class Played(NamedTuple):
    """One ply that counts: its number, whose it was (None: chance), its text, and the faces of a throw.

    `to_move` says whether the game goes on with somebody's decision after it, rather than with dice or not
    at all; `departure`, that somebody left.
    """

    number: int
    seat: Seat | None
    text: str
    faces: tuple[int, ...] | None
    to_move: bool
    departure: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """A move of a seat and what it was worth.

    Attributes:
        ply: its number.
        after: the number of the ply before the position it was decided in, 0 being the start.
        text: the move.
        faces: what was thrown because of it, in one row; empty if nothing was.
        look: what the best level made of the position.
        luck: the share of the win that the throw was worth to the seat beyond what was to be expected.
    """

    ply: int
    after: int
    seat: Seat
    text: str
    faces: tuple[int, ...]
    look: Evaluation | None
    luck: float | None

    @property
    def played(self) -> MoveEvaluation | None:
        """The move as the look has it; None also where today's rules would not allow it."""
        return None if self.look is None else _prospect(self.look, self.text)

    @property
    def best(self) -> MoveEvaluation | None:
        """The best move there was; it may be another that is as good."""
        return None if self.look is None else self.look.moves[0]

    @property
    def chosen(self) -> bool:
        """Whether there was anything to choose from, as far as is known."""
        return self.played is not None and self.look is not None and len(self.look.moves) > 1

    @property
    def loss(self) -> float | None:
        """The share of the win that was given away."""
        if self.best is None or self.played is None:
            return None
        return max(0.0, self.best.share - self.played.share)

    @property
    def points(self) -> int | None:
        """By how many points the best move was better, where any are counted."""
        if self.best is None or self.played is None or self.best.score is None or self.played.score is None:
            return None
        return max(0, self.best.score - self.played.score)

    @property
    def blunder(self) -> bool:
        return self.loss is not None and self.loss >= BLUNDER


class Standing(NamedTuple):
    """How the seats stood after a ply: their shares, and whether that is no estimate."""

    ply: int
    shares: tuple[float, ...]
    proved: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """One seat over the whole match.

    Attributes:
        decisions: how many of its moves were compared with others.
        lost: the share of the win that those gave away, summed up.
        blunders: how many of them were blunders.
        throws: how many throws of its own are understood.
        luck: what they were worth beyond what was to be expected, summed up.
        band: the standard deviation of that sum by chance alone.
    """

    seat: Seat
    decisions: int
    lost: float
    blunders: int
    throws: int
    luck: float
    band: float

    @property
    def average(self) -> float:
        """The share of the win that a decision gave away."""
        return self.lost / self.decisions if self.decisions else 0.0


class Moment(NamedTuple):
    """A decision, with the dice it threw, that changed how the seats stood.

    `seat` is the one whose share changed most, `before` and `after` what that share was.
    """

    decision: Decision
    seat: Seat
    before: float
    after: float

    @property
    def swing(self) -> float:
        """How much changed."""
        return abs(self.after - self.before)


@dataclass(frozen=True, slots=True)
class Analysis:
    """`curve` ends with the result, if there is one and the way to it is known; `summaries` are by seat."""

    curve: tuple[Standing, ...]
    decisions: tuple[Decision, ...]
    summaries: tuple[Summary, ...]

    @property
    def blunders(self) -> tuple[Decision, ...]:
        return tuple(decision for decision in self.decisions if decision.blunder)

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The decisions with the largest swings, in the order of play."""
        largest = sorted(self._swings(), key=lambda moment: -moment.swing)[:MOMENTS]
        return tuple(sorted(largest, key=lambda moment: moment.decision.ply))

    def _swings(self) -> Iterator[Moment]:
        decided = {decision.after: decision for decision in self.decisions}
        for before, after in pairwise(self.curve):
            decision = decided.get(before.ply)
            if decision is None:
                continue
            seats = range(len(before.shares))
            seat = max(seats, key=lambda each: abs(after.shares[each] - before.shares[each]))
            if before.shares[seat] != after.shares[seat]:
                yield Moment(decision, seat, before.shares[seat], after.shares[seat])


def analyse(
    line: Sequence[Played], looks: Mapping[int, Evaluation], seats: int, outcome: Outcome, end: int
) -> Analysis:
    """What looks, by the ply before their positions, say of a match.

    `outcome` has no winners where the match counts for nobody; `end` is the number of the last ply of all,
    which may be an act.
    """
    result = _result(outcome, seats)
    decisions = tuple(_decisions(line, looks, result))
    return Analysis(
        curve=tuple(_curve(line, looks, result, end)),
        decisions=decisions,
        summaries=tuple(_summary(seat, decisions) for seat in range(seats)),
    )


def positions(line: Sequence[Played], start: bool) -> list[int]:
    """The plies after which somebody was to move; `start` says whether 0 is one of them."""
    return [0] * start + [played.number for played in line if played.to_move]


def _result(outcome: Outcome, seats: int) -> tuple[float, ...] | None:
    if not outcome.winners:
        return None
    return tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(seats))


def _curve(
    line: Sequence[Played], looks: Mapping[int, Evaluation], result: tuple[float, ...] | None, end: int
) -> Iterator[Standing]:
    for number in [0, *(played.number for played in line)]:
        look = looks.get(number)
        if look is not None:
            yield Standing(number, look.shares, look.proved)
    open_at_last = next((played.number for played in reversed(line) if played.to_move), 0)
    # A line straight to the end would tell of a way that nobody has looked at yet.
    if result is not None and open_at_last in looks:
        yield Standing(end, result, proved=True)


def _decisions(
    line: Sequence[Played], looks: Mapping[int, Evaluation], result: tuple[float, ...] | None
) -> Iterator[Decision]:
    after = 0
    for index, played in enumerate(line):
        if played.seat is not None and not played.departure:
            look = looks.get(after)
            throws = _throws(line, index + 1)
            shares = _shares_after(throws, looks, result, is_last=index + len(throws) + 1 == len(line))
            yield Decision(
                ply=played.number,
                after=after,
                seat=played.seat,
                text=played.text,
                faces=tuple(face for throw in throws for face in throw.faces or ()),
                look=look,
                luck=_luck(look, played, shares),
            )
        after = played.number


def _throws(line: Sequence[Played], index: int) -> list[Played]:
    """The throws from there on, up to the next ply that somebody decided."""
    throws = []
    while index < len(line) and line[index].faces is not None:
        throws.append(line[index])
        index += 1
    return throws


def _shares_after(
    throws: Sequence[Played],
    looks: Mapping[int, Evaluation],
    result: tuple[float, ...] | None,
    *,
    is_last: bool,
) -> tuple[float, ...] | None:
    """How the seats stand after some throws; None where there was none, or where it is not known."""
    if not throws:
        return None
    if not throws[-1].to_move:
        return result if is_last else None
    look = looks.get(throws[-1].number)
    return None if look is None else look.shares


def _luck(look: Evaluation | None, played: Played, shares: tuple[float, ...] | None) -> float | None:
    prospect = None if look is None else _prospect(look, played.text)
    if prospect is None or shares is None or played.seat is None:
        return None
    return shares[played.seat] - prospect.share


def _prospect(look: Evaluation, text: str) -> MoveEvaluation | None:
    return next((prospect for prospect in look.moves if prospect.move == text), None)


def _summary(seat: Seat, decisions: Sequence[Decision]) -> Summary:
    own = [decision for decision in decisions if decision.seat == seat]
    chosen = [decision for decision in own if decision.chosen]
    thrown = [decision for decision in own if decision.luck is not None]
    return Summary(
        seat=seat,
        decisions=len(chosen),
        lost=sum(decision.loss or 0.0 for decision in chosen),
        blunders=sum(decision.blunder for decision in chosen),
        throws=len(thrown),
        luck=sum(decision.luck or 0.0 for decision in thrown),
        # Throws are independent of each other, so the squares of their deviations add up.
        band=sqrt(sum(decision.played.spread**2 for decision in thrown if decision.played)),
    )
