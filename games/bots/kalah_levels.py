"""The levels on which the computer plays Kalah, the weakest first."""

from games.bots.base import Level
from games.rules.base import gettext_noop

LEVELS = (
    Level("Sprout", gettext_noop("Takes any pit, and sometimes sees a sowing that pays.")),
    Level("Clover", gettext_noop("Takes what lies open and thinks no further.")),
    Level("Hazel", gettext_noop("Looks at your answer before it sows.")),
    Level("Rowan", gettext_noop("Looks two sowings ahead.")),
    Level("Alder", gettext_noop("Looks ahead a little further and counts on extra turns.")),
    Level("Linden", gettext_noop("Rarely overlooks a capture.")),
    Level("Oak", gettext_noop("Plans long chains of sowings.")),
    Level("Sequoia", gettext_noop("Looks as far as it can and knows the end by heart.")),
)
