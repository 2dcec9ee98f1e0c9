"""The levels on which the computer plays Can’t Stop, the weakest first."""

from random import Random

from games.bots.base import NO_OTHER, Level
from games.rules.base import gettext_noop
from games.rules.cantstop import LENGTHS, STOP, Move, State, legal_moves

LEVELS = (
    Level(
        "Icarus", gettext_noop("Pairs the dice without a thought, and stops on a whim or to claim a column.")
    ),
    Level(
        "Marmot", gettext_noop("Counts points for spaces, more in rare columns, and stops at twenty-eight.")
    ),
    Level(
        "Ibex",
        gettext_noop("Weighs columns and risks by published numbers, but never minds how near you are."),
    ),
    Level(
        "Eagle", gettext_noop("Works out the odds of every throw, and dares more when you are about to win.")
    ),
)


def why(state: State, move: Move, rng: Random) -> str:
    """What made the first level move (`games.bots.base.Why`)."""
    moves = legal_moves(state)
    if STOP not in moves:
        if len(set(moves)) == 1:
            return NO_OTHER
        return gettext_noop("By chance: it pairs the dice without a thought.")
    if move != STOP:
        return gettext_noop(
            "It throws again as long as stopping claims no column, but for a whim now and then."
        )
    if any(runner == length for runner, length in zip(state.runners, LENGTHS, strict=True) if length):
        return gettext_noop("It stopped because that claims a column.")
    return gettext_noop("It stopped on a whim, as it does about every sixth time.")
