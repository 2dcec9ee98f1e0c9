"""The levels on which the computer plays Nine Men’s Morris, the weakest first."""

from random import Random

from games.bots.base import NO_OTHER, Level
from games.rules.base import gettext_noop
from games.rules.morris import State, legal_moves, play
from games.rules.morris_boards import Move

SLIPS_OF_THE_FIRST = 0.88
"""How often the first level plays anything, from 0 to 1."""

LEVELS = (
    Level("Pebble", gettext_noop("Puts its men anywhere and only now and then closes a mill.")),
    Level("Flint", gettext_noop("Stops to think every other move, and then closes a mill when it sees one.")),
    Level("Slate", gettext_noop("Closes mills, but never thinks of your answer.")),
    Level("Marble", gettext_noop("Thinks of your answer, but still often moves without thinking.")),
    Level("Basalt", gettext_noop("Thinks of your answer and seldom overlooks one.")),
    Level("Granite", gettext_noop("Looks three turns ahead, and at the mills that are closed after them.")),
    Level("Onyx", gettext_noop("Looks five turns ahead and hardly ever slips.")),
    Level("Diamond", gettext_noop("Looks at up to a million positions before it moves, and never slips.")),
)


def why(state: State, move: Move, rng: Random) -> str:
    """What made the first level move (`games.bots.base.Why`)."""
    moves = list(legal_moves(state))
    rng.shuffle(moves)
    if len(moves) == 1:
        return NO_OTHER
    if rng.random() < SLIPS_OF_THE_FIRST:
        return gettext_noop("By chance: it mostly plays anything, and did not look at the board this time.")
    if not state.takes and play(state, move).state.takes:
        return gettext_noop("It looked one move ahead and saw that it could close a mill.")
    return gettext_noop("It looked one move ahead, at a rough guess, and this seemed best to it.")
