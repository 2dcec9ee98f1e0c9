"""The levels on which the computer plays Nine Men’s Morris, the weakest first."""

from games.bots.base import Level
from games.rules.base import gettext_noop

LEVELS = (
    Level("Pebble", gettext_noop("Puts its men nearly anywhere.")),
    Level("Flint", gettext_noop("Closes a mill when it sees one.")),
    Level("Slate", gettext_noop("Closes mills and stops yours.")),
    Level("Marble", gettext_noop("Looks two moves ahead.")),
    Level("Basalt", gettext_noop("Looks ahead a little further.")),
    Level("Granite", gettext_noop("Builds two mills at once.")),
    Level("Onyx", gettext_noop("Shuts men in on purpose.")),
    Level("Diamond", gettext_noop("Looks as far as it can in a second.")),
)
