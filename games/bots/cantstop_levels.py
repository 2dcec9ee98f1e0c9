"""The levels on which the computer plays Can’t Stop, the weakest first."""

from games.bots.base import Level
from games.rules.base import gettext_noop

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
