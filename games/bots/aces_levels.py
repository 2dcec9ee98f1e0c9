"""The level on which the computer plays Aces."""

from games.bots.base import Level
from games.rules.base import gettext_noop

LEVELS = (
    Level("Magpie", gettext_noop("Throws, and where a player may stop, stops when that wins more often.")),
)
