"""The second program for Can't Stop: policy iteration by the rules.

It shares nothing with the value iteration. For a policy, the chance to win of a turn is a number plus a
multiple of the chance after a throw that moves nothing. With both players' policies these are two equations
in two unknowns, which are solved; each policy is then improved by the solution, until neither changes. What
a throw allows is asked of `games.rules.cantstop`, with whole positions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple, TypeAlias

from games.rules.cantstop import LENGTHS, ROLL, STOP, THROWS, TO_WIN, Move, State, legal_moves, play

Spaces: TypeAlias = tuple[int, ...]
"""Of cones or runners, by column."""

PERCENT = 10_000
SAME = 1e-13
NONE: Spaces = (0,) * len(LENGTHS)


class Line(NamedTuple):
    """A chance to win: a number, plus a multiple of the chance after a throw that moves nothing."""

    sure: float
    bust: float

    def at(self, bust: float) -> float:
        """The chance if a throw that moves nothing leaves so much."""
        return self.sure + self.bust * bust


WON, LOST_TURN = Line(1.0, 0.0), Line(0.0, 1.0)


def worth(state: State) -> dict[str, int]:
    """The chance to win after each legal move, in hundredths of a percent, if both play their best.

    Two players are left, who both win with their next column.
    """
    mover, other = state.turn, next(s for s, here in enumerate(state.present) if here and s != state.turn)
    assert sum(state.present) == 2
    assert state.owners.count(mover) == state.owners.count(other) == TO_WIN - 1
    ending = ending_of(replace(state, cones=(NONE,) * len(state.cones), runners=NONE, dice=()))
    own, theirs = state.cones[mover], state.cones[other]
    turn = Turn(ending, own, theirs, 1 - ending.before(theirs, own))
    return {str(move): round(PERCENT * turn.after(state, move)) for move in legal_moves(state)}


@dataclass
class Ending:
    """All positions with the same open columns.

    Attributes:
        table: the position without cones and runners.
        known: chances at the beginning of a turn, by the cones of the player and of the other one.
        thrown: by cones and runners, in how many ways throws let the runners come to each choice of places.
    """

    table: State
    known: dict[tuple[Spaces, Spaces], float] = field(default_factory=dict)
    thrown: dict[tuple[Spaces, Spaces], Counter[tuple[Spaces, ...]]] = field(default_factory=dict)

    def before(self, own: Spaces, theirs: Spaces) -> float:
        """The chance to win at the beginning of a turn."""
        if (own, theirs) not in self.known:
            mine, yours = self._solved(own, theirs)
            self.known[own, theirs], self.known[theirs, own] = mine, yours
        return self.known[own, theirs]

    def throws(self, own: Spaces, runners: Spaces) -> Counter[tuple[Spaces, ...]]:
        """What throws lead to."""
        if (own, runners) not in self.thrown:
            cones = tuple(own if seat == self.table.turn else NONE for seat in range(len(self.table.cones)))
            here, counted = replace(self.table, cones=cones, runners=runners), Counter[tuple[Spaces, ...]]()
            for dice, ways in THROWS.items():
                landed = replace(here, dice=dice)
                places = {play(landed, move).state.runners for move in legal_moves(landed)}
                counted[tuple(sorted(places))] += ways
            self.thrown[own, runners] = counted
        return self.thrown[own, runners]

    def _solved(self, own: Spaces, theirs: Spaces) -> tuple[float, float]:
        """The chances of both players at the beginning of their turns, each with the best policy."""
        mine = yours = 0.5
        while True:
            first = Turn(self, own, theirs, 1 - yours).rolled(NONE)
            second = Turn(self, theirs, own, 1 - mine).rolled(NONE)
            # mine = first.at(1 - yours) and yours = second.at(1 - mine).
            both = first.bust * second.bust
            better = (first.sure + first.bust * (1 - second.sure - second.bust)) / (1 - both)
            change, mine, yours = abs(better - mine), better, second.at(1 - better)
            if change < SAME:
                return mine, yours


@dataclass
class Turn:
    """A turn, played best if a throw that moves nothing leaves the chance `bust`."""

    ending: Ending
    own: Spaces
    theirs: Spaces
    bust: float
    known: dict[Spaces, Line] = field(default_factory=dict)

    def after(self, state: State, move: Move) -> float:
        """The chance to win after a move."""
        if move == ROLL:
            return self.rolled(state.runners).at(self.bust)
        if move == STOP:
            return self.stopped(state.runners).at(self.bust)
        return self.best(play(state, move).state.runners).at(self.bust)

    def best(self, runners: Spaces) -> Line:
        """The better of rolling and stopping after a climb."""
        return max(self.rolled(runners), self.stopped(runners), key=lambda line: line.at(self.bust))

    def rolled(self, runners: Spaces) -> Line:
        """What a throw with these runners leads to."""
        if runners not in self.known:
            throws = self.ending.throws(self.own, runners)
            sure = bust = 0.0
            for places, ways in throws.items():
                lines = (self.best(place) for place in places)
                line = max(lines, key=lambda line: line.at(self.bust), default=LOST_TURN)
                sure += ways * line.sure
                bust += ways * line.bust
            self.known[runners] = Line(sure / throws.total(), bust / throws.total())
        return self.known[runners]

    def stopped(self, runners: Spaces) -> Line:
        """What stopping leads to."""
        if any(runner == top > 0 for runner, top in zip(runners, LENGTHS, strict=True)):
            return WON
        cones = tuple(runner or cone for runner, cone in zip(runners, self.own, strict=True))
        return Line(1 - self.ending.before(self.theirs, cones), 0.0)


@cache
def ending_of(table: State) -> Ending:
    """The one of its kind, so that many puzzles share what is known."""
    return Ending(table)
