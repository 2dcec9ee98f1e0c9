"""The levels on which the computer plays Can’t Stop, the weakest first."""

from games.bots.base import Level
from games.rules.base import gettext_noop

LEVELS = (
    Level("Icarus", gettext_noop("Throws for as long as luck lasts.")),
    Level("Marmot", gettext_noop("Counts to twenty-eight and stops.")),
    Level("Ibex", gettext_noop("Weighs how far it has come against the columns it stands in.")),
    Level("Eagle", gettext_noop("Knows the odds of every throw and how near you are.")),
)
