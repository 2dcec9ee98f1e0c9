"""The levels on which the computer plays Nine Men’s Morris, the weakest first."""

from random import Random

from games.bots.base import NO_OTHER, Level
from games.rules.base import gettext_noop
from games.rules.morris import State, legal_moves, play
from games.rules.morris_boards import Move

SLIPS_OF_THE_FIRST = 0.88
"""How often the first level plays anything, from 0 to 1."""

LEVELS = (
    Level(gettext_noop("Pebble"), gettext_noop("Plays at random, and sometimes closes a mill.")),
    Level(
        gettext_noop("Flint"), gettext_noop("Thinks on every other move, and then closes a mill if it can.")
    ),
    Level(gettext_noop("Slate"), gettext_noop("Closes mills, but ignores your reply.")),
    Level(gettext_noop("Marble"), gettext_noop("Considers your reply, but often moves at random.")),
    Level(gettext_noop("Basalt"), gettext_noop("Considers your reply, and rarely misses it.")),
    Level(gettext_noop("Granite"), gettext_noop("Looks three turns ahead, and further when a mill closes.")),
    Level(gettext_noop("Onyx"), gettext_noop("Looks five turns ahead, and almost never makes mistakes.")),
    Level(
        gettext_noop("Diamond"),
        gettext_noop("Looks at up to a million positions for each move, and never plays at random."),
    ),
)


def why(state: State, move: Move, rng: Random) -> str:
    """What made the first level move (`games.bots.base.Why`)."""
    moves = list(legal_moves(state))
    rng.shuffle(moves)
    if len(moves) == 1:
        return NO_OTHER
    if rng.random() < SLIPS_OF_THE_FIRST:
        return gettext_noop("At random: it did not look at the board this time.")
    if not state.takes and play(state, move).state.takes:
        return gettext_noop("It looked one move ahead and saw that it could close a mill.")
    return gettext_noop("It looked one move ahead, and this move seemed best.")
