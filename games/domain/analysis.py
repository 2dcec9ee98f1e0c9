"""Analysis of a finished match: winning chances, mistakes and luck. Pure.

The input is the plies that count (no match actions, nothing taken back) and the evaluations of the positions
in which a player was to move. Shares are winning chances from 0 to 1. Values not known yet are None, or left
out of sums.
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
"""Loss of winning chances from which a decision counts as a blunder."""
MOMENTS = 3
"""Number of decisive moments to report."""
NOTICED = 0.005
"""Change of winning chances from which a moment is reported: a per cent, rounded."""


class Played(NamedTuple):
    """One ply that counts: number, seat (None: chance), text, and the faces of a dice roll.

    `to_move` says whether a player's decision follows, rather than dice or the end. `departure` says that a
    player left.
    """

    number: int
    seat: Seat | None
    text: str
    faces: tuple[int, ...] | None
    to_move: bool
    departure: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """A move of a seat and its evaluation.

    Attributes:
        ply: its ply number.
        after: the ply number of the position it was chosen in, 0 being the start.
        text: the move.
        faces: the dice rolled after it, as one sequence; empty without a roll.
        look: the evaluation of the position.
        luck: winning chances gained by the roll, relative to the expectation.
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
        """The evaluation of the chosen move; None also if today's rules do not allow it."""
        return None if self.look is None else _prospect(self.look, self.text)

    @property
    def best(self) -> MoveEvaluation | None:
        """The best move, or one that is equally good."""
        return None if self.look is None else self.look.moves[0]

    @property
    def chosen(self) -> bool:
        """Whether there was more than one move, as far as is known."""
        return self.played is not None and self.look is not None and len(self.look.moves) > 1

    @property
    def loss(self) -> float | None:
        """The winning chances lost."""
        if self.best is None or self.played is None:
            return None
        return max(0.0, self.best.share - self.played.share)

    @property
    def points(self) -> int | None:
        """How many points the best move was better by, in games with points."""
        if self.best is None or self.played is None or self.best.score is None or self.played.score is None:
            return None
        return max(0, self.best.score - self.played.score)

    @property
    def blunder(self) -> bool:
        """Whether the move lost at least `BLUNDER` of the chance to win."""
        return self.loss is not None and self.loss >= BLUNDER


class Standing(NamedTuple):
    """The winning chances of the seats after a ply, and whether they are proved rather than estimated."""

    ply: int
    shares: tuple[float, ...]
    proved: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """The totals of one seat over the whole match.

    Attributes:
        decisions: number of its moves that were compared with alternatives.
        lost: sum of the winning chances these moves lost.
        blunders: number of blunders among them.
        throws: number of its dice rolls with a known expectation.
        luck: sum of the winning chances gained by these rolls, relative to the expectation.
        band: standard deviation of that sum by chance alone.
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
        """Average loss per decision."""
        return self.lost / self.decisions if self.decisions else 0.0


class Moment(NamedTuple):
    """A decision, with the dice roll after it, that changed the winning chances.

    `seat` is the one whose chances changed most, from `before` to `after`. Without a roll it is the one that
    moved.
    """

    decision: Decision
    seat: Seat
    before: float
    after: float

    @property
    def swing(self) -> float:
        """The size of the change."""
        return abs(self.after - self.before)


@dataclass(frozen=True, slots=True)
class Analysis:
    """`curve` ends with the result, if it and the way to it are known; `summaries` are by seat."""

    curve: tuple[Standing, ...]
    decisions: tuple[Decision, ...]
    summaries: tuple[Summary, ...]

    @property
    def blunders(self) -> tuple[Decision, ...]:
        """The decisions that were blunders."""
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
            moment = _rolled(decision, before, after) if decision.faces else _chosen(decision)
            if moment is not None and moment.swing >= NOTICED:
                yield moment


def _rolled(decision: Decision, before: Standing, after: Standing) -> Moment:
    """What a decision and its roll changed, for the seat whose chances changed most."""
    seats = range(len(before.shares))
    seat = max(seats, key=lambda each: abs(after.shares[each] - before.shares[each]))
    return Moment(decision, seat, before.shares[seat], after.shares[seat])


def _chosen(decision: Decision) -> Moment | None:
    """What a decision without a roll changed: what it lost; None if unknown.

    The evaluation of the next position sees one move further. Where it differs from that of the move, the
    estimate has changed, not the chances: no move was better.
    """
    if decision.best is None or decision.played is None:
        return None
    return Moment(decision, decision.seat, decision.best.share, decision.played.share)


def analyse(
    line: Sequence[Played], looks: Mapping[int, Evaluation], seats: int, outcome: Outcome, end: int
) -> Analysis:
    """Analyse a match.

    Args:
        line: the plies that count.
        looks: evaluations, by the ply number of their positions.
        seats: number of seats.
        outcome: has no winners if the match counts for no player.
        end: number of the very last ply, possibly a match action.
    """
    result = _result(outcome, seats)
    decisions = tuple(_decisions(line, looks, result))
    return Analysis(
        curve=tuple(_curve(line, looks, result, end)),
        decisions=decisions,
        summaries=tuple(_summary(seat, decisions) for seat in range(seats)),
    )


def positions(line: Sequence[Played], start: bool) -> list[int]:
    """The plies after which a player was to move. `start` says whether 0 is one of them."""
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
    # Otherwise a straight line to the end would suggest evaluations that do not exist yet.
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
    """The dice rolls from `index` on, up to the next decision of a player."""
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
    """The winning chances after some dice rolls; None without rolls, or if they are unknown."""
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
        # Rolls are independent, so their variances add up.
        band=sqrt(sum(decision.played.spread**2 for decision in thrown if decision.played)),
    )
