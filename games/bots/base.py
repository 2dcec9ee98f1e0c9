"""What a computer player offers: the words between those who search and those who ask them.

A player is a module, `games.bots.<slug>`, or `games.bots.any_game.AnyGame` for a game that has none. It
knows no clock: how long it thinks is a number of positions, so that it does the same again for the same
seed. Only a worker imports one, since the kernels bring a compiler along.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

from games.rules.base import Seat, gettext_noop


class Level(NamedTuple):
    """How well a computer player plays; the levels of a game are numbered from 1, the weakest.

    `name` is that of its account, of letters as those of people are; `sentence` says to somebody who
    chooses how it plays, through `gettext_noop`. `others` are names of further accounts, for a game in which
    several of a level may play: as many as there are seats left.
    """

    name: str
    sentence: str
    others: tuple[str, ...] = ()


NO_OTHER = gettext_noop("There was no other move.")

Why = Callable[[Any, Any, Random], str]
"""What made the first level move, in a sentence through `gettext_noop`.

It is told the state in which it chose, the move, and random numbers that begin as those of the choice did: so
it knows what was chance. It needs no compiler, since whoever serves asks it.
"""

ONLY_LEVEL = (
    Level("Robot", gettext_noop("Plays out a few random games after each move and picks the best.")),
)
"""What a game has that brings no player of its own."""


def why_of_only_level(state: Any, move: Any, rng: Random) -> str:
    """The reason of whoever plays on `ONLY_LEVEL`."""
    return gettext_noop("It played out a few random games after each move. This one did best.")


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """A move, in the notation of its game, and what it leads to for the seat that makes it.

    Attributes:
        share: the share of the win to be expected, from 0 to 1; a draw of two is worth a half.
        score: by how many points the match would be won, in games that count any; negative if lost.
        spread: the standard deviation of `share` over the throw that the move leads to, 0 without one.
    """

    move: str
    share: float
    score: int | None = None
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the best level makes of a position in which `seat` is to move.

    Attributes:
        shares: by seat, the share of the win to be expected; together they are 1.
        moves: every legal move, the best first.
        proved: whether this is how the match ends if nobody errs, and no estimate.
    """

    seat: Seat
    shares: tuple[float, ...]
    moves: tuple[MoveEvaluation, ...]
    proved: bool = False


class Player(Protocol):
    """What the module of a player offers.

    It may have `TO_WARM_UP` as well: states that its kernels need to see before they are compiled, on top of
    a match that begins.
    """

    def choose(self, state: Any, level: int, effort: float, rng: Random) -> Any:
        """A legal move for the seat on turn; the same for the same state of `rng`.

        `effort`, above 0 and at most 1, is the part of its usual work that there is time for. With 1 it
        takes at most a second on one core.
        """

    def look(self, state: Any, seats: int, rng: Random) -> Evaluation:
        """What the best level makes of a position of `seats` seats that has moves, within a second or so."""
