"""The interface of computer players.

A player is a module, `games.bots.<slug>`, or `games.bots.any_game.AnyGame` for a game that has none. Its
search is limited by a number of positions, not by time, so the same seed gives the same move. Only workers
import players, as the kernels load a compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

from games.rules.base import Seat, gettext_noop

Choose = Callable[[Any, Random], Any]
"""Chooses a legal move in a position that has some; deterministic for the same random generator."""


class Level(NamedTuple):
    """A level of a computer player; the levels of a game are numbered from 1, the weakest.

    Attributes:
        name: the name of its account, valid as a user name, marked with `gettext_noop`; pages show it in the
            language of the user (`games.domain.computer_names`).
        sentence: describes how it plays, marked with `gettext_noop`.
        others: names of further accounts, for games in which several players may have the same level: one
            for each further seat.
        choose: how it chooses if it needs no kernel, so that it plays while those are compiled; None if the
            module of the player chooses.
    """

    name: str
    sentence: str
    others: tuple[str, ...] = ()
    choose: Choose | None = None


NO_OTHER = gettext_noop("There was no other move.")

Why = Callable[[Any, Any, Random], str]
"""Returns the reason for a move of the first level, a sentence marked with `gettext_noop`.

Its arguments are the state before the move, the move, and a random generator in the state that it had before
the choice, by which it knows what was chance. It must not need the compiler, as servers call it.
"""

ONLY_LEVEL = (
    Level(
        gettext_noop("Robot"),
        gettext_noop("Plays out a few random games after each move and picks the best."),
    ),
)
"""The only level of games without a player of their own."""


def why_of_only_level(state: Any, move: Any, rng: Random) -> str:
    """The reason for a move on `ONLY_LEVEL`."""
    return gettext_noop("It played out a few random games after each move. This one did best.")


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """The evaluation of a move for the seat that makes it.

    Attributes:
        share: the expected share of the win, from 0 to 1; a draw between two is worth 0.5.
        score: the expected margin in points, in games that count points; negative for a loss.
        spread: the standard deviation of `share` over the dice roll after the move, 0 without one.
    """

    move: str
    share: float
    score: int | None = None
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of a position by the best level; `seat` is to move.

    Attributes:
        shares: the expected share of the win of each seat; their sum is 1.
        moves: every legal move, the best first.
        proved: whether the result with best play is proved, not estimated.
        depth: how many turns ahead the search looked; None where nothing deepens.
        line: the best move of each side in turn, as far as it is known; empty where nothing deepens.
    """

    seat: Seat
    shares: tuple[float, ...]
    moves: tuple[MoveEvaluation, ...]
    proved: bool = False
    depth: int | None = None
    line: tuple[str, ...] = ()


LONGEST_LINE = 8
"""Most moves of `Evaluation.line`."""


@dataclass(frozen=True, slots=True)
class Proved:
    """The result of a position with best play of both sides, for the seat to move.

    Attributes:
        result: 1 for a win, 0 for a draw, -1 for a loss.
        score: the lead at the end, in games that count points; negative for a loss.
        turns: how many turns of both sides the match takes if the winner hurries and the loser delays; None
            for a draw, and where it is not known.
    """

    result: int
    score: int | None = None
    turns: int | None = None


Prove = Callable[[Any], Proved | None]
"""Looks a position up in the tables of its game; None if they do not have it, or are not made yet.

It takes less than a millisecond once the tables are read, and must not need the compiler, as servers call it.
"""


def nothing_proved(_state: Any) -> Proved | None:
    """Of games without tables."""
    return None


class Player(Protocol):
    """The interface of a player's module.

    It may define `TO_WARM_UP`: states to compile the kernels of `choose` with, in addition to the start of a
    match; `TO_WARM_UP_LOOK`: states to compile those with that only `look` needs; `deepen`, which takes the
    arguments of `look` and yields what it finds at each depth, what `look` returns last; and `make_tables`,
    which makes the tables of exact endings that this machine does not have. It plays without them until then.
    """

    def choose(self, state: Any, level: int, effort: float, rng: Random) -> Any:
        """Choose a legal move for the seat on turn. Deterministic for the same state of `rng`.

        Args:
            state: the position.
            level: the level, from 1.
            effort: the fraction of the usual work, above 0 and at most 1. With 1 it takes at most 1 s on one
                core.
            rng: the source of randomness.
        """

    def look(self, state: Any, seats: int, rng: Random) -> Evaluation:
        """Evaluate a position that has legal moves on the best level, within about 1 s."""
