"""The levels on which the computer plays Kalah, the weakest first."""

from games.bots.base import Level
from games.rules.base import gettext_noop

LEVELS = (
    Level("Sprout", gettext_noop("Sows from any pit, and now and then from one that brings seeds.")),
    Level("Clover", gettext_noop("Takes the most seeds it can get at once, about every second time.")),
    Level("Hazel", gettext_noop("Looks at your answer before it sows, unless it forgets to.")),
    Level("Rowan", gettext_noop("Looks at your answer before it sows, and seldom forgets to.")),
    Level("Alder", gettext_noop("Looks ahead to its own next turn, and seldom slips.")),
    Level("Linden", gettext_noop("Looks four turns ahead, and hardly ever slips.")),
    Level("Oak", gettext_noop("Looks five turns ahead, and does not mind a single seed.")),
    Level("Sequoia", gettext_noop("Looks as far ahead as it can, and often to the end of the game.")),
)
