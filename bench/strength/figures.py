"""What is measured of the computer players, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured claim.

    Attributes:
        what: the claim without its number, as "level 2 against level 1, classic".
        games: how many games it was measured over.
        measured: the number and its unit, with the standard error where there is one.
        goal: what it should be; empty where nothing was promised.
        met: whether it is.
    """

    what: str
    games: int
    measured: str
    goal: str
    met: bool

    def row(self) -> str:
        """A row of the table in docs/explanation/strength.md."""
        met = "yes" if self.met else "no"
        return f"| {self.what} | {self.games:,} | {self.measured} | {self.goal} | {met} |"


Measure: TypeAlias = Callable[[float], Iterator[Figure]]
"""`measure` of `bench.strength.<slug>`: its figures, over a part of the games each needs, 1 being all."""


def share(won: float, games: int) -> str:
    """A rate in per cent with its standard error: the share of the win, summed up over some games."""
    rate = won / games
    return f"{rate:.1%} ± {(rate * (1 - rate) / games) ** 0.5:.1%}"
