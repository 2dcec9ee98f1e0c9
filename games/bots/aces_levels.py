"""The level on which the computer plays Aces."""

from random import Random

from games.bots.base import NO_OTHER, Level
from games.rules.aces import Move, State, legal_moves
from games.rules.base import gettext_noop

LEVELS = (
    Level(
        gettext_noop("Magpie"),
        gettext_noop("Rolls, and stops when that wins more often."),
        (
            gettext_noop("Jackdaw"),
            gettext_noop("Rook"),
            gettext_noop("Chough"),
            gettext_noop("Crow"),
            gettext_noop("Treepie"),
            gettext_noop("Nutcracker"),
        ),
    ),
)


def why(state: State, move: Move, rng: Random) -> str:
    """What made it move (`games.bots.base.Why`)."""
    if len(legal_moves(state)) == 1:
        return NO_OTHER
    return gettext_noop("It calculated how often each choice wins. This one wins more often.")
