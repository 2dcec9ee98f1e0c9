"""The levels on which the computer plays Can’t Stop, the weakest first."""

from random import Random

from games.bots.base import NO_OTHER, Level
from games.rules.base import gettext_noop
from games.rules.cantstop import LENGTHS, ROLL, STOP, Move, State, legal_moves

CHANCE_TO_STOP = 1 / 6
"""Of the first level, where stopping claims nothing."""


def carelessly(state: State, rng: Random) -> Move:
    """Any climb; it stops when that claims a column, else every sixth time, for no reason."""
    moves = legal_moves(state)
    if STOP not in moves:
        return rng.choice(moves)
    whim = rng.random()
    return STOP if claims_a_column(state) or whim < CHANCE_TO_STOP else ROLL


def claims_a_column(state: State) -> bool:
    """Whether a runner is at the top of its column."""
    return any(runner == top for runner, top in zip(state.runners, LENGTHS, strict=True) if top)


LEVELS = (
    Level(
        gettext_noop("Icarus"),
        gettext_noop("Picks pairs at random. Stops to claim a column, or at random."),
        (gettext_noop("Phaethon"), gettext_noop("Daedalus")),
        carelessly,
    ),
    Level(
        gettext_noop("Marmot"),
        gettext_noop("Scores each step, more in rare columns, and stops at 28 points."),
        (gettext_noop("Chamois"), gettext_noop("Pika")),
    ),
    Level(
        gettext_noop("Ibex"),
        gettext_noop("Weighs columns and risks, but ignores how close you are to winning."),
        (gettext_noop("Markhor"), gettext_noop("Tahr")),
    ),
    Level(
        gettext_noop("Eagle"),
        gettext_noop("Calculates the odds of every roll. Takes more risks when you are about to win."),
        (gettext_noop("Harrier"), gettext_noop("Kite")),
    ),
)


def why(state: State, move: Move, rng: Random) -> str:
    """What made the first level move (`games.bots.base.Why`)."""
    moves = legal_moves(state)
    if STOP not in moves:
        if len(set(moves)) == 1:
            return NO_OTHER
        return gettext_noop("At random: it did not compare the pairs.")
    if move != STOP:
        return gettext_noop("It rolls again until stopping claims a column, and sometimes stops at random.")
    if claims_a_column(state):
        return gettext_noop("It stopped because that claims a column.")
    return gettext_noop("It stopped at random, as it does about one time in six.")
