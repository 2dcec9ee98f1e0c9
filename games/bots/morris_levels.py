"""The levels on which the computer plays Nine Men’s Morris, the weakest first."""

from games.bots.base import Level
from games.rules.base import gettext_noop

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
