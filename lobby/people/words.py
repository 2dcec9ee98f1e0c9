"""Texts that the pages and sockets of the lobby share."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext, ngettext_lazy

from games.domain.options import preset_in_words
from games.registry import Game
from lobby.ratings.models import Pool

JUST_NOW = 60
"""Seconds for which a time counts as "a moment ago"."""
UNITS: dict[str, Any] = {
    "year": ngettext_lazy("%(num)d year", "%(num)d years", "num"),
    "month": ngettext_lazy("%(num)d month", "%(num)d months", "num"),
    "week": ngettext_lazy("%(num)d week", "%(num)d weeks", "num"),
    "day": ngettext_lazy("%(num)d day", "%(num)d days", "num"),
    "hour": ngettext_lazy("%(num)d hour", "%(num)d hours", "num"),
    "minute": ngettext_lazy("%(num)d minute", "%(num)d minutes", "num"),
}
"""Time spans as they appear before “ago”, where some languages decline them."""


def ago(then: datetime) -> str:
    """How long ago a time was, rounded, in the active language."""
    if (timezone.now() - then).total_seconds() < JUST_NOW:
        return gettext("a moment ago")
    return gettext("%(time)s ago") % {"time": span(then)}


def span(then: datetime) -> str:
    """The rounded time since `then`, as it appears before “ago”."""
    return timesince(then, time_strings=UNITS, depth=1)


def pools_of(game: Game) -> list[Pool]:
    """The rating pools of a game, by its possible numbers of seats."""
    seats = game.rules.SEATS
    return [pool for pool, possible in ((Pool.TWO, 2 in seats), (Pool.MANY, seats[-1] > 2)) if possible]


def rules_in_words(game: Game, family: str, pool: str) -> str:
    """The name of a rating: the rule set and, if the game has several pools, the number of players."""
    rules = preset_in_words(game, family or None)
    return f"{rules}, {Pool(pool).label}" if len(pools_of(game)) > 1 else rules
