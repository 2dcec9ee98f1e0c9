"""How often a player's moves agree with the best level, compared with players of the same rating. Pure.

A decision counts if the player could have chosen a worse move: forced moves, and positions in which all moves
are equally good, say nothing. It agrees if no move was better. The phases are the thirds of a match.

Statistics: the agreements of a phase are taken as a binomial variable, with the rate of the peers as its
probability; `chance` is its upper tail, the probability of at least as many agreements. Over all phases, `z`
is the surplus in standard deviations, and `chance` the upper tail of the normal distribution. Both assume
that decisions are independent and equally hard for everyone, and that the rate of the peers is exact. Neither
is quite true: easy positions come in rows, and the peers are a sample, so real chances are larger. Whoever
looks at many people finds small chances among them by chance alone. The figures are a sign, not a proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erfc, exp, lgamma, log, sqrt
from typing import NamedTuple

from games.bots.base import Evaluation

PHASES = 3
EQUAL = 0.001
"""Winning chances by which two moves may differ and still count as equally good."""
MIN_DECISIONS = 100
"""Minimum decisions of the peers in a phase; with fewer there is nothing to compare with."""


class Choice(NamedTuple):
    """A move that was played: its text, the evaluation of its position, and the part of the match before."""

    text: str
    look: Evaluation
    part: float


@dataclass(frozen=True, slots=True)
class Tally:
    """How many decisions counted, and how many of them agreed."""

    decisions: int = 0
    agreed: int = 0

    @property
    def rate(self) -> float:
        """The share that agreed; 0 without decisions."""
        return self.agreed / self.decisions if self.decisions else 0.0


@dataclass(frozen=True, slots=True)
class Phase:
    """One third of the matches; `chance` is None where there is too little to compare with."""

    number: int
    own: Tally
    peers: Tally
    chance: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All phases; `z` and `chance` are over those that can be compared, None if none can."""

    phases: tuple[Phase, ...]
    z: float | None
    chance: float | None


def tallies(choices: Iterable[Choice]) -> tuple[Tally, ...]:
    """Count decisions and agreements by phase."""
    decisions, agreed = [0] * PHASES, [0] * PHASES
    for choice in choices:
        agrees = _agrees(choice)
        if agrees is not None:
            phase = min(int(choice.part * PHASES), PHASES - 1)
            decisions[phase] += 1
            agreed[phase] += agrees
    return tuple(Tally(*counts) for counts in zip(decisions, agreed, strict=True))


def _agrees(choice: Choice) -> bool | None:
    """Whether no move was better; None if the decision does not count."""
    shares = {move.move: move.share for move in choice.look.moves}
    if choice.text not in shares:
        return None
    best = max(shares.values())
    if best - min(shares.values()) <= EQUAL:
        return None
    return best - shares[choice.text] <= EQUAL


def compare(own: Sequence[Tally], peers: Sequence[Tally]) -> Comparison:
    """Compare a player with the peers, phase by phase and over all."""
    phases, surplus, variance = [], 0.0, 0.0
    for number, (mine, theirs) in enumerate(zip(own, peers, strict=True)):
        chance = None
        if theirs.decisions >= MIN_DECISIONS and mine.decisions:
            rate = expected_rate(theirs)
            chance = upper_tail(mine.agreed, mine.decisions, rate)
            surplus += mine.agreed - mine.decisions * rate
            variance += mine.decisions * rate * (1 - rate)
        phases.append(Phase(number, mine, theirs, chance))
    if not variance:
        return Comparison(tuple(phases), None, None)
    z = surplus / sqrt(variance)
    return Comparison(tuple(phases), z, erfc(z / sqrt(2)) / 2)


def expected_rate(peers: Tally) -> float:
    """The rate of the peers by the rule of succession, which is never 0 or 1."""
    return (peers.agreed + 1) / (peers.decisions + 2)


def upper_tail(least: int, number: int, rate: float) -> float:
    """The probability of at least `least` successes among `number` independent ones of probability `rate`."""
    terms = (
        lgamma(number + 1)
        - lgamma(hits + 1)
        - lgamma(number - hits + 1)
        + hits * log(rate)
        + (number - hits) * log(1 - rate)
        for hits in range(least, number + 1)
    )
    return min(1.0, sum(map(exp, terms)))
